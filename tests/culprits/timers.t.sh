#!/bin/sh
# SPDX-License-Identifier: MIT
# A task that 20 timers wake 4,000 times a second.
. "${0%/*}/../lib.sh"
. "${0%/*}/culprit.sh"

plan 2
names_culprit timers 'context-switches|sched:sched_wakeup'
done_testing
