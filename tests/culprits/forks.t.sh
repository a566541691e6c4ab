#!/bin/sh
# SPDX-License-Identifier: MIT
# A task whose children end at once.
. "${0%/*}/../lib.sh"
. "${0%/*}/culprit.sh"

plan 2
names_culprit forks 'sched:sched_process_fork'
done_testing
