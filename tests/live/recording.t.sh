#!/bin/sh
# SPDX-License-Identifier: MIT
# perf.data out: what we record perf reads and we replay, with equal counts.
. "${0%/*}/../lib.sh"
. "${0%/*}/json.sh"

need perf python3
need_root
need_event raw_syscalls:sys_enter
getppid=$BUILD/tests/helpers/getppid

# -f: under sudo the file is the user's, which perf, being root's, would refuse.

"$PERFTOP" -j -c 1 -d 0.5 -e raw_syscalls:sys_enter,sched:sched_switch --record "$tmp/ours.data" \
	-- "$getppid" 10000 >"$tmp/live" 2>"$tmp/err"
is $? 0 "recording while live"
is "$(cat "$tmp/err")" '' "nothing on stderr"
perf report -f --stats -i "$tmp/ours.data" >"$tmp/out" 2>"$tmp/err"
is $? 0 "perf report reads it"
is "$(cat "$tmp/err")" '' "with nothing on stderr"
is "$(same "$tmp/ours.data" "$tmp/live" --by tid)" same "perf script counts what was live"
"$PERFTOP" -i "$tmp/ours.data" -j -d 80000 --top 100000 >"$tmp/again" 2>"$tmp/err"
is $? 0 "it replays"
is "$(same "$tmp/ours.data" "$tmp/again")" same "with the same counts"
like "$(perf script -f -i "$tmp/ours.data" 2>/dev/null | grep -m 1 sys_enter)" 'NR ' \
	"perf knows the fields"

# perf's converters (Debian's perf has both).  Their --force is -f.
perf data convert --force -i "$tmp/ours.data" --to-json "$tmp/json" >/dev/null 2>"$tmp/err"
is $? 0 "perf data convert --to-json"
is "$(python3 -c 'import json, sys; print(len(json.load(open(sys.argv[1]))["samples"]))' "$tmp/json")" \
	"$(wc -l <"$tmp/script" | tr -d ' ')" "has each sample"
if ldd "$(command -v perf)" 2>/dev/null | grep -q babeltrace; then
	perf data convert --force --all -i "$tmp/ours.data" --to-ctf "$tmp/ctf" >/dev/null 2>"$tmp/err"
	is $? 0 "perf data convert --to-ctf"
else
	skip 1 "this perf has no babeltrace"
fi

# Its head: perf prints the command line and the times, and knows the time of day of a sample.
date +%s >"$tmp/before"
"$PERFTOP" --batch -c 1 -d 0.2 -e sched:sched_process_exec --record "$tmp/times.data" -o /dev/null \
	-- sh -c 'ls / ; sleep 0.3; ls /' >/dev/null
perf report -f --header-only -i "$tmp/times.data" >"$tmp/out" 2>"$tmp/err"
like "$(cat "$tmp/out")" "^# cmdline : .*perftop-ng --batch -c 1 -d 0.2 -e" "the command line"
perf script -f -i "$tmp/times.data" -F time 2>/dev/null | tr -d ' :' | sort -n >"$tmp/times"
is "$(sed -n 's/^# time of .* sample : //p' "$tmp/out")" "$(sed -n '1p; $p' "$tmp/times")" \
	"the times of the first and the last sample"
perf script -f -i "$tmp/times.data" -F tod 2>/dev/null | sort | cut -c-19 >"$tmp/days"
ok "the time of day" test "$(date -d "$(head -n 1 "$tmp/days")" +%s)" -ge "$(cat "$tmp/before")"
ok "which is no later than now" test "$(date -d "$(tail -n 1 "$tmp/days")" +%s)" -le "$(date +%s)"
"$PERFTOP" -i "$tmp/times.data" -j -d 80000 >"$tmp/one"
cp "$tmp/times.data" "$tmp/copy.data"
touch -d '1 hour ago' "$tmp/copy.data"
"$PERFTOP" -i "$tmp/copy.data" -j -d 80000 >"$tmp/two"
is "$(sed 's/.*"time":\([^,]*\).*/\1/' "$tmp/two")" "$(sed 's/.*"time":\([^,]*\).*/\1/' "$tmp/one")" \
	"the time of day in two replays, also of a copy"

