#!/bin/sh
# SPDX-License-Identifier: MIT
# CPU time and memory on an idle machine, on a screen, renewed each second: the default events, htop, and
# perf top with three tracepoints.
. "${0%/*}/common.inc"
seconds=${SECONDS_IDLE:-150} # until the held snapshots have reached their limit

# measure NAME COMMAND...: print its CPU time in % of one CPU, and its resident memory
measure()
{
	name=$1
	shift
	command -v "$1" >/dev/null || return
	script -qec "stty rows 30 columns 100; exec $*" /dev/null <"$bench_tmp/keys" >/dev/null &
	bench_pids=$!
	exec 9>"$bench_tmp/keys"
	sleep 4
	pid=$(pgrep -P "$bench_pids")
	before=$(cpu_ns "$pid")
	sleep "$seconds"
	after=$(cpu_ns "$pid")
	awk -v name="$name" -v ns=$((after - before)) -v s="$seconds" '/VmRSS/ {
		printf "| %s | %.2f | %.1f |\n", name, ns / s / 1e7, $2 / 1024 }' "/proc/$pid/status"
	printf q >&9
	exec 9>&-
	wait
	bench_pids=
}

echo "| idle machine, $seconds s | % of one CPU | RSS MiB |"
echo '|---|---|---|'
mkfifo "$bench_tmp/keys"
measure 'perftop-ng, default set, 1 s, 100x30' "$PERFTOP"
measure 'htop -d 10' htop -d 10
measure 'perf top -d 1, three tracepoints' perf top -d 1 -e sched:sched_switch,sched:sched_wakeup,irq:softirq_entry
