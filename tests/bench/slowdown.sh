#!/bin/sh
# SPDX-License-Identifier: MIT
# The slowdown of a traced program: ns per getppid() call, untraced and with each tool in turn.
. "${0%/*}/common.inc"
calls=${CALLS:-2000000} event=raw_syscalls:sys_enter

# timed NAME CALLS COMMAND...: start the tool, wait 3 s, time the load, stop the tool
timed()
{
	name=$1 n=$2
	shift 2
	command -v "$1" >/dev/null || return
	"$@" <&9 >/dev/null 2>&1 &
	watcher=$!
	sleep 3
	taskset -c 1 "$helpers/getppid" -t "$n" >>"$bench_tmp/$name"
	kill -INT $watcher
	wait $watcher
}

mkfifo "$bench_tmp/keys"
exec 9<>"$bench_tmp/keys" # perf top waits for keys that never come
for _ in $(seq "$RUNS"); do
	taskset -c 1 "$helpers/getppid" -t "$calls" >>"$bench_tmp/untraced"
	timed stat "$calls" perf stat -a -e $event
	timed default "$calls" "$PERFTOP" --batch -e $event
	timed every "$calls" "$PERFTOP" --batch -c 1 -m 2M -e $event
	timed record "$calls" perf record -q -a -c 1 -m 2M -e $event -o "$bench_tmp/perf.data"
	timed top "$calls" perf top --stdio -c 1 -e $event
	timed bpftrace "$calls" bpftrace -e "tracepoint:raw_syscalls:sys_enter { @[comm] = count(); }"
	# much the slowest: fewer calls
	timed trace $((calls / 50)) perf trace -s -a -o "$bench_tmp/summary"
done

base=$(spread <"$bench_tmp/untraced" | cut -d' ' -f1)
row()
{
	[ -s "$bench_tmp/$2" ] || return
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
row 'perf top -c 1' top
row 'bpftrace, @[comm] = count()' bpftrace
row 'perf trace -s -a' trace
