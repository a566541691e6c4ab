#!/bin/sh
# SPDX-License-Identifier: MIT
# -F 0: events are counted and not sampled, but for those with a period or frequency of their own.  Without
# rings nothing is sampled.
. "${0%/*}/../lib.sh"
. "${0%/*}/json.sh"
need_event raw_syscalls:sys_enter

# asked EVENT < DUMP: how often the kernel is asked to sample it, "" for never
asked() { sed -n "\\|^$1 (on)|,/(o/ s/^  sample_\\(period\\|freq\\)  *//p"; }
own=raw_syscalls:sys_enter/period=7/
"$PERFTOP" --dump-attr -F 0 -e "cs,faults/freq=99/,$own,cpu-clock,raw_syscalls:sys_exit" >"$tmp/attr"
is $? 0 "--dump-attr"
for event in cs cpu-clock raw_syscalls:sys_exit; do
	ok "$event is on" grep -q "^$event (on)" "$tmp/attr"
	is "$(asked "$event" <"$tmp/attr")" "" "and not sampled"
done
is "$(asked faults/freq=99/ <"$tmp/attr")" 99 "one with a frequency of its own is"
is "$(asked "$own" <"$tmp/attr")" 7 "and one with a period"

if can_watch syscalls:sys_enter_getppid; then
	"$PERFTOP" -j -F 0 -e syscalls:sys_enter_getppid,raw_syscalls:sys_exit/period=1/ -- \
		"$BUILD/tests/helpers/getppid" 1000 >"$tmp/out"
	is $? 0 "a command's calls are counted"
	line=$(tail -n 1 "$tmp/out")
	is "$(event_field "$line" syscalls:sys_enter_getppid total)" 1000 "each of them"
	is "$(event_field "$line" syscalls:sys_enter_getppid sampled)" 0 "none is sampled"
	is "$(event_later "$line" syscalls:sys_enter_getppid most_by)" null "so nobody is named"
	ok "of the other event all are" [ "$(event_field "$line" raw_syscalls:sys_exit.period=1. sampled)" -ge 1000 ]
else
	skip 5 "no syscalls:sys_enter_getppid"
fi

# A wait is known from a wakeup's sample.
if can_watch sched:sched_wakeup; then
	"$PERFTOP" -j -n 1 -d 0.2 -F 0 -e sched:sched_wakeup >"$tmp/out"
	is $? 0 "wakeups are counted"
	like "$(cat "$tmp/out")" '"wakeups":false' "waits from them are not known"
else
	skip 2 "no sched:sched_wakeup"
fi

# A recording has samples: an event without them is a row without figures, not one of 0.
"$PERFTOP" --batch -n 1 -d 0.2 -F 0 -e "raw_syscalls:sys_enter,$own" --record "$tmp/data" >/dev/null
is $? 0 "it is recorded"
"$PERFTOP" -i "$tmp/data" --batch -j >"$tmp/out"
is $? 0 "and replayed"
line=$(head -n 1 "$tmp/out")
is "$(event_field "$line" raw_syscalls:sys_enter state)" '"failed"' "the event that was only counted has no figures"
is "$(event_field "$line" raw_syscalls:sys_enter rate)" null "and no rate"
is "$(event_field "$line" raw_syscalls:sys_enter.period=7. state)" '"on"' "the other one has"

injection='strace -f -qq -o /dev/null -P anon_inode:[perf_event] -e trace=mmap -e inject=mmap:error=EPERM'
if command -v strace >/dev/null 2>&1 && $injection true 2>/dev/null; then
	timeout -s KILL 20 $injection "$PERFTOP" -j -n 1 -d 0.5 -e "$own,cs" >"$tmp/out" 2>"$tmp/err"
	is $? 0 "without rings"
	line=$(cat "$tmp/out")
	like "$(event_field "$line" cs count)" '^[1-9]' "events are counted"
	is "$(event_field "$line" raw_syscalls:sys_enter.period=7. period)" null "none is sampled, also with a period of its own"
else
	skip 3 "no strace that may trace"
fi

done_testing
