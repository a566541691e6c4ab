#!/bin/sh
# SPDX-License-Identifier: MIT
# A CPU goes offline and online repeatedly, under load: the sums of all generations balance.
. "${0%/*}/../lib.sh"
. "${0%/*}/../live/json.sh"
need_guest
need_event raw_syscalls:sys_enter
knob=/sys/devices/system/cpu/cpu1/online
[ -w "$knob" ] || skip_all "cpu1 cannot be taken offline here"
[ "$(cat "$knob")" = 1 ] || skip_all "cpu1 is offline already"
at_exit 'echo 1 >"$knob"'

"$BUILD/tests/helpers/getppid" &
getppid=$!
at_exit "kill $getppid 2>/dev/null"
"$PERFTOP" -j -c 1 -e raw_syscalls:sys_enter,sched:sched_switch -d 0.2 >"$tmp/out" &
us=$!
at_exit 'kill $us 2>/dev/null'
wait_until 10 test -s "$tmp/out"

for _ in 1 2 3 4 5 6 7 8 9 10; do
	lines=$(wc -l <"$tmp/out")
	echo 0 >"$knob"
	wait_until 10 sh -c "[ \$(wc -l <'$tmp/out') -gt $((lines + 2)) ]"
	echo 1 >"$knob"
	lines=$(wc -l <"$tmp/out")
	wait_until 10 sh -c "[ \$(wc -l <'$tmp/out') -gt $((lines + 2)) ]"
done

# In the last interval cpu1 is online again: it must count.
tail -n 1 "$tmp/out" >"$tmp/live"
switches=$(grep -o '"switches":{"count".*' "$tmp/live" | cut -d']' -f1)
like "$switches" '"cpu":1,"rate":[0-9]' 'cpu1 has a rate after it came online again'

kill -INT $us
wait $us
is $? 0 'ends with success'
# Reaped: at_exit must not signal another process.
us=
tail -n 1 "$tmp/out" >"$tmp/final"
ok 'the last line is the final one' grep -q '"final":true' "$tmp/final"
is "$(grep -o '"balanced":[a-z]*' "$tmp/final" | sort | uniq -c | tr -s ' ')" \
	' 3 "balanced":true' 'both events and the snapshot are balanced over ten generations'
ok 'no ring was corrupt' grep -q '"corrupt":0' "$tmp/final"
ok 'no record was unknown' grep -q '"unknown_records":0' "$tmp/final"
done_testing
