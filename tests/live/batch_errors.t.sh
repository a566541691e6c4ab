#!/bin/sh
# SPDX-License-Identifier: MIT
# What goes wrong around a run without a screen: reported in one line, with the right status, and soon.
. "${0%/*}/../lib.sh"
. "${0%/*}/json.sh"
need_event cs

# run OPTION...: $status, and its output in $tmp/out and $tmp/err
run()
{
	status=0
	timeout -k 2 30 "$PERFTOP" "$@" >"$tmp/out" 2>"$tmp/err" || status=$?
}

# --- where the output goes --------------------------------------------------------------------

status=0
timeout 30 "$PERFTOP" -j -n 2 -d 0.05 -e cs >/dev/full 2>"$tmp/err" || status=$?
is $status 1 "a full disk: exit 1"
is_message "$(cat "$tmp/err")" "batch: a full disk"
run -j -n 1 -d 0.05 -e cs -o /dev/full
is $status 1 "-o: the same"
is_message "$(cat "$tmp/err")" "batch: a full disk, -o"

status=0
timeout 30 "$PERFTOP" -j -n 2 -d 0.05 -e cs >&- 2>"$tmp/err" || status=$?
is $status 1 "a closed stdout: exit 1"
is_message "$(cat "$tmp/err")" "batch: a closed stdout"

run -j -n 1 -d 0.05 -e cs -o "$tmp/none/file"
is $status 1 "a directory that is not there: exit 1"
is_message "$(cat "$tmp/err")" "batch: no such directory, -o"

# Without an end of its own: timeout would make the status 124.
{
	status=0
	timeout 30 "$PERFTOP" -j -d 0.05 -e cs 2>"$tmp/err" || status=$?
	echo $status >"$tmp/status"
} | head -n 1 >"$tmp/out"
is "$(cat "$tmp/status") $(cat "$tmp/err")" '141 ' "head -n 1 ends it by SIGPIPE, and it says nothing"
is "$(wc -l <"$tmp/out")" 1 "head has its line"
ok "which is whole" grep -q '^{"schema":1.*}$' "$tmp/out"

# --- a reader that is slow -----------------------------------------------------------------------

# 40 lines are more than a pipe holds: ticks wait, and none of the lines is left out.
is "$("$PERFTOP" -j -n 40 -d 0.02 -e cs 2>"$tmp/err" | { sleep 1; wc -l; })" 40 "a slow reader gets each of 40 lines"

# It takes a page each half second while the program is to end.
mkfifo "$tmp/pipe"
{
	sleep 1
	for _ in 1 2 3 4; do
		dd bs=4096 count=1 status=none
		sleep 0.5
	done
	cat
} <"$tmp/pipe" >"$tmp/out" &
slow=$!
at_exit '[ -z "$slow" ] || kill $slow 2>/dev/null'
"$PERFTOP" -j -d 0.02 -e cs >"$tmp/pipe" 2>"$tmp/err" &
us=$!
at_exit '[ -z "$us" ] || kill $us 2>/dev/null'
sleep 1.2
kill -INT $us
status=0
wait $us || status=$?
us=
wait $slow
slow=
is "$status $(cat "$tmp/err")" '0 ' "SIGINT while the reader is slow: success, and no error"
like "$(tail -n 1 "$tmp/out")" '"final":true' "with its final line"

# --- options' values, and --strict ---------------------------------------------------------------

for option in --view --theme --sort --set; do
	run $option nosuch --script /dev/null -e cs
	is $status 129 "$option nosuch: usage"
	is_message "$(cat "$tmp/err")" "options: $option nosuch"
done
run -j -n 1 -d 0.05 -e cs,,faults
is $status 0 "part of an -e is wrong: the rest runs"
run -j -n 1 -d 0.05 -e cs,,faults --strict
is $status 2 "--strict: exit 2"
run --dump-attr -e cs,nosuchevent
is $status 0 "--dump-attr: the same"
run --dump-attr -e cs,nosuchevent --strict
is $status 2 "with --strict: exit 2"
ok "and the attrs of the others are printed" grep -q '^cs (on)' "$tmp/out"
above=$(($(cat /proc/sys/kernel/perf_event_max_sample_rate) + 1))
run -j -n 1 -d 0.05 -e cs -F $above
is $status 1 "-F above the kernel's limit: exit 1"
is_message "$(cat "$tmp/err")" "-F: above the limit"

