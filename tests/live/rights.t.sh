#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Whose rights it runs with: by sudo, pkexec, doas, --as; never by a setuid bit.  Which of root's the
# opener keeps, event by event, and how it ends the command after --.
. "${0%/*}/../lib.sh"
. "${0%/*}/opener.sh"
need_root
need_perf
need setpriv

user=65534 group=65534
chmod 755 "$tmp"
home=$tmp/home
mkdir "$home" && chown $user:$group "$home"
setpriv --reuid=$user --regid=$group --clear-groups test -r "$PERFTOP" || skip_all "$BUILD is closed to uid $user"
plain="env -u SUDO_UID -u SUDO_GID -u PKEXEC_UID -u DOAS_USER -C $home"

# --- a setuid or setgid file ------------------------------------------------------------------

cp "$PERFTOP" "$tmp/copy"
for mode in 4755 2755; do
	chown root:root "$tmp/copy"
	chmod $mode "$tmp/copy"
	case $(findmnt -no OPTIONS -T "$tmp" 2>/dev/null) in
	*nosuid*) skip 3 "$tmp is mounted nosuid" && continue ;;
	esac
	setpriv --reuid=$user --regid=$group --clear-groups "$tmp/copy" --version >"$tmp/out" 2>"$tmp/err"
	is $? 1 "mode $mode: exit 1"
	is "$(cat "$tmp/out")" '' "and nothing done"
	# A sanitizer's search for leaks traces the process, which such a file forbids: it adds a message.
	is_message "$(grep -v '^==' "$tmp/err")" "rights: a setuid or setgid file"
done

# --- who it runs as ---------------------------------------------------------------------------

# owner WORDS-FOR-env...: of the file that -o writes
owner()
{
	rm -f "$home/out"
	# shellcheck disable=SC2086
	$plain "$@" --batch -n 1 -d 0.1 -e cs -o "$home/out" 2>"$tmp/err" || return
	stat -c '%u:%g' "$home/out"
}

is "$(owner SUDO_UID=$user SUDO_GID=$group "$PERFTOP")" "$user:$group" "by sudo: as the user who called"
is "$(owner "PKEXEC_UID=$user" "$PERFTOP")" "$user:$(id -g $user)" "by pkexec"
is "$(owner "DOAS_USER=$(id -un $user)" "$PERFTOP")" "$user:$(id -g $user)" "by doas"
is "$(owner "$PERFTOP" --as $user)" "$user:$(id -g $user)" "logged in as root, with --as"
is "$(owner "$PERFTOP")" 0:0 "without: as root"
is "$(owner SUDO_UID=0 SUDO_GID=0 "$PERFTOP")" 0:0 "root by sudo of root is root"
is "$(owner SUDO_UID=$user SUDO_GID=$group "DOAS_USER=$(id -un $user)" "$PERFTOP")" "$user:$group" \
	"two that name the same user agree"

# refused DESC ENV-AND-ARGS...
refused()
{
	refused_desc=$1
	shift
	owner "$@" >"$tmp/owner"
	is "$?:$(wc -l <"$tmp/err"):$(cat "$tmp/owner")" 1:1: "$refused_desc: one line, exit 1"
	ok "and no file" test ! -e "$home/out"
}

refused "two that name different users" SUDO_UID=1 SUDO_GID=1 "DOAS_USER=$(id -un $user)" "$PERFTOP"
refused "a user id that is none" SUDO_UID=65534x SUDO_GID=65534 "$PERFTOP"
refused "sudo's user without a group" SUDO_UID=$user "$PERFTOP"
refused "pkexec's user, unknown here" PKEXEC_UID=3999999999 "$PERFTOP"
refused "--as an unknown user" "$PERFTOP" --as no-such-user
refused "--as root" "$PERFTOP" --as root
refused "--as under sudo: it would be a way to another's files" SUDO_UID=$user SUDO_GID=$group "$PERFTOP" --as daemon
refused "--as without root's rights" setpriv --reuid=$user --regid=$group --clear-groups "$PERFTOP" --as daemon

# --- what the opener keeps ----------------------------------------------------------------------

# kept ARGS...: the opener's permitted set while it watches.
kept()
{
	rm -f "$home/kept"
	# shellcheck disable=SC2086
	$plain SUDO_UID=$user SUDO_GID=$group "$PERFTOP" -j -d 0.1 -o "$home/kept" "$@" 2>"$tmp/err" &
	kept_main=$!
	wait_until 10 test -s "$home/kept"
	kept_opener=$(opener_of $kept_main)
	field CapPrm "/proc/$kept_opener/status"
	kill -TERM $kept_main
	wait $kept_main
}

# PERFMON 38 and IPC_LOCK 14 always; SYSLOG 34 for addresses, DAC_READ_SEARCH 2 for formats, SYS_ADMIN
# 21 for probes and before Linux 5.8 in place of PERFMON, SYS_PTRACE 19 with addresses before Linux 6.15.
# At kernel.perf_event_paranoid 3 Debian's kernel asks for SYS_ADMIN, always.
perfmon=$(perfmon_digit) admin=$(admin_digit) ptrace=$(ptrace_digit)
if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 2 ]; then
	is "$(kept -e cs)" "000000${perfmon}400${admin}${ptrace}4000" "a software event: PERFMON, IPC_LOCK, SYSLOG for its addresses"
	is "$(kept -e kmem:kmalloc)" "000000${perfmon}000${admin}04004" "kmem:… is no mem:…: DAC_READ_SEARCH, not SYS_ADMIN"
	is "$(kept -e 'sched:*,cs')" "000000${perfmon}400${admin}${ptrace}4004" "both together"
	if [ -e /sys/bus/event_source/devices/uprobe ]; then
		is "$(kept -e "uprobe:$BUILD/tests/helpers/watched:watched_function")" "000000${perfmon}4002${ptrace}4004" \
			"a uprobe: SYS_ADMIN too"
	else
		skip 1 "no uprobes here"
	fi
	is "$(kept -e cs -- sleep 100)" "000000${perfmon}400${admin}${ptrace}4020" "with a command: KILL"
else
	skip 5 "CAP_SYS_ADMIN is needed for every event here"
fi

# --- the command -----------------------------------------------------------------------------------

rm -f "$home/deaf"
# shellcheck disable=SC2086
$plain SUDO_UID=$user SUDO_GID=$group "$PERFTOP" -j -e cs -d 0.1 -o "$home/deaf" -- \
	sh -c 'trap "" TERM; while :; do sleep 1; done' &
main=$!
wait_until 10 test -s "$home/deaf"
command=$(pgrep -P $main -x sh)
kill -INT $main
wait $main
is $? 0 "a command that ignores SIGTERM does not keep us from exiting"
ok "and does not outlive us" wait_until 5 is_gone "$command"

rm -f "$home/stopped"
# shellcheck disable=SC2086
$plain SUDO_UID=$user SUDO_GID=$group "$PERFTOP" -j -e cs -d 0.1 -o "$home/stopped" -- sleep 100 &
main=$!
wait_until 10 test -s "$home/stopped"
opener=$(opener_of $main)
command=$(pgrep -P $main -x sleep)
kill -STOP "$opener"
kill -INT $main
ok "an opener that is stopped is not waited for" wait_until 3 is_gone $main
kill -CONT "$opener"
wait $main
ok "it ends the command when it continues" wait_until 5 is_gone "$command"
ok "and itself" wait_until 10 is_gone "$opener"

done_testing
