#!/bin/sh
# SPDX-License-Identifier: MIT
# A task that sends small datagrams to itself over loopback.
. "${0%/*}/../lib.sh"
. "${0%/*}/culprit.sh"

plan 2
names_culprit softirq 'irq:softirq_entry|net:net.*'
done_testing
