#!/bin/sh
# SPDX-License-Identifier: MIT
# The kernel throttles an event: that is counted and reported.
. "${0%/*}/../lib.sh"
. "${0%/*}/json.sh"
. "${0%/*}/throttle.sh"
need_event sched:sched_stat_runtime

# Each occurrence counts as many events as ns went by, and -c 1 requests a sample of each of them:
# after some 400 in a tick the kernel throttles it (kernel/events/core.c, __perf_event_account_interrupt).
run -e sched:sched_stat_runtime -a -c 1 -- "$BUILD/tests/helpers/getppid" 500000
check_throttled sched:sched_stat_runtime

done_testing
