#!/bin/sh
# SPDX-License-Identifier: MIT
# Who makes an event: three busy and four slow tasks on two CPUs, what -j says of each in each
# interval, beside what the task itself counted in that time.  RUNS cold starts.
. "${0%/*}/common.inc"
event=raw_syscalls:sys_enter

for run in $(seq "$RUNS"); do
	number=0
	for task in '0 0' '1 0' '1 0' '0 101' '1 101' '0 500' '1 37'; do
		number=$((number + 1))
		# shellcheck disable=SC2086
		set -- $task
		taskset -c "$1" "$helpers/paced" "$2" 8.5 >"$bench_tmp/true.$number" &
		bench_pids="$bench_pids $!"
	done
	sleep 1
	"$PERFTOP" -j -n 6 -e $event >"$bench_tmp/json"
	for pid in $bench_pids; do
		wait "$pid"
	done
	bench_pids=
	python3 "${0%/*}/who.py" "$run" "$bench_tmp/json" "$bench_tmp"/true.* >>"$bench_tmp/runs"
done

echo "| $event, $RUNS cold starts | |"
echo '|---|---|'
awk '{ intervals += $2; wrong += $3; tasks += $4; over += $5; if ($6 > worst) worst = $6; good += $3 + $5 == 0 }
	END { printf "| sum of tasks and not seen is not the count, intervals | %d of %d |\n", wrong, intervals
		printf "| a task with 5 %% of the event is off by more than 10 %%, from the third second on | %d of %d |\n", over, tasks
		printf "| largest difference | %.1f %% |\n", worst * 100
		printf "| runs without any of these | %d of %d |\n", good, NR }' "$bench_tmp/runs"
