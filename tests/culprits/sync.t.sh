#!/bin/sh
# SPDX-License-Identifier: MIT
# A task that waits for the disk after each 64 bytes.
. "${0%/*}/../lib.sh"
. "${0%/*}/culprit.sh"

plan 2
names_culprit sync 'block:block_rq_issue|context-switches|sched:sched_wakeup'
done_testing
