#!/bin/sh
# SPDX-License-Identifier: MIT
# The whole program with more events, of which a load on one CPU makes one: beside perf stat -I, the
# time of a call of the load; the first frame; the time to quit (perf stat from SIGINT, ours from `q`);
# CPU time and memory.
. "${0%/*}/common.inc"
calls=${CALLS:-20000000}

# raw_syscalls:sys_enter and the first others that are not of system calls.
events_of()
{
	{ echo raw_syscalls:sys_enter && tracepoints | grep -v syscalls:; } | head -n "$1" | paste -sd,
}

# used COMMAND...: start it, print ns a call of the load, the % of a CPU that it took meanwhile, its
# MiB, and the ms from SIGINT to its end
used()
{
	watch "$bench_tmp/out" "$@"
	started=$(date +%s%N)
	before=$(cpu_ns "$bench_pids")
	ns=$(taskset -c 1 "$helpers/getppid" -t "$calls")
	cpu=$(($(cpu_ns "$bench_pids") - before)) wall=$(($(date +%s%N) - started))
	kib=$(awk '/VmRSS/ { print $2 }' "/proc/$bench_pids/status")
	started=$(date +%s%N)
	kill -INT "$bench_pids"
	wait "$bench_pids"
	ended=$(date +%s%N)
	bench_pids=
	awk -v ns="$ns" -v cpu="$cpu" -v wall="$wall" -v kib="$kib" -v quit=$((ended - started)) \
		'BEGIN { printf "%.1f %.2f %.1f %.0f\n", ns, 100 * cpu / wall, kib / 1024, quit / 1e6 }'
	closed
}

# closed: wait until perftop-closer has closed what perftop-ng had opened
closed()
{
	while pgrep -x perftop-closer >/dev/null; do
		sleep 0.2
	done
}

echo "| events x $(nproc) CPUs | ns a call, $RUNS runs: perf stat | perftop-ng | times | % of a CPU: perf stat | perftop-ng" \
	"| first frame, ms | quit, ms: perf stat | perftop-ng | MiB: perf stat | perftop-ng |"
echo '|---|---|---|---|---|---|---|---|---|---|---|'
for count in ${COUNTS:-1 10 100 1000}; do
	events=$(events_of "$count")
	for _ in $(seq "$RUNS"); do
		used perf stat -a -I 1000 -o "$bench_tmp/out" -e "$events" >>"$bench_tmp/perf.$count"
		used "$PERFTOP" --batch -o "$bench_tmp/out" -e "$events" >>"$bench_tmp/ours.$count"
		"$helpers/ptytime" -w 1500 "$PERFTOP" -e "$events" >>"$bench_tmp/screen.$count"
		closed
	done
	column() { awk -v n="$1" '{ print $n }' "$bench_tmp/$2.$count" | spread; }
	on_screen() { awk -v n="$1" '$1 == n { print $2 }' "$bench_tmp/screen.$count" | spread; }
	echo "| $count | $(column 1 perf) | $(column 1 ours) |" \
		"$(paste -d' ' "$bench_tmp/perf.$count" "$bench_tmp/ours.$count" | awk '{ printf "%.3f\n", $5 / $1 }' | spread)" \
		"| $(column 2 perf) | $(column 2 ours) | $(on_screen first) | $(column 4 perf) | $(on_screen quit)" \
		"| $(column 3 perf) | $(column 3 ours) |"
done
