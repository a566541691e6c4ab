#!/bin/sh
# SPDX-License-Identifier: MIT
# A recording of every event of two busy CPUs is read by each tool in turn; it is in the page cache.
. "${0%/*}/common.inc"
seconds=${SECONDS_REPLAY:-3} file=$bench_tmp/perf.data

command -v perf >/dev/null || exit 0
load
perf record -q -a -c 1 -m 2048 -e raw_syscalls:sys_enter -o "$file" sleep "$seconds" >/dev/null 2>&1
unload

ran() { python3 "${0%/*}/ran.py" "$@"; }
for run in $(seq "$RUNS"); do
	ran "$PERFTOP" -i "$file" -j -d 80000 >>"$bench_tmp/ours"
	ran perf report -i "$file" --stdio --sort comm >>"$bench_tmp/report"
	# It takes 20 times as long: once for three runs of the others.
	[ $((run % 3)) = 1 ] || continue
	tail -n 1 "$bench_tmp/ours" >>"$bench_tmp/beside"
	ran perf script -i "$file" >>"$bench_tmp/script"
done

# ratios NAME OURS: those of the seconds of the two files, line by line
ratios()
{
	paste -d' ' "$bench_tmp/$1" "$bench_tmp/$2" | awk '{ print $1 / $4 }' | spread
}
column() { awk -v n="$2" '{ print $n }' "$bench_tmp/$1" | spread; }

samples=$(perf report -i "$file" --stats 2>/dev/null | awk '/SAMPLE events/ { print $3; exit }')
echo "| $samples samples, $(($(stat -c %s "$file") / 1000000)) MB, $RUNS runs in turn | s | of perftop-ng in the same run | MB of memory |"
echo '|---|---|---|---|'
echo "| perftop-ng -i FILE -j -d 80000 | $(column ours 1) | 1 | $(column ours 2) |"
echo "| perf report -i FILE --stdio --sort comm | $(column report 1) | $(ratios report ours) | $(column report 2) |"
echo "| perf script -i FILE, each third run | $(column script 1) | $(ratios script beside) | $(column script 2) |"
