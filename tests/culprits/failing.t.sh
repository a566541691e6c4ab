#!/bin/sh
# SPDX-License-Identifier: MIT
# A task that opens a file that is not there; raw_syscalls:sys_enter is off by default.
. "${0%/*}/../lib.sh"
. "${0%/*}/culprit.sh"

plan 2
names_culprit failing 'cpu-clock|cycles'
done_testing
