#!/bin/sh
# SPDX-License-Identifier: MIT
#
# record.sh - records what draw.sh shows: machine.txt, a minute of a busy machine, and
# commands.data, a second of short commands.  As root in the top folder, after `make tests`.
# The pictures are of other numbers and names then.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
prog=$top/build/perftop-ng
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

printf 'wait 50\nkey P q\n' >"$tmp/save"
timeout 55 "$top/build/tests/helpers/culprit" forks &
timeout 55 dd if=/dev/zero of=/dev/null bs=1 2>/dev/null &
timeout 55 sh -c 'while :; do find /usr/include -name "*.h" | xargs cat | gzip -1 >/dev/null; done' &
sleep 1
(cd "$tmp" && HOME=$tmp timeout -k 5 80 "$prog" --script "$tmp/save" --top 25 \
	-e raw_syscalls:sys_enter,context-switches,cpu-migrations,minor-faults,major-faults \
	-e sched:sched_wakeup,sched:sched_process_fork,sched:sched_process_exec,sched:sched_process_exit \
	-e irq:softirq_entry,irq:irq_handler_entry,timer:timer_expire_entry,kmem:mm_page_alloc \
	-e block:block_rq_issue,cpu-clock -e sched:sched_stat_runtime/period=1/)
mv "$tmp"/perftop-ng-*.txt "$here/machine.txt"
wait

timeout -k 5 20 "$prog" --batch -c 1 --record "$tmp/commands.data" -o "$tmp/batch" \
	-e sched:sched_process_exec,sched:sched_process_fork,sched:sched_process_exit \
	-e block:block_rq_issue,signal:signal_deliver -- sh -c '
	for i in 1 2 3 4; do ls /usr >/dev/null; sleep 0.02; date | tr a b >/dev/null; done
	timeout 0.05 sleep 1; sync' || :
mv "$tmp/commands.data" "$here/commands.data"
chmod 644 "$here/machine.txt" "$here/commands.data"
