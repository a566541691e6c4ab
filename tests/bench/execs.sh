#!/bin/sh
# SPDX-License-Identifier: MIT
# What watching costs short-lived programs: a shell starts /bin/true 2,000 times, untraced and watched in turn.
. "${0%/*}/common.inc"

cat >"$bench_tmp/loop" <<'EOF'
i=0
while [ $i -lt 2000 ]; do
	/bin/true
	i=$((i + 1))
done
EOF

# timed NAME: the time of a loop, in us each
timed()
{
	start=$(date +%s%N)
	sh "$bench_tmp/loop"
	echo $((($(date +%s%N) - start) / 2000000)) >>"$bench_tmp/$1"
}

for _ in $(seq "$RUNS"); do
	timed untraced
	"$PERFTOP" --batch -e task-clock >/dev/null 2>&1 &
	watcher=$!
	sleep 1
	timed watched
	kill -INT $watcher
	wait $watcher
done

echo "| fork, exec and exit of /bin/true, $RUNS runs in turn | us each, median (min-max) |"
echo '|---|---|'
echo "| untraced | $(spread <"$bench_tmp/untraced") |"
echo "| watched by perftop-ng -e task-clock | $(spread <"$bench_tmp/watched") |"
