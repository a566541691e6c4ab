#!/bin/sh
# SPDX-License-Identifier: MIT
# --doctor: every class of event tried, as root and as nobody; each "no" with its cause.
. "${0%/*}/../lib.sh"
. "${0%/*}/play.sh"
need prlimit

# Under sudo there is a row for each capability that the opener may keep.
kept=
[ "$(id -u)" -ne 0 ] || [ -z "${SUDO_UID-}" ] ||
	kept='CAP_PERFMON CAP_IPC_LOCK CAP_SYSLOG CAP_DAC_READ_SEARCH CAP_SYS_ADMIN CAP_KILL'
first="kernel rights"
rest="seccomp libraries lockdown paranoid tracefs kallsyms pmus hardware software cache msr breakpoint kprobe
uprobe tracepoint mlock files sample-rate PERF_FORMAT_LOST context_switch use_clockid comm_exec"
names="$first $kept $rest"

# state NAME: ok or no
state()
{
	awk -v name="$1" '($1 == "ok" || $1 == "no") && $2 == name { print $1 }' "$tmp/out"
}

check_shape()
{
	is "$(awk '$1 == "ok" || $1 == "no" { print $2 }' "$tmp/out" | tr '\n' ' ')" \
		"$(echo $names) " "$1: every check once, in order"
	is "$(grep -Evc '^(ok|no)  [A-Za-z_-]+ +[^ ]|^ {21,}  \$ [^ ]' "$tmp/out")" 0 "a line each, and lines to paste"
	is "$(grep '^no ' "$tmp/out" | grep -Ev '^no  [A-Za-z_-]+ +.*: [^ ]')" '' "each no has a cause"
	is "$(cat "$tmp/err")" '' "nothing on stderr"
}

"$PERFTOP" --doctor >"$tmp/out" 2>"$tmp/err"
is $? 0 "exit 0"
check_shape "as $(id -un)"

if [ "$(id -u)" -eq 0 ] && perf stat -a -e cpu-clock true >/dev/null 2>&1; then
	is "$(state software) $(state breakpoint)" "ok ok" "what root has"
	if [ "$(uname -r | cut -d. -f1)" -ge 6 ]; then # and some updates of earlier ones
		is "$(state PERF_FORMAT_LOST)" ok "exact losses since Linux 6.0"
	else
		skip 1 "Linux before 6.0"
	fi
	want=ok
	[ -e /sys/bus/event_source/devices/kprobe ] || want=no
	is "$(state kprobe)" $want "kprobes as sysfs has them"
	want=no
	for pmu in /sys/bus/event_source/devices/cpu /sys/bus/event_source/devices/cpu_core \
		/sys/bus/event_source/devices/armv*; do
		[ ! -e "$pmu" ] || want=ok
	done
	is "$(state hardware)" $want "hardware events if there is a PMU"
	prlimit --nofile=100:100 "$PERFTOP" --doctor >"$tmp/out"
	is "$(state files)" no "a low limit of files is no"
	like "$(cat "$tmp/out")" '\$ sudo prlimit .*--nofile=' "with a fix"
else
	skip 6 "not root, or no perf events"
fi

"$PERFTOP" --doctor -j >"$tmp/json"
is "$(wc -l <"$tmp/json")" 1 "as JSON: one line"
like "$(cat "$tmp/json")" '^\{"schema":1,"doctor":\[\{"check":"kernel","ok":(true|false),"what":"' "of that shape"
if command -v python3 >/dev/null; then
	ok "which is JSON, with all keys" python3 -c '
import json, sys
checks = json.load(open(sys.argv[1]))["doctor"]
assert [c["check"] for c in checks] == sys.argv[2].split()
for c in checks:
    assert list(c) == ["check", "ok", "what", "errno", "fix"], c
    assert c["ok"] in (True, False) and c["what"]
    assert not (c["ok"] and (c["errno"] or c["fix"])), c
' "$tmp/json" "$names"
else
	skip 1 "no python3"
fi

chmod 755 "$tmp"
# On the screen, with the rights of the run: the same, but for probes, which the opener refuses then.
for who in root sudo; do
	if ! may_play $who; then
		skip 3 "not root"
		continue
	fi
	printf 'resize 160 60\nwait 2\nkey D\ndump\nkey q\n' | play_as $who $who
	is $? 0 "$who: D on the screen"
	env=$([ $who = sudo ] && echo 'SUDO_UID=65534 SUDO_GID=65534')
	# shellcheck disable=SC2086
	env -u SUDO_UID -u SUDO_GID -u SUDO_USER $env "$PERFTOP" --doctor |
		sed -nE 's/^(ok|no)  ([A-Za-z_-]+) .*/\2 \1/p' >"$tmp/printed"
	sed -nE 's/^[▸ ] ([A-Za-z_-]+)  +(ok|no)  .*/\1 \2/p' "$tmp/$who" >"$tmp/shown"
	probes=none
	[ $who = root ] || probes='breakpoint|kprobe|uprobe'
	is "$(grep -Ev "^($probes) " "$tmp/shown" | sort)" "$(grep -Ev "^($probes) " "$tmp/printed" | sort)" \
		"$who: it finds what --doctor finds"
	if [ $who = root ]; then
		is "$(sort -k2,2 -s "$tmp/printed")" "$(cat "$tmp/shown")" "$who: what does not work is first"
	else
		like "$(cat "$tmp/$who")" 'breakpoint +no +.*only at the start' "$who: no new probes while it runs"
	fi
done

if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
	names="$first $rest"
	cp "$PERFTOP" "$tmp/perftop-ng"
	chmod 755 "$tmp/perftop-ng"
	(cd / && exec setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all \
		"$tmp/perftop-ng" --doctor) >"$tmp/out" 2>"$tmp/err"
	is $? 0 "as nobody: exit 0"
	check_shape "as nobody"
	is "$(state rights)" no "nobody has no rights"
	if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -ge 1 ]; then
		is "$(state software)" no "and does not watch the machine"
		like "$(grep '^no  software' "$tmp/out")" 'E(ACCES|PERM): .*perf_event_paranoid' "because of that"
	else
		skip 2 "perf_event_paranoid lets everybody"
	fi
	like "$(cat "$tmp/out")" '\$ sudo perftop-ng' "the smallest fix"
else
	skip 9 "not root"
fi
done_testing
