#!/bin/sh
# SPDX-License-Identifier: MIT
# Two tasks that share a CPU: who preempts each of them, how long they run and wait, when they
# ran.  One key.
. "${0%/*}/../lib.sh"
. "${0%/*}/culprit.sh"

need taskset
plan 5

# start_on_cpu COMMAND...: sets $started to its pid
start_on_cpu()
{
	taskset -c 0 "$@" &
	started=$!
	culprit_pids="$culprit_pids $!"
}

start_on_cpu "$BUILD/tests/helpers/getppid"
calls=$started
start_on_cpu "$BUILD/tests/helpers/culprit" failing
fails=$started

# The columns after the task: switches and preemptions a second, slice, wait, its 99th percentile.
rate='≥?[0-9.]+k?'
time='[0-9.]+[num]?s'
figures=" +$rate +$rate +$time +$time +$time"

tm_start 80x24 "$PERFTOP"
tm_wait '^1 Events +2 Switches' && is 0 0 'the key is on the screen'
tm_keys 2
tm_wait "^. getppid $calls$figures  failing $fails\$" && is 0 0 'who preempts a task'
tm_wait "^. failing $fails$figures  getppid $calls\$" && is 0 0 'each is preempted by the other'
tm_wait '^  cpu0 .*g.*f.*g.*f' && is 0 0 'when each of them ran'
tm_keys q
is "$(tm_exit)" 0 'it ends'
tm_end
done_testing
