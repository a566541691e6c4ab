#!/bin/sh
# SPDX-License-Identifier: MIT
# What a frame costs at 200x60 with 2,000 rows, in CPU time: a key, the drawing, the bytes to the terminal.
. "${0%/*}/common.inc"

KEYS=400
rows=$bench_tmp/rows

# 1,000 threads and 1,000 short-lived ones; the screen shows the end of the file.
"$PERFTOP" --batch -j -c 1 -e raw_syscalls:sys_enter --record "$rows" -- "$helpers/threads" 1000 5 </dev/null >/dev/null

# cpu KEYS PAIR: of a run with so many keys
cpu()
{
	"$helpers/ptytime" -s 200x60 -k "$1" -K "$2" "$PERFTOP" -i "$rows" --view tasks | awk '$1 == "cpu" { print $2 }'
}

# row PAIR WHAT
row()
{
	for _ in $(seq "$RUNS"); do
		without=$(cpu 0 "$1")
		with=$(cpu $KEYS "$1")
		echo "$with $without $KEYS" | awk '{ print ($1 - $2) / $3 }'
	done >"$bench_tmp/frames"
	echo "| $2 | $(spread <"$bench_tmp/frames") |"
}

echo "| a frame at 200x60 of 2,000 tasks, $RUNS runs of $KEYS keys | ms of CPU time, median (min-max) |"
echo '|---|---|'
row jk 'j, k: another row is chosen'
row '<>' '<, >: sorted by another column'
