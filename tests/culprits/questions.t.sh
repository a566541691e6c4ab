#!/bin/sh
# SPDX-License-Identifier: MIT
# What somebody asks who sees the program for the first time, and the keys that answer it: at most
# two, all of which the screen names.  Who preempts a task: preempted.t.sh.
. "${0%/*}/../lib.sh"
. "${0%/*}/culprit.sh"

plan 12
start_culprit load
start_culprit forks
"$BUILD/tests/helpers/getppid" &
culprit_pids="$culprit_pids $!"

cd "$tmp" || bail "no folder for the saved snapshot"
# Each waits for its answer: a screen taken while the terminal draws has rows of two frames.
tm_start 80x24 "$PERFTOP"
ok "who forks most: no key" tm_wait '^. sched:sched_process_fork .* forks( |$)'
ok "why is one off: no key" tm_wait '^. raw_syscalls:sys_enter .* off: .*f switches it on'
ok "how to save is said at the foot" tm_wait 'P save'
tm_keys P
ok "and done: one key" wait_until 10 sh -c "grep -qs sched:sched_process_fork perftop-ng-*.txt"
tm_keys End
tm_keys f
ok "who makes most system calls: two keys" tm_wait '^▸ raw_syscalls:sys_enter .* getppid '
tm_keys 2
ok "how long do wakeups wait: one key" tm_wait '^ +all tasks .* wait [0-9.]+[num]?s .99%: [0-9.]+[num]?s, longest '
tm_keys q
is "$(tm_exit)" 0 "it ends"
tm_end

# -c 1 requests a sample for each ns that a task ran: the kernel throttles that.
tm_start 80x24 "$PERFTOP" -c 1 -e sched:sched_stat_runtime
ok "is something throttled: no key" tm_wait '^perftop-ng .* throttled [1-9]'
tm_keys 6
ok "which CPU is throttled: one key" tm_wait '^. sched:sched_stat_runtime +[0-9]+ +(now|[0-9.]+[mu]?s) '
tm_keys q
is "$(tm_exit)" 0 "it ends"
tm_end

# One page and each event: the ring cannot hold what arrives between two looks at it.
tm_start 80x24 "$PERFTOP" -m 1 -c 1 -e major-faults -e raw_syscalls:sys_enter
ok "which event is lossy: no key" tm_wait '^. raw_syscalls:sys_enter .*% +[1-9][0-9.]*[kM]? '
ok "and which is not" tm_wait '^. major-faults .* 0 +[^ ]*$'
done_testing
