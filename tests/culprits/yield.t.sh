#!/bin/sh
# SPDX-License-Identifier: MIT
# A task that polls with sched_yield().
. "${0%/*}/../lib.sh"
. "${0%/*}/culprit.sh"

plan 2
names_culprit yield 'cpu-clock|cycles'
done_testing
