#!/bin/sh
# SPDX-License-Identifier: MIT
# An event that goes from 100 a second to as many as a CPU makes: what each tool costs then, in
# windows of 10 ms, and how soon the default is at its usual cost.
. "${0%/*}/common.inc"
event=raw_syscalls:sys_enter

# burst NAME COMMAND...: the ns per call of each window of the burst, a line, into $bench_tmp/NAME
burst()
{
	name=$1
	shift
	"$@" >/dev/null 2>&1 &
	watcher=$!
	sleep 1
	taskset -c 1 "$helpers/paced" 100 2.5 >/dev/null
	taskset -c 1 "$helpers/paced" 0 0.6 |
		awk 'NR > 2 { printf("%s%.0f", (NR > 3 ? " " : ""), ($1 - t) * 1e9 / ($2 - n)) }
			{ t = $1; n = $2 } END { print "" }' >>"$bench_tmp/$name"
	kill -INT $watcher 2>/dev/null
	wait $watcher
}

for _ in $(seq "$RUNS"); do
	burst untraced sleep 10
	burst stat perf stat -a -e $event
	burst default "$PERFTOP" --batch -e $event
	burst record perf record -q -a -c 1 -m 2M -e $event -o "$bench_tmp/perf.data"
done

# windows NAME FIRST LAST: their ns, one a line
windows()
{
	cut -d' ' -f"$2-$3" "$bench_tmp/$1" | tr ' ' '\n'
}

echo "| getppid() after 2.5 s at 100 calls/s, under $event, $RUNS runs in turn | ns in the first 10 ms | 10 to 100 ms | 100 to 500 ms |"
echo '|---|---|---|---|'
for name in untraced stat default record; do
	echo "| $name | $(windows $name 1 1 | spread) | $(windows $name 2 10 | spread) | $(windows $name 11 50 | spread) |"
done
