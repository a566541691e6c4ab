#!/bin/sh
# SPDX-License-Identifier: MIT
# Call chains: every event sampled with and without -g, and the default set with and without.
. "${0%/*}/common.inc"

# row NAME OPTION...: 10 s of them; rate, CPU and memory are of the fifth second.
row()
{
	name=$1
	shift
	load
	"$PERFTOP" -j -n 10 "$@" >"$bench_tmp/out"
	unload
	tail -n 1 "$bench_tmp/out" >"$bench_tmp/last"
	cpu=$(sed -n 5p "$bench_tmp/out" | grep -o '"self":{"cpu":[0-9.]*' | cut -d: -f3)
	rss=$(grep -o '"rss":[0-9]*' "$bench_tmp/last" | cut -d: -f2)
	echo "| $name | $(json total <"$bench_tmp/last") | $(json lost <"$bench_tmp/last") |" \
		"$(sed -n 5p "$bench_tmp/out" | json rate) | $cpu | $(awk -v b="$rss" 'BEGIN { print b / 1e6 }') |"
}

echo '| every CPU saturated with getppid(), 10 s | events | lost | events/s | CPU | RSS MB |'
echo '|---|---|---|---|---|---|'
for _ in $(seq 3); do
	row 'every raw_syscalls:sys_enter, -c 1 -m 2M' -c 1 -m 2M -e raw_syscalls:sys_enter
	row 'the same with -g' -g -c 1 -m 2M -e raw_syscalls:sys_enter
	row 'cpu-clock -F 4000' -F 4000 -e cpu-clock
	row 'the same with -g' -g -F 4000 -e cpu-clock
done
command -v perf >/dev/null || exit 0
load
timeout 12 perf record -q -a -g -c 1 -m 2M -e raw_syscalls:sys_enter -o "$bench_tmp/perf.data" sleep 10 \
	>"$bench_tmp/perf" 2>&1
unload
echo "| perf record -g -c 1 -m 2M, samples in its file | $(perf report -i "$bench_tmp/perf.data" --stats 2>/dev/null |
	awk '/SAMPLE events/ && !/LOST/ { print $3; exit }') | – | – | – | – |"
