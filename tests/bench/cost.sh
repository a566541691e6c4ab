#!/bin/sh
# SPDX-License-Identifier: MIT
# What the kernel spends on our events: as measured by the slowdown of a program that keeps one CPU
# busy, and as estimated ("counting" and "sampling" of -j).
. "${0%/*}/common.inc"
calls=${CALLS:-20000000}

# timed COMMAND...: ns of a call
timed()
{
	taskset -c 1 "$helpers/getppid" -t "$calls"
}

# row NAME OPTIONS: the part of the CPU that is lost, and the estimate of it
row()
{
	name=$1
	shift
	: >"$bench_tmp/measured"
	: >"$bench_tmp/estimated"
	for _ in $(seq "$RUNS"); do
		bare=$(timed)
		"$PERFTOP" --batch -j -d 1 --max-overhead 1000000 "$@" >"$bench_tmp/lines" 2>/dev/null &
		watcher=$!
		sleep 1.5
		watched=$(timed)
		kill -INT $watcher
		wait $watcher
		echo "$bare $watched" | awk '{ print 100 * (1 - $1 / $2) }' >>"$bench_tmp/measured"
		# The busiest interval: in it the program ran from its begin to its end.
		tr ',' '\n' <"$bench_tmp/lines" | tr -d '}' | awk -F: '
			$1 == "\"counting\"" { counting = $2 }
			$1 == "\"sampling\"" && $2 + 0 == $2 { cost = counting + $2; if (cost > most) most = cost }
			END { print 100 * most }' >>"$bench_tmp/estimated"
	done
	echo "| $name | $(spread <"$bench_tmp/measured") | $(spread <"$bench_tmp/estimated") |"
}

echo "| getppid() on one CPU, $RUNS runs, median (min-max) | measured, % of it | estimated |"
echo '|---|---|---|'
row 'raw_syscalls:sys_enter' -e raw_syscalls:sys_enter
row 'and raw_syscalls:sys_exit' -e raw_syscalls:sys_enter,raw_syscalls:sys_exit
row 'and syscalls:sys_enter_getppid' -e raw_syscalls:sys_enter,raw_syscalls:sys_exit,syscalls:sys_enter_getppid
row 'raw_syscalls:sys_enter, -c 10' -e raw_syscalls:sys_enter -c 10
row 'raw_syscalls:sys_enter, -c 1' -e raw_syscalls:sys_enter -c 1 -m 2M
