#!/bin/sh
# SPDX-License-Identifier: MIT
# A task that maps, touches and unmaps pages.
. "${0%/*}/../lib.sh"
. "${0%/*}/culprit.sh"

plan 2
names_culprit faults 'minor-faults|kmem:mm_page_alloc'
done_testing
