#!/bin/sh
# SPDX-License-Identifier: MIT
# Our CPU time for each event, reader, decoder, tables and screen together: in batch, and with each view on
# the screen.  Every event is sampled, and counted by event, CPU and task.
. "${0%/*}/common.inc"
seconds=${SECONDS_VIEWS:-8}

# run ARG...: beside a getppid() loop on each CPU; set $cpu, its CPU time in seconds
run()
{
	load
	python3 "${0%/*}/ran.py" "$PERFTOP" -c 1 -m 2M -e raw_syscalls:sys_enter "$@" >"$bench_tmp/ran" || exit
	unload
	cpu=$(cut -d' ' -f3 "$bench_tmp/ran")
}

# per_event SECONDS TOTAL: ns, of a total as it is on the screen
per_event()
{
	awk -v s="$1" -v total="$2" 'BEGIN {
		printf "%.1f\n", 1e9 * s / (total * (total ~ /M$/ ? 1e6 : total ~ /k$/ ? 1e3 : 1)) }'
}

in_batch()
{
	run -j -n "$seconds" -o "$bench_tmp/out"
	per_event "$cpu" "$(tail -n 1 "$bench_tmp/out" | json total)"
}

# on_screen VIEW: the total is in the row of the first view, after how much of the event was seen
on_screen()
{
	printf 'resize 200 60\nwait %d\nkey 1\ndump %s\n' "$seconds" "$bench_tmp/screen" >"$bench_tmp/script"
	run --view "$1" --script "$bench_tmp/script"
	per_event "$cpu" "$(sed -n 's/.*sys_enter.* all  *\([0-9.]*[kM]*\).*/\1/p' "$bench_tmp/screen")"
}

views='events switches tasks cpus symbols throttling stream'
for _ in $(seq "$RUNS"); do
	in_batch >>"$bench_tmp/batch"
	for view in $views; do
		on_screen "$view" >>"$bench_tmp/$view"
	done
done
echo "| every raw_syscalls:sys_enter, a getppid() loop on each CPU, $RUNS runs in turn | ns an event |"
echo '|---|---|'
for name in batch $views; do
	echo "| $name | $(spread <"$bench_tmp/$name") |"
done
