#!/bin/sh
# SPDX-License-Identifier: MIT
# Time to the first screen, from a key to the screen, and from q to the exit.
. "${0%/*}/common.inc"

pick() { awk -v name="$1" '$1 == name { print $2 }'; }

for _ in $(seq "$RUNS"); do
	"$helpers/ptytime" -w 1500 "$PERFTOP"
done >"$bench_tmp/idle"
load
"$helpers/ptytime" -k 200 -w 1500 "$PERFTOP" -c 1 -m 2M -e raw_syscalls:sys_enter,cs,faults,migrations \
	>"$bench_tmp/busy"
unload

echo "| default set, $RUNS runs | ms, median (min-max) |"
echo '|---|---|'
echo "| exec to the first frame | $(pick first <"$bench_tmp/idle" | spread) |"
echo "| exec to the first frame with rows and rates | $(pick rows <"$bench_tmp/idle" | spread) |"
echo "| q to the prompt | $(pick quit <"$bench_tmp/idle" | spread) |"
echo
echo '| every event of two getppid() loops, -c 1 -m 2M, 200 keys | ms |'
echo '|---|---|'
for p in 50 99 100; do
	echo "| a key to the screen, p$p | $(pick key <"$bench_tmp/busy" | percentile $p) |"
done
echo "| q to the prompt | $(pick quit <"$bench_tmp/busy") |"
