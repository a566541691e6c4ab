#!/bin/sh
# SPDX-License-Identifier: MIT
# The slowdown of a traced program: ns per getppid() call, untraced and with each tool in turn.
. "${0%/*}/common.inc"
calls=${CALLS:-2000000} event=raw_syscalls:sys_enter

# timed NAME COMMAND...: start the tool, wait 1.5 s, time the load, stop the tool
timed()
{
	name=$1
	shift
	"$@" >/dev/null 2>&1 &
	watcher=$!
	sleep 1.5
	taskset -c 1 "$helpers/getppid" -t "$calls" >>"$bench_tmp/$name"
	kill -INT $watcher
	wait $watcher
}

for _ in $(seq "$RUNS"); do
	taskset -c 1 "$helpers/getppid" -t "$calls" >>"$bench_tmp/untraced"
	timed stat perf stat -a -e $event
	timed default "$PERFTOP" --batch -e $event
	timed every "$PERFTOP" --batch -c 1 -m 2M -e $event
	timed record perf record -q -a -c 1 -m 2M -e $event -o "$bench_tmp/perf.data"
done

base=$(spread <"$bench_tmp/untraced" | cut -d' ' -f1)
row()
{
	awk -v name="$1" -v base="$base" -v got="$(spread <"$bench_tmp/$2")" \
		'BEGIN { split(got, m, " "); printf "| %s | %s | %.2f |\n", name, got, m[1] / base }'
}

echo "| getppid() under $event, $RUNS runs in turn | ns, median (min-max) | times |"
echo '|---|---|---|'
row untraced untraced
row 'perf stat -a' stat
row 'perftop-ng, default (count all, about 1,000 samples/s)' default
row 'perftop-ng -c 1 -m 2M' every
row 'perf record -a -c 1 -m 2M' record
