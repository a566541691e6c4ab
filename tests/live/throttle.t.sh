#!/bin/sh
# SPDX-License-Identifier: MIT
# The kernel throttles: what that does to an event is counted and said.
. "${0%/*}/../lib.sh"
. "${0%/*}/json.sh"
need_event sched:sched_stat_runtime
need_event cpu-clock

# run OPTION...: the final line is in $final
run()
{
	status=0
	"$PERFTOP" -j "$@" >"$tmp/out" 2>"$tmp/err" || status=$?
	final=$(tail -n 1 "$tmp/out")
}

# What is said of an event that was throttled.
check_throttled()
{
	is $status 0 "$1: ends in order"
	throttles=$(event_field "$final" "$1" throttles)
	ok "it is throttled ($throttles times)" [ "${throttles:-0}" -gt 0 ]
	is "$(event_cpus "$final" "$1" | sum_of 5)" "$throttles" "the CPUs' are the sum"
	is "$(last_field "$final" throttles)" "$throttles" "and that of the whole"
	unlike "$(event_field "$final" "$1" throttled)" '^0\.?0*$' "for some time"
	is "$(event_field "$final" "$1" balanced)" null "its books cannot be checked then"
	is "$(last_field "$final" balanced)" true "which is no imbalance"
}

# Each occurrence stands for as many events as ns went by, and -c 1 wants a sample of each of them:
# after some 400 in a tick the kernel has enough (kernel/events/core.c, __perf_event_account_interrupt).
run -e sched:sched_stat_runtime -a -c 1 -- "$BUILD/tests/helpers/getppid" 500000
check_throttled sched:sched_stat_runtime

# As often as the kernel allows, on one CPU, and not for long: its interrupts leave that CPU little else.
# Whether that is too often depends on how fast the machine is.
for try in 1 2 3 4 5; do
	run -e cpu-clock -C 0 -F max -n 1 -d 0.3
	[ "$(event_field "$final" cpu-clock throttles)" = 0 ] || break
done
if [ "$(event_field "$final" cpu-clock throttles)" = 0 ]; then
	skip 7 "cpu-clock is not throttled here, $try times"
else
	check_throttled cpu-clock
fi

done_testing
