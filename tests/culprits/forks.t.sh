#!/bin/sh
# SPDX-License-Identifier: MIT
# A task whose children end at once.
. "${0%/*}/../lib.sh"
. "${0%/*}/culprit.sh"

plan 4
names_culprit forks 'sched:sched_process_fork'

# Each fork is sampled, however fast.
"$PERFTOP" -j -n 3 -d 0.5 -e sched:sched_process_fork >"$tmp/json"
fork=$(tail -n 1 "$tmp/json" | grep -o '"comm":"forks","estimated":[a-z]*,"events":\[{"name":[^}]*"samples":[0-9]*,[^}]*' |
	head -n 1)
like "$fork" '"samples":[1-9][0-9]{2,},' "hundreds of forks"
like "$fork" '"estimated":false' "are exact"
done_testing
