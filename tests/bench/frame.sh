#!/bin/sh
# SPDX-License-Identifier: MIT
# What a frame costs at 200x60 with 2,000 rows, in CPU time: a key, the drawing, the bytes to the terminal.
. "${0%/*}/common.inc"

KEYS=400
rows=$bench_tmp/rows

# 2,000 threads that wake 50 times a second.  They begin before the recording: those born in it share a row.
mkfifo "$bench_tmp/go" "$bench_tmp/done"
"$helpers/threads" 2000 1 <"$bench_tmp/go" >"$bench_tmp/done" &
bench_pids=$!
exec 9>"$bench_tmp/go"
echo >&9
read -r _ <"$bench_tmp/done"
"$PERFTOP" --batch -n 3 -c 1 -e raw_syscalls:sys_enter --record "$rows" 9>&- >/dev/null
exec 9>&-
wait "$bench_pids"
bench_pids=

# The replay, which shows the end of the file after less than a second.
set -- "$PERFTOP" -i "$rows" --top 2000 --speed 10 --view tasks
printf 'wait 1\nkey g\ntype 100%%\nkey Enter\nwait 1\ndump\nkey q\n' >"$bench_tmp/script"
shown=$(COLUMNS=200 LINES=60 "$@" --script "$bench_tmp/script" | sed -n 's/.* of \([0-9]*\) *$/\1/p' | head -n 1)

# cpu KEYS PAIR COMMAND...: of a run with so many keys
cpu()
{
	cpu_keys=$1 cpu_pair=$2
	shift 2
	"$helpers/ptytime" -s 200x60 -k "$cpu_keys" -K "$cpu_pair" "$@" | awk '$1 == "cpu" { print $2 }'
}

# row PAIR WHAT COMMAND...
row()
{
	row_pair=$1 row_what=$2
	shift 2
	for _ in $(seq "$RUNS"); do
		without=$(cpu 0 "$row_pair" "$@")
		with=$(cpu $KEYS "$row_pair" "$@")
		echo "$with $without $KEYS" | awk '{ print ($1 - $2) / $3 }'
	done >"$bench_tmp/frames"
	echo "| $row_what | $(spread <"$bench_tmp/frames") |"
}

echo "| a frame at 200x60 of $shown rows, $RUNS runs of $KEYS keys | ms of CPU time, median (min-max) |"
echo '|---|---|'
row jk 'j, k: another row is chosen' "$@"
row '<>' '<, >: sorted by another column' "$@"
