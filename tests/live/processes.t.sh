#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A process with many threads, most of them without a row, and some short-lived: all of them are in its sum.
. "${0%/*}/../lib.sh"
. "${0%/*}/json.sh"
. "${0%/*}/play.sh"
need_event syscalls:sys_enter_getppid
chmod 755 "$tmp"

# Start the helper: 20 threads that wait, until `go`.
begin()
{
	rm -f "$tmp/in" "$tmp/out"
	mkfifo "$tmp/in"
	"$BUILD/tests/helpers/threads" 20 50 <"$tmp/in" >"$tmp/out" &
	threads=$!
	at_exit "kill $threads 2>/dev/null"
	exec 3>"$tmp/in"
}

go()
{
	echo >&3
	wait_until 10 grep -q "^done" "$tmp/out"
}

begin
"$PERFTOP" -j -c 1 -d 0.2 --top 3 -e syscalls:sys_enter_getppid >"$tmp/json" 2>"$tmp/err" &
perftop=$!
at_exit "kill $perftop 2>/dev/null"
wait_until 10 test -s "$tmp/json"
go
before=$(wc -l <"$tmp/json")
several_more()
{
	[ "$(wc -l <"$tmp/json")" -ge $((before + 3)) ]
}
wait_until 10 several_more
kill -INT "$perftop"
wait "$perftop"
last=$(tail -n 1 "$tmp/json")
like "$last" '"final":true' "it was ended"
like "$last" '"most_by":"threads"' "short-lived threads have the name of who made them, which did nothing before"
# {"pid":812,...,"events":[{"name":...,"total":N,...
sum_of_process()
{
	printf '%s\n' "$last" | sed 's/.*"processes":\[//; s/{"pid":/\n&/g' |
		sed -n "s/^{\"pid\":$threads,\"tid\":null,\"comm\":\"threads\".*\"name\":\"syscalls:sys_enter_getppid\",[^}]*\"total\":\([0-9]*\).*/\1/p"
}
is "$(event_field "$last" syscalls:sys_enter_getppid lost)" 0 "nothing was lost"
is "$(sum_of_process)" 2000 "the calls of all threads are in the sum of the process"
exec 3>&-
wait "$threads"

for who in root sudo; do
	may_play $who || continue
	begin
	go
	printf '%s\n' 'resize 120 30' 'wait 6' 'key 3' "type /pid=$threads" 'key Enter' 'wait 1' dump 'key H' dump \
		'key Down Enter' 'wait 1' dump | play_as $who $who -e context-switches
	is "$?$(cat "$tmp/$who.err")" 0 "$who: the tasks are shown"
	is "$(grep -a -c "^[▸ ] threads $threads ×" "$tmp/$who")" 1 "$who: H makes a row for the process"
	like "$(grep -a "threads   forked by" "$tmp/$who")" "^[0-9]* threads   forked by .* $$ *\$" "$who: which has a detail"
	exec 3>&-
	wait "$threads"
done
done_testing
