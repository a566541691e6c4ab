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
at_exit 'kill $us 2>/dev/null'

# More than two more lines are in $tmp/out.
wait_for_ticks()
{
	lines=$(wc -l <"$tmp/out")
	wait_until 10 sh -c "[ \$(wc -l <'$tmp/out') -gt $((lines + 2)) ]"
}

# watch_toggled ARG...: us has watched cpu1 go offline and come back ten times; its lines are in $tmp/out
watch_toggled()
{
	: >"$tmp/out" # here: the program may start later, and there are lines of the one before
	"$PERFTOP" -j -d 0.2 "$@" >"$tmp/out" &
	us=$!
	wait_until 10 test -s "$tmp/out"
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		echo 0 >"$knob"
		wait_for_ticks
		echo 1 >"$knob"
		wait_for_ticks
	done
}

# end_watch: its last line is in $tmp/final
end_watch()
{
	kill -INT $us
	wait $us
	is $? 0 'ends with success'
	# Reaped: at_exit must not signal another process.
	us=
	tail -n 1 "$tmp/out" >"$tmp/final"
	ok 'the last line is the final one' grep -q '"final":true' "$tmp/final"
}

watch_toggled -c 1 -e raw_syscalls:sys_enter,sched:sched_switch
# In the last interval cpu1 is online again: it must count.
tail -n 1 "$tmp/out" >"$tmp/live"
switches=$(grep -o '"switches":{"count".*' "$tmp/live" | cut -d']' -f1)
like "$switches" '"cpu":1,"rate":[0-9]' 'cpu1 has a rate after it came online again'

end_watch
is "$(grep -o '"balanced":[a-z]*' "$tmp/final" | sort | uniq -c | tr -s ' ')" \
	' 3 "balanced":true' 'both events and the snapshot are balanced over ten generations'
ok 'no ring was corrupt' grep -q '"corrupt":0' "$tmp/final"
ok 'no record was unknown' grep -q '"unknown_records":0' "$tmp/final"

# Counted only, tracepoints of a CPU are read together (counters.h, bundles), one with a period by itself.  A
# system call passes both; before the second is open on a CPU that came back, some pass the first alone.
together=raw_syscalls:sys_enter
alone=raw_syscalls:sys_exit/period=1000000/
watch_toggled -F 0 -e "$together,sched:sched_switch,$alone"
end_watch
while read -r line; do
	event_field "$line" "$together" total
done <"$tmp/out" >"$tmp/totals"
ok 'the total never falls' sort -n -c "$tmp/totals"
line=$(cat "$tmp/final")
event_cpus "$line" "$together" >"$tmp/together"
event_cpus "$line" "$(printf %s "$alone" | tr / .)" >"$tmp/alone"
is "$(sum_of 4 <"$tmp/together")" 0 'nothing is lost'
is "$(cut -d' ' -f1 "$tmp/together" | xargs)" "0 1" 'both CPUs have counted'
paste -d' ' "$tmp/together" "$tmp/alone" >"$tmp/both"
ok 'as many as by itself, on each CPU, but for 2 %' awk '
	$2 == 0 || ($2 - $7) ^ 2 > ($2 / 50) ^ 2 { bad = 1 }
	END { exit bad || NR != 2 }' "$tmp/both"
done_testing
