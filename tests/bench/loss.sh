#!/bin/sh
# SPDX-License-Identifier: MIT
# Every event sampled, 2 MiB per CPU, all CPUs saturated, 10 s: losses, CPU time and memory.
. "${0%/*}/common.inc"

echo '| every raw_syscalls:sys_enter, 2 MiB a CPU, every CPU saturated, 10 s | events | lost | events/s | CPU | RSS MB |'
echo '|---|---|---|---|---|---|'
for _ in $(seq 3); do
	load
	"$PERFTOP" -j -c 1 -m 2M -e raw_syscalls:sys_enter -n 10 >"$bench_tmp/out"
	unload
	tail -n 1 "$bench_tmp/out" >"$bench_tmp/last"
	cpu=$(sed -n 5p "$bench_tmp/out" | grep -o '"self":{"cpu":[0-9.]*' | cut -d: -f3)
	rss=$(grep -o '"rss":[0-9]*' "$bench_tmp/last" | cut -d: -f2)
	echo "| perftop-ng -c 1 -m 2M | $(json total <"$bench_tmp/last") | $(json lost <"$bench_tmp/last") |" \
		"$(sed -n 5p "$bench_tmp/out" | json rate) | $cpu | $(awk -v b="$rss" 'BEGIN { print b / 1e6 }') |"
done
command -v perf >/dev/null || exit 0
load
timeout 12 perf record -q -a -c 1 -m 2M -e raw_syscalls:sys_enter -o "$bench_tmp/perf.data" sleep 10 \
	>"$bench_tmp/perf" 2>&1
unload
# perf counts losses too, but prints them only in a full report.
echo "| perf record -c 1 -m 2M, samples in its file | $(perf report -i "$bench_tmp/perf.data" --stats 2>/dev/null |
	awk '/SAMPLE events/ && !/LOST/ { print $3; exit }') | – | – | – | – |"
