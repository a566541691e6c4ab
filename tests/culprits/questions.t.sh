#!/bin/sh
# SPDX-License-Identifier: MIT
# What somebody asks who sees the program for the first time, and the keys that answer it: at most
# two, all of which the screen names.
. "${0%/*}/../lib.sh"
. "${0%/*}/culprit.sh"

plan 8
start_culprit load
start_culprit forks
"$BUILD/tests/helpers/getppid" &
culprit_pids="$culprit_pids $!"

# row EVENT: its row on the screen, or the one that the cursor is on
row()
{
	tm_screen | sed -n "s/^[ ▸] $1 /$1 /p"
}

cd "$tmp" || bail "no folder for the saved snapshot"
tm_start 80x24 "$PERFTOP"
tm_wait '^. sched:sched_process_fork .* forks( |$)' && is 0 0 "who forks most: no key"
like "$(row raw_syscalls:sys_enter)" ' off: .*f switches it on' "why is one off: no key"
like "$(tm_screen | tail -n 1)" 'P save' "how to save is said at the foot"
tm_keys P
wait_until 10 sh -c 'ls perftop-ng-*.txt >/dev/null 2>&1'
like "$(cat perftop-ng-*.txt)" 'sched:sched_process_fork' "and done: one key"
tm_keys End
tm_keys f
tm_wait '^▸ raw_syscalls:sys_enter .* getppid ' && is 0 0 "who makes most system calls: two keys"
tm_keys q
is "$(tm_exit)" 0 "it ends"
tm_end

# One page and each event: the ring cannot hold what arrives between two looks at it.
tm_start 80x24 "$PERFTOP" -m 1 -c 1 -e major-faults -e raw_syscalls:sys_enter
tm_wait '^. raw_syscalls:sys_enter .*% +[1-9][0-9.]*[kM]? ' && is 0 0 "which event is lossy: no key"
like "$(row major-faults)" ' 0 +[^ ]*$' "and which is not"
done_testing