# --- how it ends -------------------------------------------------------------------------------

run -j -n 3 -d 0.05 -e cs
is $status 0 "-n 3: exit 0"
is "$(wc -l <"$tmp/out")" 3 "three lines"
is "$(grep -c '"final":true' "$tmp/out")" 1 "of which one is final"
like "$(tail -n 1 "$tmp/out")" '"final":true,"seq":3,' "the last"
is "$(cat "$tmp/err")" '' "and nothing on stderr"

for signal in INT TERM HUP QUIT; do
	rm -f "$tmp/out" # or the one of the run before would do for the wait below
	"$PERFTOP" -j -d 0.05 -e cs >"$tmp/out" 2>"$tmp/err" &
	us=$!
	at_exit 'kill $us 2>/dev/null'
	wait_until 10 test -s "$tmp/out"
	# A background job of sh may have SIGINT and SIGQUIT ignored; the program handles them all the same.
	kill -$signal $us
	status=0
	wait $us || status=$?
	us=
	is $status 0 "SIG$signal: exit 0"
	like "$(tail -n 1 "$tmp/out")" '"final":true' "with a final line"
done

run -j -d 10 -e cs -- true
is $status 0 "a command that ends ends it, long before the interval"
is "$(grep -c '"final":true' "$tmp/out")" 1 "with a final line"
run -j -e cs -- sh -c 'exit 3'
is $status 3 "its exit status is passed on"
run -j -e cs -- sh -c 'kill -KILL $$'
is $status 137 "also after a signal"
run -j -n 1 -d 0.05 -e cs -- sleep 100
is $status 0 "not when we ended it"
"$PERFTOP" -j -e cs -- sleep 100 >"$tmp/out" 2>"$tmp/err" &
us=$!
at_exit '[ -z "$us" ] || kill $us 2>/dev/null'
wait_until 10 pgrep -P $us -x sleep >"$tmp/child"
kill -TERM $us "$(cat "$tmp/child")"
status=0
wait $us || status=$?
us=
is $status 0 "nor when a signal ended it with us"
run -j -d 10 -e cs -- echo 'from the command'
is "$(grep -c '^{.*}$' "$tmp/out") $(wc -l <"$tmp/out")" '1 1' "its output is not among the lines"
is "$(cat "$tmp/err")" 'from the command' "but on stderr"
"$PERFTOP" -j -e cs -o "$tmp/lines" -- echo 'from the command' >"$tmp/out" 2>"$tmp/err"
is "$(cat "$tmp/out")$(cat "$tmp/err")" 'from the command' "with -o it stays on stdout"
run --batch -d 10 -c 1 -e syscalls:sys_enter_getppid,syscalls:sys_enter_vhangup \
	-- "$BUILD/tests/helpers/getppid" 5000
like "$(cat "$tmp/out")" ' ran [0-9.]+ s' "a summary of the whole run"
like "$(cat "$tmp/out")" ' syscalls:sys_enter_getppid +[0-9.]+[kM] +5\.[0-9]+k ' "with its totals"
run -j -e cs -- "$tmp/no-such-command"
is $status 1 "a command that cannot be found: exit 1"
is_message "$(cat "$tmp/err")" "command: not found"
run -j -e cs -- "$tmp"
is $status 1 "one that cannot be run: exit 1"
is_message "$(cat "$tmp/err")" "command: cannot be run"
run -j -n 1 -d 0.05 -e cs -p 999999999
is $status 1 "a process that is not there: exit 1"
is_message "$(cat "$tmp/err")" "-p: no such process"

# --- events --------------------------------------------------------------------------------------

run -j -n 1 -d 0.05 -e cs,nosuchevent,faults
is $status 0 "one event of three is unknown: the others run"
like "$(cat "$tmp/out")" '"name":"cs",.*"state":"on".*"name":"nosuchevent",.*"state":"failed".*"name":"faults",.*"state":"on"' \
	"and it has its row"
