#!/bin/sh
# SPDX-License-Identifier: MIT
# Every event sampled, 2 MiB per CPU, all CPUs saturated, 10 s: losses, CPU time and memory.
. "${0%/*}/common.inc"
event=raw_syscalls:sys_enter

echo '| every raw_syscalls:sys_enter, 2 MiB a CPU, every CPU saturated, 10 s | events | lost | events/s | CPUs | RSS MB |'
echo '|---|---|---|---|---|---|'
for _ in $(seq 3); do
	load
	"$PERFTOP" -j -c 1 -m 2M -e $event -n 10 >"$bench_tmp/out"
	unload
	tail -n 1 "$bench_tmp/out" >"$bench_tmp/last"
	cpu=$(sed -n 5p "$bench_tmp/out" | grep -o '"self":{"cpu":[0-9.]*' | cut -d: -f3)
	rss=$(grep -o '"rss":[0-9]*' "$bench_tmp/last" | cut -d: -f2)
	echo "| perftop-ng -c 1 -m 2M | $(json total <"$bench_tmp/last") | $(json lost <"$bench_tmp/last") |" \
		"$(sed -n 5p "$bench_tmp/out" | json rate) | $cpu | $(awk -v b="$rss" 'BEGIN { print b / 1e6 }') |"
done
command -v perf >/dev/null || exit 0

# beside COMMAND...: run it for 10 s beside the load; set $cpus, $rss
beside()
{
	load
	loads=$bench_pids
	"$@" &
	peer=$!
	bench_pids="$loads $peer"
	sleep 10
	cpus=$(awk -v ns="$(cpu_ns $peer)" 'BEGIN { printf "%.3f", ns / 1e10 }')
	rss=$(awk '/VmRSS/ { print $2 * 1024 / 1e6 }' "/proc/$peer/status")
	kill -INT $peer
	wait $peer
	bench_pids=$loads
	unload
}

beside perf record -q -a -c 1 -m 2M -e $event -o "$bench_tmp/perf.data" 2>/dev/null
perf report -i "$bench_tmp/perf.data" --stats 2>/dev/null >"$bench_tmp/stats"
# pick TYPE: print the number of records of that type in the file
pick() { awk -v type="$1" '$1 == type && $2 == "events:" { n = $3 } END { print n + 0 }' "$bench_tmp/stats"; }
echo "| perf record -c 1 -m 2M | $(pick SAMPLE) in its file | $(pick LOST_SAMPLES) records of lost ones | | $cpus | $rss |"

# Its head line counts what the kernel lost and what it dropped itself, the sums after the slashes.
mkfifo "$bench_tmp/keys"
exec 9<>"$bench_tmp/keys" # keys that never come
beside perf top --stdio -c 1 -m 2M -e $event <&9 >"$bench_tmp/top" 2>/dev/null
echo "| perf top -c 1 -m 2M | | $(grep -a -o 'lost: [0-9/]* drop: [0-9/]*' "$bench_tmp/top" | tail -n 1) | | $cpus | $rss |"
