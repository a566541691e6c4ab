#!/bin/sh
# SPDX-License-Identifier: MIT
# CPU time and memory on an idle machine: default events, interval 1 s, on a screen.
. "${0%/*}/common.inc"
seconds=${SECONDS_IDLE:-150} # until the held snapshots have reached their limit

ticks() { awk '{ print $14 + $15 }' "/proc/$1/stat"; }

# measure NAME PID: print its CPU time in % of one CPU, and its resident memory
measure()
{
	sleep 3
	before=$(ticks "$2")
	sleep "$seconds"
	after=$(ticks "$2")
	awk -v name="$1" -v t=$((after - before)) -v hz="$(getconf CLK_TCK)" -v s="$seconds" \
		-v rss="$(awk '/VmRSS/ { print $2 }' "/proc/$2/status")" \
		'BEGIN { printf "| %s | %.2f | %.1f |\n", name, t / hz / s * 100, rss / 1024 }'
}

echo "| idle machine, $seconds s | % of one CPU | RSS MiB |"
echo '|---|---|---|'
mkfifo "$bench_tmp/keys"
script -qec "stty rows 30 columns 100; exec $PERFTOP" /dev/null <"$bench_tmp/keys" >/dev/null &
exec 9>"$bench_tmp/keys"
sleep 1
measure 'perftop-ng, default set, 1 s, 100x30' "$(pgrep -n -f "^$PERFTOP\$")"
printf q >&9
exec 9>&-
wait
