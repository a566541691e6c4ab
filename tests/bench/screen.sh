#!/bin/sh
# SPDX-License-Identifier: MIT
# Time to the first screen, from a key to the screen, and from q to the exit.
. "${0%/*}/common.inc"

pick() { awk -v name="$1" '$1 == name { print $2 }'; }

for _ in $(seq "$RUNS"); do
	"$helpers/ptytime" -w 1500 "$PERFTOP"
	sleep 2 # until the events are closed, for which the kernel makes the next run wait
done >"$bench_tmp/idle"
load
for _ in $(seq "$RUNS"); do
	"$helpers/ptytime" -k 40 -w 1500 "$PERFTOP" -c 1 -m 2M -e raw_syscalls:sys_enter,cs,faults,migrations \
		>>"$bench_tmp/busy"
	command -v perf >/dev/null &&
		"$helpers/ptytime" -k 40 -w 3000 perf top -c 1 -m 2M -e raw_syscalls:sys_enter >>"$bench_tmp/top"
done
unload

echo "| default set, $RUNS runs | ms, median (min-max) |"
echo '|---|---|'
echo "| exec to the first frame | $(pick first <"$bench_tmp/idle" | spread) |"
echo "| exec to the first frame with rows and rates | $(pick rows <"$bench_tmp/idle" | spread) |"
echo "| q to the prompt | $(pick quit <"$bench_tmp/idle" | spread) |"
echo
echo "| every event of a getppid() loop on each CPU, -c 1 -m 2M, $RUNS runs of 40 keys | ms | perf top, of raw_syscalls:sys_enter |"
echo '|---|---|---|'
touch "$bench_tmp/top"
key() { pick key <"$bench_tmp/$1" | percentile "$2"; }
for p in 50 99 100; do
	echo "| a key to the screen, p$p | $(key busy $p) | $(key top $p) |"
done
echo "| q to the prompt | $(pick quit <"$bench_tmp/busy" | spread) | $(pick quit <"$bench_tmp/top" | spread) |"
