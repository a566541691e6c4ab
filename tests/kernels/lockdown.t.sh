#!/bin/sh
# SPDX-License-Identifier: MIT
# Booted with lockdown=confidentiality: which events are left, and what is said of the others.
. "${0%/*}/../lib.sh"
. "${0%/*}/../live/json.sh"
need_guest
grep -q '\[confidentiality\]' /sys/kernel/security/lockdown 2>/dev/null || skip_all "this kernel has no lockdown"

for event in cs page-faults cpu-clock "uprobe:$BUILD/tests/helpers/watched:watched_function"; do
	ok "$event opens" can_watch "$event"
done
! can_watch sched:sched_switch
is_message "$(tail -n 1 "$tmp/why-not")" "lockdown: a tracepoint"
! can_watch kprobe:do_exit
is_message "$(head -n 1 "$tmp/why-not")" "lockdown: a probe"

"$PERFTOP" --batch -n 1 -d 0.1 >"$tmp/out" 2>"$tmp/err"
is $? 0 "without options it runs"
is_message "$(grep '^note: ' "$tmp/out")" "lockdown: a note"

"$PERFTOP" --doctor >"$tmp/out"
for check in lockdown tracefs kprobe tracepoint; do
	like "$(grep " $check " "$tmp/out")" '^no .*lockdown' "--doctor: $check: no, because of lockdown"
done
is "$(grep -c '[$] .*sudo' "$tmp/out")" 0 "root is not told to become root"
done_testing
