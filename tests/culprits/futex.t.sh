#!/bin/sh
# SPDX-License-Identifier: MIT
# Two threads that wake each other over a futex.
. "${0%/*}/../lib.sh"
. "${0%/*}/culprit.sh"

plan 2
names_culprit futex 'context-switches|sched:sched_wakeup'
done_testing
