#!/bin/sh
# SPDX-License-Identifier: MIT
# What the kernel spends on our events: as measured by the slowdown of a program that keeps one CPU
# busy, and as estimated ("counting", "switching" and "sampling" of -j).
. "${0%/*}/common.inc"
calls=${CALLS:-20000000} turns=${TURNS:-400000}

# A load prints the time of one of its turns.  Without random addresses, for the breakpoint.
getppid()
{
	setarch -R taskset -c 1 "$helpers/getppid" -t "$calls"
}

pipe()
{
	taskset -c 1 perf bench sched pipe -l "$turns" | awk '$2 == "usecs/op" { print $1 }'
}

# row LOAD NAME OPTIONS: the part of the CPU that is lost, and the estimate of it
row()
{
	load=$1 name=$2
	shift 2
	: >"$bench_tmp/measured"
	: >"$bench_tmp/estimated"
	for _ in $(seq "$RUNS"); do
		bare=$($load)
		"$PERFTOP" --batch -j -d 0.5 --max-overhead 1000000 "$@" >"$bench_tmp/lines" 2>/dev/null &
		watcher=$!
		sleep 1.2
		watched=$($load)
		kill -INT $watcher
		wait $watcher
		echo "$bare $watched" | awk '{ print 100 * (1 - $1 / $2) }' >>"$bench_tmp/measured"
		# The median interval of those with the load: of all that are at least half of the most.
		tr ',' '\n' <"$bench_tmp/lines" | tr -d '}' | awk -F: '
			$1 == "\"counting\"" || $1 == "\"switching\"" { cost += $2 }
			$1 == "\"sampling\"" && $2 + 0 == $2 { print 100 * (cost + $2); cost = 0 }' |
			sort -n | awk '{ a[NR] = $1 }
				END { for (i = 1; a[i] < a[NR] / 2;) i++; print a[int((i + NR) / 2)] }' \
			>>"$bench_tmp/estimated"
	done
	echo "| $load: $name | $(spread <"$bench_tmp/measured") | $(spread <"$bench_tmp/estimated") |"
}

# The address of syscall() of libc in the load, and where it is.
libc=$(ldd "$helpers/getppid" | awk '/libc\.so/ { print $3 }')
setarch -R "$helpers/getppid" &
bench_pids=$!
sleep 0.2
base=$(awk -v libc="$(readlink -f "$libc")" '$6 == libc { sub("-.*", "", $1); print $1; exit }' "/proc/$bench_pids/maps")
unload
offset=$(nm -D "$libc" | awk '$3 ~ /^syscall@/ { print $1; exit }')
address=$(printf '0x%x' "$((0x$base + 0x$offset))")
enter=raw_syscalls:sys_enter both=raw_syscalls:sys_enter,raw_syscalls:sys_exit

echo "| load on one CPU, $RUNS runs, median (min-max) | measured, % of it | estimated |"
echo '|---|---|---|'
row getppid "$enter" -e $enter
row getppid 'and raw_syscalls:sys_exit' -e $both
row getppid 'and syscalls:sys_enter_getppid' -e $both,syscalls:sys_enter_getppid
row getppid "$enter, -c 10" -e $enter -c 10
row getppid "$enter, -c 1" -e $enter -c 1 -m 2M
calls=$((calls / 10))
row getppid 'uprobe on syscall()' -e "uprobe:$libc:syscall"
row getppid 'breakpoint on syscall()' -e "mem:$address:x"
row pipe 'switch records' -e major-faults
row pipe 'and sched:sched_switch' -e major-faults,sched:sched_switch
