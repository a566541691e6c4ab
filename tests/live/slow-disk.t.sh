#!/bin/sh
# SPDX-License-Identifier: MIT
# A disk that is too slow for a recording costs records in the file, which are counted, but no ticks.
. "${0%/*}/../lib.sh"
. "${0%/*}/json.sh"

need perf python3
need_root
need_event raw_syscalls:sys_enter
command -v strace >/dev/null 2>&1 && strace -e trace=none true 2>/dev/null || skip_all "strace cannot trace here"
getppid=$BUILD/tests/helpers/getppid

# record OPTIONS... : a run in the background; slow_down then makes WHICH of the writes to its file take 2 s each.
record()
{
	"$PERFTOP" --record "$tmp/data" "$@" >"$tmp/live" 2>"$tmp/err" &
	recording=$!
	at_exit "kill -KILL $recording 2>/dev/null"
}
writer()
{
	grep -l '^perftop-writer$' "/proc/$recording/task/"*/comm 2>/dev/null | sed 's,/comm$,,; s,.*/,,'
}
is_there()
{
	[ "$(writer)" ]
}
said()
{
	grep -qs "$1" "$2"
}
slow_down()
{
	wait_until 20 is_there
	strace -p "$(writer)" -o /dev/null -e "inject=pwrite64:delay_exit=2000000:when=$1" 2>"$tmp/strace" &
	tracer=$!
	at_exit "kill $tracer 2>/dev/null"
	wait_until 20 said attached "$tmp/strace"
}

# 40 MB of records while two writes wait, then no more.
record -j -c 1 -d 0.5 -e raw_syscalls:sys_enter,sched:sched_switch \
	-- sh -c "until [ -e $tmp/go ]; do sleep 0.1; done; $getppid 400000; sleep 1"
slow_down 1..2
: >"$tmp/go"
wait $recording
is $? 1 "a recording that lacks records is a failure"
is_message "$(cat "$tmp/err")" "--record: a slow disk, at the end"
like "$(cat "$tmp/live")" '"notes":\[[^]]*the disk is too slow' "it was said during the run"
is "$(python3 - "$tmp/live" <<'END'
import json, sys
print(*(seconds for seconds in (json.loads(line)["interval"] for line in open(sys.argv[1])) if seconds > 1.9))
END
)" "" "and each tick came in time"
"$PERFTOP" -i "$tmp/data" -j -d 80000 >"$tmp/again" 2>"$tmp/err"
is "$? $(cat "$tmp/err")" '0 ' "the file is whole"
is "$(python3 - "$tmp/live" "$tmp/again" <<'END'
import json, sys
live, file = (json.loads(open(path).read().splitlines()[-1])["events"] for path in sys.argv[1:])
for was, now in zip(live, file):
    if (now["sampled"] + now["lost"], now["total"]) != (was["sampled"], was["total"]):
        print(was["name"], was["sampled"], now["sampled"], now["lost"])
print("lost" if file[0]["lost"] > 0 else "none lost")
END
)" lost "it counts what it lacks, by event"
perf report -f --stats -i "$tmp/data" >"$tmp/out" 2>"$tmp/err"
is "$? $(cat "$tmp/err")" '0 ' "perf reads it, too"
like "$(cat "$tmp/out")" 'LOST_SAMPLES events: *[0-9]{2}' "with its losses"

# Who does not want to wait says so twice.
record -j -c 1 -d 0.3 -e sched:sched_switch
slow_down 1+
has_ticked()
{
	[ "$(wc -l <"$tmp/live")" -ge 3 ]
}
wait_until 20 has_ticked
kill -INT $recording
ok "a disk that does not answer: it says that it waits" wait_until 20 said 'still writing' "$tmp/err"
kill -INT $recording
wait $recording
is $? 130 "and does not wait after a second signal"
is_message "$(cat "$tmp/err")" "--record: a disk that does not answer"
done_testing
