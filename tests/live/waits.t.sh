#!/bin/sh
# SPDX-License-Identifier: MIT
# A task that sleeps a hundred times waits a hundred times for its CPU, live and from a recording.
. "${0%/*}/../lib.sh"

need taskset
need_root
need_perf
plan 5

# waits FILE: how many of the task, in the last line of JSON: the first "wait" after its name, which
# others' "preempted_by" can have, too
waits()
{
	tail -n 1 "$1" | sed 's/.*"comm":"paced","estimated"//;s/"wait":{"count":/\n/' | sed -n '2s/,.*//p'
}

# watch EVENT FILE [OPTION...]: a run of its own for the task
watch()
{
	event=$1 file=$2
	shift 2
	"$PERFTOP" -a -j -d 60 -e "$event" "$@" -- \
		taskset -c 0 "$BUILD/tests/helpers/paced" 100 1 >"$file" 2>/dev/null
}

ok 'with wakeups' watch sched:sched_wakeup "$tmp/live" --record "$tmp/data"
many=$(waits "$tmp/live")
ok "as many waits as sleeps, $many" [ "$many" -ge 90 ]
"$PERFTOP" -i "$tmp/data" -j -d 60 >"$tmp/replayed"
again=$(waits "$tmp/replayed")
# Seen: one more than live, in 2 of 8 runs.
ok "nearly the same from its recording, $again" [ $((again * 20)) -ge $((many * 19)) ]
ok 'without wakeups' watch cpu-migrations "$tmp/few"
few=$(waits "$tmp/few")
ok "only those after preemption, $few" [ "$few" -le 20 ]
done_testing