is "$(sed -n 1p "$tmp/err")" "perftop-ng: -e cs,nosuchevent,faults" "the text"
is_message "$(cat "$tmp/err")" "events: one of three is unknown"
like "$(sed -n 2p "$tmp/err")" '^ {18}\^~{10} ' "the caret under the fault"
is "$(wc -l <"$tmp/err")" 2 "and no more"
run -j -n 1 -d 0.05 -e context-swiches
is $status 1 "all events unknown: exit 1"
is_message "$(cat "$tmp/err")" "events: all are unknown"
is "$(cat "$tmp/out")" '' "and no line"
run -j -n 1 -d 0.05 --strict -e cs,nosuchevent
is $status 2 "--strict: exit 2"
is "$(cat "$tmp/out")" '' "without a line"

# --- options -------------------------------------------------------------------------------------

run --bacth
is $status 129 "an unknown option: exit 129"
is_message "$(cat "$tmp/err")" "options: --bacth"
run -m 3
is $status 129 "pages that are no power of two: exit 129"
run -C 8000 -j -n 1 -e cs
is $status 1 "a CPU that is not there: exit 1"
is_message "$(cat "$tmp/err")" "-C: no such CPU"

# --- files ---------------------------------------------------------------------------------------

run -x , -n 2 -d 0.05 -e cs -o "$tmp/csv"
run -x , -n 2 -d 0.05 -e cs -o "$tmp/csv" --append
is $status 0 "--append"
is "$(grep -c '^[^0-9]*,.*total' "$tmp/csv")" 1 "one head for two runs"
rows=$(wc -l <"$tmp/csv")
is "$(awk -F, '{ print NF }' "$tmp/csv" | sort -u | wc -l)" 1 "as many fields in every line"
run -x , -n 1 -d 0.05 -e cs -o "$tmp/csv"
ok "without --append the file is truncated" [ "$(wc -l <"$tmp/csv")" -lt "$rows" ]
run -j -n 1 -d 0.05 -e cs -o "$tmp/json"
is "$(cat "$tmp/out")" '' "-o: nothing on stdout"
ok "but in the file" grep -q '"final":true' "$tmp/json"

# --- scripts -------------------------------------------------------------------------------------

# It used to wait for ever for a snapshot after the last one.
printf 'wait 9\nkey q\n' >"$tmp/script"
printf 'key P q\n' >"$tmp/saving"
(cd "$tmp" && timeout 30 "$PERFTOP" --script saving -e cs >/dev/null 2>&1)
saved=$(echo "$tmp"/perftop-ng-*.txt)
for input in "tests/data/plain.data" "$saved"; do
	timeout 30 "$PERFTOP" -i "$input" --speed 1000 --script "$tmp/script" >"$tmp/out" 2>"$tmp/err"
	is $? 1 "a script that waits beyond the end of ${input##*/}: exit 1"
	is "$(wc -l <"$tmp/err")" 1 "in one line"
done
run -n 2 -d 0.05 -e cs --script "$tmp/script"
is $status 1 "or beyond -n"

# --- a saved view --------------------------------------------------------------------------------

# tabs FILE: the path to the view on a screen's second line, with its sort
tabs() { grep -m 1 Tasks "$1"; }

printf 'wait 1\nkey 3 Enter > R\ndump %s/was\nkey P q\n' "$tmp" >"$tmp/script"
rm -f "$tmp"/perftop-ng-*.txt
input=$PWD/tests/data/plain.data
(cd "$tmp" && timeout 30 "$PERFTOP" -i "$input" --speed 1000 --script script >/dev/null 2>&1)
saved=$(echo "$tmp"/perftop-ng-*.txt)
printf 'dump\n' >"$tmp/script"
run -i "$saved" --script "$tmp/script"
ok "a task's detail was saved" grep -q 'Tasks ›' "$tmp/was"
is "$(tabs "$tmp/out")" "$(tabs "$tmp/was")" "and is shown again, with its sort"
run -i "$saved" --view cpus --script "$tmp/script"
ok "--view shows another one" [ "$(tabs "$tmp/out")" != "$(tabs "$tmp/was")" ]

done_testing
