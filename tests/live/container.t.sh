#!/bin/sh
# SPDX-License-Identifier: MIT
#
# As in a container: perf_event_open refused by a seccomp filter, root without its capabilities or of a
# user namespace only, no tracefs, no sysfs.  Each time the cause and the smallest fix.
. "${0%/*}/../lib.sh"
. "${0%/*}/json.sh"
need_root
need_perf
need setpriv unshare mount umount

[ -z "${SUDO_UID-}" ] || skip_all "by sudo the opener has root's rights: rights.t.sh"
refuse=$BUILD/tests/helpers/refuse
enosys=38 eperm=1

# fails KEY DESC COMMAND...: --batch under it fails, with the message KEY for its first event
fails()
{
	key=$1 desc=$2
	shift 2
	"$@" "$PERFTOP" --batch -n 1 -d 0.1 -a -e context-switches >"$tmp/out" 2>"$tmp/err"
	is "$? $(wc -c <"$tmp/out")" "1 0" "$desc: exit 1, nothing printed"
	is_message "$(head -n 1 "$tmp/err")" "container: $key"
}

# doctor_says COMMAND...: what --doctor says under it, without what is in order
doctor_says()
{
	"$@" "$PERFTOP" --doctor >"$tmp/out" 2>&1
	is $? 0 "--doctor: exit 0"
}

# --- perf_event_open is refused ---------------------------------------------------------------

fails "ENOSYS" "a filter fails it with ENOSYS" "$refuse" $enosys
doctor_says "$refuse" $enosys
like "$(grep ' kernel ' "$tmp/out")" '^no .*ENOSYS: .*seccomp' "the kernel's line names the filter"
like "$(grep ' seccomp ' "$tmp/out")" 'a filter is active' "so does the filter's"
is "$(grep -Ec '^ok +(hardware|software|cache|msr|breakpoint|kprobe|uprobe|tracepoint) ' "$tmp/out")" 0 "no kind opens"
"$refuse" $enosys "$PERFTOP" --list sw >"$tmp/out" 2>"$tmp/err"
is "$(wc -l <"$tmp/out") $(grep -c 'ENOSYS' "$tmp/err")" "0 1" "--list: none, and why"

fails "EPERM" "it fails with EPERM" "$refuse" $eperm

# --- what root lacks --------------------------------------------------------------------------

without="setpriv --bounding-set=-perfmon,-sys_admin --inh-caps=-perfmon,-sys_admin"
if $without true 2>/dev/null; then
	fails "no CAP_PERFMON" "root without CAP_PERFMON" $without
	fails "no CAP_PERFMON" "the same by sudo" $without env SUDO_UID=65534 SUDO_GID=65534
	doctor_says $without
	like "$(grep ' rights ' "$tmp/out")" '^no .*--cap-add=PERFMON' "it says how to get it"
else
	skip 6 "this kernel has no CAP_PERFMON"
fi
if unshare --user --map-root-user true 2>/dev/null; then
	fails "user namespace" "root of a user namespace" unshare --user --map-root-user
	doctor_says unshare --user --map-root-user
	like "$(grep ' rights ' "$tmp/out")" '^no .*user namespace' "it says so"
else
	skip 4 "user namespaces are not allowed"
fi

# --- file systems -----------------------------------------------------------------------------

# without_tracefs COMMAND...
without_tracefs()
{
	# shellcheck disable=SC2016
	unshare --mount sh -c 'umount -l /sys/kernel/debug 2>/dev/null
		umount -l /sys/kernel/tracing 2>/dev/null
		exec "$@"' sh "$@"
}

if without_tracefs true 2>/dev/null; then
	without_tracefs "$PERFTOP" --strict --batch -n 1 -d 0.1 -e sched:sched_switch >"$tmp/out" 2>"$tmp/err"
	is_message "$(sed -n 2p "$tmp/err" | sed 's/^[ ^~]*//')" "container: no tracefs"
	without_tracefs "$PERFTOP" --batch -n 1 -d 0.1 >"$tmp/out" 2>"$tmp/err"
	is "$? $(cat "$tmp/err")" "0 " "without options it runs"
	is_message "$(grep '^note: ' "$tmp/out")" "container: a note, no tracefs"
	is "$(awk '$1 == "context-switches" { print $6 }' "$tmp/out")" 0 "and counts what needs no tracefs"
else
	skip 4 "no mount namespaces"
fi

# without_sysfs COMMAND...
without_sysfs()
{
	# shellcheck disable=SC2016
	unshare --mount sh -c 'mount -t tmpfs none /sys && exec "$@"' sh "$@"
}

if without_sysfs true 2>/dev/null; then
	without_sysfs "$PERFTOP" --batch -n 1 -d 0.1 >"$tmp/out" 2>"$tmp/err"
	is $? 1 "without sysfs: exit 1"
	is_message "$(cat "$tmp/err")" "container: no sysfs"
	doctor_says without_sysfs
	is "$(grep -A 1 ' pmus ' "$tmp/out" | grep -c '[$] sudo mount -t sysfs')" 1 "it says how to mount it"
	like "$(grep ' tracefs ' "$tmp/out")" '^no .*not mounted' "a tracefs below another mount is not there"
else
	skip 5 "no mount namespaces"
fi
done_testing
