#!/bin/sh
# SPDX-License-Identifier: MIT
# A recording on the screen: paused, forth and back, to a time; at its end the totals are the file's.
. "${0%/*}/../lib.sh"
. "${0%/*}/play.sh"
. "${0%/*}/json.sh"
need_perf
need tmux python3
chmod 755 "$tmp"

# A burst in each quarter of a second.
"$PERFTOP" --batch -c 1 -d 1 -e minor-faults:u --record "$tmp/file.data" -o "$tmp/batch" \
	-- sh -c 'for i in 1 2 3 4 5 6; do ls / /usr; sleep 0.25; done >/dev/null' >"$tmp/err" 2>&1
is $? 0 "six bursts are recorded"
chmod 644 "$tmp/file.data"
all=$(event_field "$("$PERFTOP" -i "$tmp/file.data" -j -d 1000 | tail -n 1)" minor-faults:u total)
ok "with faults ($all)" test "$all" -gt 100

# total: of the event, as in a dump of 110 columns (with a unit: 1.234k)
total() { sed -n 's/.*minor-faults:u.* \([0-9][0-9.k]*\) *$/\1/p' | python3 -c '
for line in __import__("sys").stdin:
    line = line.strip()
    print(round(float(line[:-1]) * 1000) if line.endswith("k") else int(line))'; }

for who in root sudo; do
	may_play $who || continue
	play_as $who $who -i "$tmp/file.data" <<-'E'
		resize 110 20
		wait 1
		key g
		type 50%
		key Enter
		wait 1
		dump
		key ]
		wait 1
		dump
		key g
		type start
		key Enter
		wait 1
		dump
		key g
		type 50%
		key Enter
		wait 1
		dump
	E
	is $? 0 "$who: a script moves in it"
	is "$(cat "$tmp/$who.err")" '' "$who: nothing on stderr"
	total <"$tmp/$who" >"$tmp/totals"
	{ read -r half && read -r next && read -r start && read -r again; } <"$tmp/totals"
	is "$again" "$half" "$who: in the middle there is the same total both times ($half)"
	ok "$who: at the start it is less ($start)" test "$start" -lt "$half"
	ok "$who: one interval on it is not less ($next)" test "$next" -ge "$half"
	ok "$who: in the middle it is not all ($all)" test "$half" -lt "$all"
	is "$(grep -c 'REPLAY  PAUSED' "$tmp/$who")" 3 "$who: from the step on it is paused"
done

tm_start 110x20 "$PERFTOP" -i "$tmp/file.data" -d 0.2
tm_wait 'REPLAY' && tm_keys Space
ok "Space pauses" tm_wait PAUSED
tm_keys g
ok "g asks for a time" tm_wait 'go to:'
tm_type end
tm_keys Enter
ok "the end" tm_wait 'the end of the file'
at_end=$(tm_screen | total)
ok "has the file's total ($at_end)" test $((at_end * 1000 / all)) -ge 998 -a $((at_end * 1000 / all)) -le 1002
tm_keys '['
ok "back from the end" wait_until 10 not tm_sees 'the end of the file'
tm_keys g
ok "g asks again" tm_wait 'go to:'
tm_type 'not a time'
tm_keys Enter
ok "what is no time is refused" tm_wait '12:34:56'
tm_keys Escape
tm_keys q
is "$(tm_exit)" 0 "q ends it"
tm_end

# A pipe cannot be read again, but what was shown is held.
perf record -q --no-bpf-event -e cpu-clock:u -o - -- "${PERFTOP%/*}/tests/helpers/getppid" 600000 >"$tmp/pipe.data" 2>"$tmp/err"
tm_start 120x20 sh -c 'cat "$1" | "$0" -i - -d 0.1' "$PERFTOP" "$tmp/pipe.data"
ok "a pipe is shown" tm_wait 'end of the file'
tm_keys g
ok "g asks for a time" tm_wait 'go to:'
tm_type start
tm_keys Enter
ok "its start is held" tm_wait 'REPLAY  FROZEN'
tm_keys q
is "$(tm_exit)" 0 "and q ends it"
tm_end

# Without a terminal there are no keys; the error is that of the terminal, not of the pipe.
if command -v setsid >/dev/null; then
	setsid -w "$PERFTOP" -i - <"$tmp/pipe.data" >"$tmp/out" 2>"$tmp/err"
	is "$? $(cat "$tmp/err")" "1 perftop-ng: -: No such device or address" "a pipe without a terminal"
else
	skip 1 "no setsid here"
fi

# So it is live: the total of an earlier interval, and then that of now again.
timeout 60 sh -c 'while :; do ls / >/dev/null; sleep 0.05; done' &
load=$!
at_exit '[ -z "$load" ] || kill $load 2>/dev/null'
for who in root sudo; do
	may_play $who || continue
	play_as $who $who -e minor-faults:u <<-'E'
		resize 110 20
		wait 15
		dump
		key [
		key {
		dump
		wait 1
		key ]
		dump
		key Space
		wait 1
		dump
	E
	is $? 0 "$who: a script moves in a live run"
	total <"$tmp/$who" >"$tmp/totals"
	{ read -r first && read -r back && read -r on && read -r last; } <"$tmp/totals"
	ok "$who: 11 intervals before the total is less ($back of $first)" test "$back" -lt "$first"
	ok "$who: one on it is not less ($on)" test "$on" -ge "$back"
	ok "$who: though time goes on, it is that of then" test "$on" -lt "$first"
	ok "$who: Space: now it is more ($last)" test "$last" -gt "$first"
	is "$(grep -c '^perftop-ng  FROZEN  [0-9:]* ' "$tmp/$who")" 2 "$who: the head has the time"
done

kill $load
load=

done_testing