# Without -c a sample stands for what its event's count grew by: for perf, too.
"$PERFTOP" -a -j -d 0.5 -e raw_syscalls:sys_enter,page-faults --record "$tmp/weighed.data" \
	-- "$getppid" 300000 >"$tmp/live" 2>"$tmp/err"
"$PERFTOP" -i "$tmp/weighed.data" -j -d 80000 >"$tmp/again" 2>&1
perf report -f -i "$tmp/weighed.data" --stdio -s comm 2>/dev/null | grep 'Event count' |
	sed 's/.*: //' >"$tmp/counts"
is "$(event_field "$(tail -n 1 "$tmp/again")" raw_syscalls:sys_enter total)" \
	"$(sed -n 1p "$tmp/counts")" "weighed samples: a replay counts what perf report does"
is "$(event_field "$(tail -n 1 "$tmp/again")" page-faults total)" "$(sed -n 2p "$tmp/counts")" \
	"of a software event, too"
ok "which is nearly all that was live" [ "$(sed -n 1p "$tmp/counts")" -gt 285000 ]

# What was lost is in the interval of its loss, or the next one, as those of a replay do not begin at the same time.
timeout 10 "$getppid" 1000000000 &
load=$!
"$PERFTOP" -j -c 1 -m 1 -d 0.5 -n 4 -e raw_syscalls:sys_enter --record "$tmp/lost.data" >"$tmp/live"
kill $load
"$PERFTOP" -j -d 0.5 -i "$tmp/lost.data" >"$tmp/again"
for interval in 1 2 3 4; do
	for file in live again; do
		event_field "$(sed -n ${interval}p "$tmp/$file")" raw_syscalls:sys_enter lost
	done | tr '\n' ' '
	echo
done >"$tmp/lost"
ok "losses: there are some in each interval" awk '$1 <= before { bad = 1 } { before = $1 } END { exit bad }' "$tmp/lost"
ok "losses: each interval of a replay has its own" \
	awk '$2 < before || $2 > $1 { bad = 1 } { before = $1 } END { exit bad }' "$tmp/lost"
perf report -f --stdio -i "$tmp/lost.data" >/dev/null 2>"$tmp/err"
is "$?" 0 "losses: perf report reads it"
unlike "$(cat "$tmp/err")" 'unordered|order' "losses: in order of time"

# Programs that begin while the running tasks are read, which strace makes slow: a task has the name of its program
# at its last sample.
if command -v strace >/dev/null 2>&1 && strace -e trace=none true 2>/dev/null; then
	pids=
	at_exit 'kill $pids 2>/dev/null'
	strace -f --seccomp-bpf -o /dev/null -e trace=openat -e inject=openat:delay_enter=5000 \
		"$PERFTOP" --batch -n 1 -d 1.5 -e cpu-clock:u --record "$tmp/begun.data" >/dev/null 2>&1 &
	recording=$!
	for i in 1 2 3 4 5 6; do
		ln -s "${PERFTOP%/*}/tests/helpers/spinner" "$tmp/begun$i"
		sleep 0.2
		"$tmp/begun$i" 60000 &
		pids="$pids $!"
	done
	wait $recording
	perf script -f -i "$tmp/begun.data" -F comm,tid 2>/dev/null |
		awk -v pids="$pids" 'BEGIN { split(pids, list); for (i in list) is[list[i]] = 1 }
			$2 in is { name[$2] = $1 } END { for (tid in name) print name[tid] }' | sort >"$tmp/begun"
	kill $pids
	like "$(cat "$tmp/begun")" '^begun' "programs that begin while it begins"
	is "$(grep -v '^begun' "$tmp/begun")" '' "have their names"
else
	skip 2 "no strace that may trace"
fi
done_testing
