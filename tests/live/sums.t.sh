#!/bin/sh
# SPDX-License-Identifier: MIT
# Whatever is added up in several ways, by event, CPU, task, interval, must be the same number.  With
# ACCOUNTING=all it is more than 10^6.
. "${0%/*}/../lib.sh"
. "${0%/*}/json.sh"
. "${0%/*}/holdthread.sh"
need python3

event=syscalls:sys_enter_getppid
switch=sched:sched_switch
need_event $event
need_event $switch
# The ring has room for all samples, of about 110 bytes: none can be lost.
calls=60000 pages=2048
[ "${ACCOUNTING-}" != all ] || calls=1010000 pages=32768
own=$(own_calls)
cpu=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*\([0-9]*\).*/\1/p' /proc/self/status)

"$PERFTOP" -j -c 1 -m $pages -d 0.01 --top 100000 -C "$cpu" -e $event,$switch \
	-- "$BUILD/tests/helpers/calls" $calls "$cpu" >"$tmp/lines" 2>"$tmp/err" </dev/null
is "$? $(cat "$tmp/err")" "0 " "it ends with success"
ok "there are several intervals" [ "$(wc -l <"$tmp/lines")" -gt 1 ]

# add_up NAME: to $tmp/sums
add_up()
{
	python3 tests/sums.py "$1" <"$tmp/lines" >"$tmp/sums"
	is $? 0 "$1: can be added up"
}

# check NAME: all sums of the event are its total, $total.
check()
{
	add_up "$1"
	total=$(sed -n 's/^total: //p' "$tmp/sums")
	while IFS=: read -r what value; do
		case $what in
		lost | unseen | rest | estimated) is "$value" ' 0' "$1: $what" ;;
		*) is "$value" " $total" "$1: $what" ;;
		esac
	done <"$tmp/sums"
}

check $event
ok "all $calls calls are counted ($total)" [ "$total" -ge $calls -a "$total" -le $((calls + own)) ]
check $switch
ok "there are switches ($total)" [ "$total" -gt 0 ]
add_up switches
while IFS=: read -r what value; do
	is "$value" " $total" "of switch records: $what"
done <"$tmp/sums"

# A run that ends while a tick waits for a reader: what another CPU's mark was followed by is its tasks', too.
"$PERFTOP" -j -d 0.12 -e raw_syscalls:sys_enter >"$tmp/lines" 2>/dev/null &
us=$!
at_exit '[ -z "$us" ] || kill $us'
wait_until 10 find_thread $us perftop-reader
held=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' "/proc/$us/task/$thread/status")
other=$((held == 0))
if taskset -c "$other" true 2>/dev/null; then
	taskset -c "$other" "$BUILD/tests/helpers/getppid" &
	at_exit "kill $! 2>/dev/null"
	sleep 0.3
	timeout 0.7 "$BUILD/tests/helpers/holdthread" "$thread" >"$tmp/holds" 2>&1 &
	wait_until 5 test -s "$tmp/holds"
	sleep 0.25
	kill -INT $us
	wait $us
	us=
	tail -n 1 "$tmp/lines" >"$tmp/line"
	is "$(value_of '10 * sum(x["count"] for x in d["rest"]["events"]) < e[0]["count"]')" True \
		"a run that ends in a tick: its calls are a task's"
else
	skip 1 "no second CPU, or no taskset"
fi
done_testing
