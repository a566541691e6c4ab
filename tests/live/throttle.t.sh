#!/bin/sh
# SPDX-License-Identifier: MIT
# The kernel throttles: what that does to an event is counted and said.
. "${0%/*}/../lib.sh"
. "${0%/*}/json.sh"
. "${0%/*}/throttle.sh"
need_event sched:sched_stat_runtime

# Each occurrence stands for as many events as ns went by, and -c 1 wants a sample of each of them:
# after some 400 in a tick the kernel has enough (kernel/events/core.c, __perf_event_account_interrupt).
run -e sched:sched_stat_runtime -a -c 1 -- "$BUILD/tests/helpers/getppid" 500000
check_throttled sched:sched_stat_runtime

done_testing
