#!/bin/sh
# SPDX-License-Identifier: MIT
# Events that open and then report nothing: what kept other programs silent must not do so to ours.
. "${0%/*}/../lib.sh"
. "${0%/*}/json.sh"
need_event sched:sched_switch
cpus=$(getconf _NPROCESSORS_ONLN)

# A5: an idle machine switches, too, and one interval is enough to see it.
"$PERFTOP" -j -n 1 -d 1 -e sched:sched_switch >"$tmp/out"
is $? 0 "one interval of sched_switch"
line=$(cat "$tmp/out")
ok "has some" [ "$(event_field "$line" sched:sched_switch count)" -gt 0 ]
unlike "$(event_field "$line" sched:sched_switch rate)" '^(0|null)$' "and a rate"
is "$(event_field "$line" sched:sched_switch state)" '"on"' "and is on"

# An event that happens once, on a CPU where it never happens otherwise: seen within an interval (A8).
if can_watch syscalls:sys_enter_getppid && command -v taskset >/dev/null 2>&1; then
	rm -f "$tmp/out" # or the one of the run before would do for the wait below
	"$PERFTOP" -j -d 0.2 -c 1 -e syscalls:sys_enter_getppid >"$tmp/out" &
	us=$!
	at_exit 'kill $us 2>/dev/null'
	wait_until 10 test -s "$tmp/out"
	taskset -c $((cpus - 1)) "$BUILD/tests/helpers/getppid" 1
	ok "a single event shows" wait_until 5 \
		grep -q '"comm":"getppid",[^]]*"total":1,' "$tmp/out"
	kill -INT $us
	wait $us
	us=
else
	skip 1 "no syscalls:sys_enter_getppid or no taskset"
fi

# What is asked of the kernel.
"$PERFTOP" --dump-attr -c 1 -e sched:sched_switch >"$tmp/attr"
is $? 0 "--dump-attr"
sed -n '/^sched:sched_switch (on)/,$p' "$tmp/attr" >"$tmp/event"
ok "the event is on" [ -s "$tmp/event" ]
unlike "$(cat "$tmp/event")" exclude_kernel "the kernel is not left out"
like "$(cat "$tmp/event")" 'sample_period +1$' "every event is sampled"
like "$(cat "$tmp/event")" 'sample_type +0x10486$' \
	"with identifier, tid, time, cpu and raw, and without PERIOD"
like "$(cat "$tmp/event")" 'sample_id_all +1$' "and an id on every record"

# raw_of EVENT OPTION...: what its samples have of their fields (PERF_SAMPLE_RAW, 0x400)
raw_of()
{
	"$PERFTOP" --dump-attr -c 1 -e "$@" >"$tmp/attr"
	type=$(sed -n "/^$1 (on)/,\$ s/^  sample_type  *//p" "$tmp/attr" | head -n 1)
	printf '%#x' $((type & 0x400))
}
is "$(raw_of sched:sched_switch -j)" 0 "batch asks for no fields"
is "$(raw_of sched:sched_wakeup -j)" 0x400 "but for a wakeup's, to know what was woken when"
is "$(raw_of sched:sched_switch -j --verify)" 0x400 "and to verify"
is "$(raw_of sched:sched_switch -j --record="$tmp/perf.data")" 0x400 "and to record"

# A6: what would be 0 for ever is refused with a reason.
"$PERFTOP" --batch -n 1 -d 0.1 -e sched:sched_switch:u,context-switches:u >"$tmp/out" 2>"$tmp/err"
is $? 1 "kernel events without the kernel: nothing can be opened"
is_message "$(cat "$tmp/err")" "events: each would always be 0"
"$PERFTOP" -j -n 1 -d 0.1 -e sched:sched_switch:u,cs >"$tmp/out" 2>"$tmp/err"
is $? 0 "beside one that can, it is a row"
like "$(cat "$tmp/out")" '"name":"sched:sched_switch:u",.*"state":"failed","reason":"[^"]' "that failed, with its reason"

# A15: one open per CPU, for everybody (pid -1).
if command -v strace >/dev/null 2>&1 && strace -e trace=none true 2>/dev/null; then
	strace -f -qq -e trace=perf_event_open -o "$tmp/trace" \
		"$PERFTOP" --batch -c 1 -n 1 -d 0.1 -e sched:sched_switch >/dev/null 2>&1
	grep 'PERF_TYPE_TRACEPOINT' "$tmp/trace" >"$tmp/opens"
	is "$(wc -l <"$tmp/opens")" "$cpus" "as many opens of the event as CPUs"
	is "$(grep -c '}, -1, [0-9]*, -1, PERF_FLAG_FD_CLOEXEC) = [0-9]' "$tmp/opens")" "$cpus" \
		"each for all tasks of one CPU"
	is "$(sed 's/.*}, -1, \([0-9]*\),.*/\1/' "$tmp/opens" | sort -u | wc -l)" "$cpus" \
		"each of another CPU"
else
	skip 1 "no strace that may trace"
fi

done_testing
