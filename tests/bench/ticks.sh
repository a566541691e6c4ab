#!/bin/sh
# SPDX-License-Identifier: MIT
# The CPU time of a tick on an idle machine, with more events: perftop-ng, counting only
# (-F 0) and sampling, beside perf stat -I.
. "${0%/*}/common.inc"
seconds=${SECONDS_TICKS:-20}

# The first so many tracepoints that open here.
events_of() { tracepoints | head -n "$1" | paste -sd,; }

# used FILE COMMAND...: start it, print ms a tick and MiB
used()
{
	watch "$@"
	before=$(cpu_ns "$bench_pids")
	sleep "$seconds"
	after=$(cpu_ns "$bench_pids")
	awk -v ns=$((after - before)) -v s="$seconds" '/VmRSS/ { printf "%.2f %.1f\n", ns / 1e6 / s, $2 / 1024 }' \
		"/proc/$bench_pids/status"
	unload
}

echo "| events x $(nproc) CPUs | perf stat -I 1000, ms a tick, $RUNS runs | perftop-ng --batch -F 0 | perftop-ng --batch | MiB: perf | -F 0 | perftop-ng |"
echo '|---|---|---|---|---|---|---|'
for count in ${COUNTS:-1 10 100 1000}; do
	events=$(events_of $count)
	for _ in $(seq "$RUNS"); do
		used "$bench_tmp/out" perf stat -a -I 1000 -o "$bench_tmp/out" -e "$events" >>"$bench_tmp/perf.$count"
		used "$bench_tmp/out" "$PERFTOP" --batch -F 0 -o "$bench_tmp/out" -e "$events" >>"$bench_tmp/counts.$count"
		used "$bench_tmp/out" "$PERFTOP" --batch -o "$bench_tmp/out" -e "$events" >>"$bench_tmp/ours.$count"
	done
	column() { awk -v n="$1" '{ print $n }' "$bench_tmp/$2.$count" | spread; }
	echo "| $count | $(column 1 perf) | $(column 1 counts) | $(column 1 ours) |" \
		"$(column 2 perf) | $(column 2 counts) | $(column 2 ours) |"
done
