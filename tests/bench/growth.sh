#!/bin/sh
# SPDX-License-Identifier: MIT
# Decoder and tables, fed with made samples: what a record and a tick take with more events, tasks, CPUs.
. "${0%/*}/common.inc"

# row EVENTS TASKS CPUS
row()
{
	for _ in $(seq "$RUNS"); do
		"$BUILD/tests/bench/growth" "$1" "$2" "$3" 5 || exit
	done >"$bench_tmp/out"
	ns=$(awk '{ print $4 }' "$bench_tmp/out" | spread)
	echo "| $1 | $2 | $3 | $ns | $(awk -v ns="${ns%% *}" 'BEGIN { printf "%.0f M", 1e3 / ns }')" \
		"| $(awk '{ print $5 }' "$bench_tmp/out" | spread) | $(awk '{ print $6 }' "$bench_tmp/out" | spread) |"
}

echo "| events | tasks | CPUs | ns a record, $RUNS runs | so a decoder takes, records/s | ms a tick | RSS MB |"
echo '|---|---|---|---|---|---|---|'
for events in 1 10 100 1000; do
	row $events 10 2
done
for tasks in 1000 10000 100000; do
	row 10 $tasks 2
done
for cpus in 32 128 512; do
	row 10 1000 $cpus
done
row 1000 1000 32
row 1000 10 512
