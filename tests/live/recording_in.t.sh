#!/bin/sh
# SPDX-License-Identifier: MIT
#
# perf.data in: files and pipes of perf's, of many streams, and those that a kill, a full disk or we ourselves cut.
. "${0%/*}/../lib.sh"
. "${0%/*}/json.sh"

need perf python3 prlimit
need_root
need_event raw_syscalls:sys_enter
getppid=$BUILD/tests/helpers/getppid

perf record -q --no-bpf-event -a -c 1 -e raw_syscalls:sys_enter,sched:sched_switch -o "$tmp/theirs.data" \
	-- "$getppid" 10000 2>/dev/null
"$PERFTOP" -i "$tmp/theirs.data" -j -d 80000 --top 100000 >"$tmp/again" 2>"$tmp/err"
is $? 0 "perf's own file replays"
is "$(same "$tmp/theirs.data" "$tmp/again")" same "with perf script's counts"
perf record -q --no-bpf-event -a -c 1 -e raw_syscalls:sys_enter -o - -- "$getppid" 5000 2>/dev/null >"$tmp/pipe"
"$PERFTOP" -i - -j -d 80000 <"$tmp/pipe" | sed 's/"self":.*//' >"$tmp/one"
"$PERFTOP" -i "$tmp/pipe" -j -d 80000 | sed 's/"self":.*//' >"$tmp/two"
is "$(sed 's/"time":[^,]*//' "$tmp/one")" "$(sed 's/"time":[^,]*//' "$tmp/two")" \
	"a pipe and its bytes in a file"

# As perf record --threads writes on a machine with many CPUs; most of them were idle.
perf record -q --threads -a -e raw_syscalls:sys_enter -o "$tmp/streams" -- "$getppid" 100 2>/dev/null
for stream in $(seq 2 100); do : >"$tmp/streams/data.$stream"; done
prlimit --nofile=64: "$PERFTOP" -i "$tmp/streams" --batch >"$tmp/out" 2>"$tmp/err"
is "$? $(cat "$tmp/err")" '0 ' "more files than the soft limit of open files"

# Not a multiple of 8, so within a record.
head -c 100001 "$tmp/theirs.data" >"$tmp/cut.data"
"$PERFTOP" -i "$tmp/cut.data" --batch >"$tmp/out" 2>"$tmp/err"
is $? 3 "a file that is cut off: partly read"
is_message "$(cat "$tmp/err")" "-i: a file that is cut off"

# Killed: what was written before the last tick is there, for perf and for us, with the fields of tracepoints.
ticks()
{
	[ "$(wc -l <"$tmp/out")" -ge "$1" ]
}
"$PERFTOP" -j -c 1 -d 0.2 -e raw_syscalls:sys_enter,page-faults --record "$tmp/killed.data" >"$tmp/out" &
recording=$!
at_exit "kill $recording 2>/dev/null"
wait_until 20 ticks 3
"$getppid" 1000
# However long that took on a busy machine.
wait_until 20 ticks $(($(wc -l <"$tmp/out") + 4))
kill -KILL $recording
wait $recording 2>/dev/null
perf report -f --stats -i "$tmp/killed.data" >/dev/null 2>"$tmp/err"
is "$? $(cat "$tmp/err")" '0 ' "a recording that was killed: perf report reads it"
like "$(perf script -f -i "$tmp/killed.data" 2>/dev/null | grep -m 1 'getppid.*sys_enter')" 'NR ' \
	"with the fields"
"$PERFTOP" -i "$tmp/killed.data" -j -d 80000 --top 100000 >"$tmp/again" 2>"$tmp/err"
is $? 3 "we read it, too: partly"
is_message "$(cat "$tmp/err")" "-i: a recording that was killed"
is "$(same "$tmp/killed.data" "$tmp/again")" same "with the same counts"

# Who puts the records in order holds those of two rounds: the many of a long interval are several.
"$PERFTOP" --batch -c 1 -d 60 -m 8M -e raw_syscalls:sys_enter --record "$tmp/long.data" \
	-- "$getppid" 400000 >"$tmp/out" 2>&1
rounds=$(perf report -f --stats -i "$tmp/long.data" 2>/dev/null | awk '/FINISHED_ROUND events/ { print $3 }')
ok "a round has at most 32 MiB ($rounds rounds)" [ $((rounds << 25)) -ge "$(stat -c %s "$tmp/long.data")" ]

# A disk of 2 MiB that only this run sees.
mkdir "$tmp/small"
if unshare --mount true 2>/dev/null; then
	export tmp getppid
	# shellcheck disable=SC2016
	unshare --mount --propagation private sh -c '
		mount -t tmpfs -o size=2m,mode=1777 none "$tmp/small"
		"$PERFTOP" --batch -c 1 -e raw_syscalls:sys_enter --record "$tmp/small/f" \
			-- "$getppid" 200000 >"$tmp/out" 2>"$tmp/ours"
		echo $? >"$tmp/status"
		perf report -f --stats -i "$tmp/small/f" >/dev/null 2>"$tmp/err"
		echo $? >"$tmp/perf-status"'
	like "$(tail -n 2 "$tmp/out")" "^final" "a full disk ends the recording, not the run"
	is "$(cat "$tmp/status")" 1 "which is incomplete: exit 1"
	is_message "$(grep -F "$tmp/small/f" "$tmp/out" | sort -u)" "--record: a full disk, with the figures"
	is_message "$(cat "$tmp/ours")" "--record: a full disk, at the end"
	is "$(cat "$tmp/perf-status" "$tmp/err")" 0 "what was written is whole"
else
	skip 5 "no mount namespaces here"
fi
done_testing
