#!/bin/sh
# SPDX-License-Identifier: MIT
#
# u, p and c on the real kernel, with and without the opener: of two loads that are the same only the
# one in the scope is shown, and what is switched on stays as it is.
. "${0%/*}/../lib.sh"
. "${0%/*}/play.sh"
. "${0%/*}/holdthread.sh"
need_perf

chmod 755 "$tmp"
cp /bin/sleep "$tmp/inside"
cp /bin/sleep "$tmp/outside"
chmod 755 "$tmp/inside" "$tmp/outside"

# The shell's children have the name of what they run.
load() { sh -c 'while :; do "$0" 0.01; done' "$1" & }
load "$tmp/inside"
inside=$!
load "$tmp/outside"
outside=$!
at_exit "kill $inside $outside 2>/dev/null"

# The number of lines of a dump that match.
has() { grep -ac "$2" "$tmp/dumps/$1"; }

mkdir "$tmp/dumps"
chmod 777 "$tmp/dumps" # under sudo they are written by the user

for who in root sudo; do
	may_play $who || continue

	play_as $who $who -e context-switches,minor-faults,task-clock <<-END
		wait 3
		key /
		type context
		key Enter f Esc /
		type task-clock
		key Enter Del Esc
		wait 2
		key 3 a /
		type side
		key Enter
		wait 2
		dump $tmp/dumps/$who.first
		key p ^U
		type $inside
		key Enter
		wait 4
		dump $tmp/dumps/$who.process
		key 1
		dump $tmp/dumps/$who.events
		key c
		wait 4
		key 3
		dump $tmp/dumps/$who.again
		key u ^U
		type no-such-user
		key Enter
		dump $tmp/dumps/$who.wrong
		key Esc 7
		wait 2
		key p
		type $inside
		key Enter
		wait 5
		dump $tmp/dumps/$who.stream
	END
	is "$? $(cat "$tmp/$who.err")" "0 " "$who: plays"
	ok "$who: at first both are shown" test "$(has $who.first inside)" -gt 0 -a "$(has $who.first outside)" -gt 0
	ok "$who: p shows what is inside" test "$(has $who.process inside)" -gt 0
	is "$(has $who.process outside)" 0 "$who: and nothing else"
	ok "$who: a note says what is watched" test "$(has $who.process "^-p $inside: 1 thread")" -eq 1
	like "$(grep -a 'minor-faults' "$tmp/dumps/$who.events" | head -1)" '[1-9]' "$who: events go on"
	like "$(grep -a 'context-switches' "$tmp/dumps/$who.events" | head -1)" ' off$' "$who: one that was off stays off"
	is "$(has $who.events task-clock)" 0 "$who: one that was removed has no row"
	ok "$who: c shows all again" test "$(has $who.again inside)" -gt 0 -a "$(has $who.again outside)" -gt 0
	is "$(has $who.again "^-p")" 0 "$who: without the note"
	ok "$who: no such user" test "$(has $who.wrong "no user 'no-such-user'")" -eq 1
	ok "$who: the stream goes on" test "$(has $who.stream inside)" -gt 0
	is "$(has $who.stream outside)" 0 "$who: with what is inside only"
done

# A thread that gets no CPU time does not keep the others from watching something else.
printf '%s\n' 'wait 12' "key p ^U" "type $inside" 'key Enter' 'wait 5' 'key 3' dump >"$tmp/held.script"
# What the held thread uses is left as it is, and a search for leaks could not hold that thread itself.
ASAN_OPTIONS="${ASAN_OPTIONS-}:detect_leaks=0" \
	"$PERFTOP" -e minor-faults -d 0.2 --script "$tmp/held.script" >"$tmp/held" 2>"$tmp/held.err" &
us=$!
at_exit '[ -z "$us" ] || kill $us 2>/dev/null'
if hold_thread $us perftop-reader; then
	wait_until 20 test -s "$tmp/held"
	kill $holder # a process does not end before who traces it knows
	wait $us
	is "$? $(cat "$tmp/held.err")" "0 " "a reader that does not run: the scope changes, too"
	like "$(cat "$tmp/held")" "^-p $inside: 1 thread" "and is the new one"
	like "$(head -n 1 "$tmp/held")" '[1-9][0-9.k]* ev/s' "with rates"
else
	skip 3 'a thread may not be held here'
	kill $us
	wait $us
fi
us='' holder=''

play recording --record "$tmp/perf.data" -e cs <<-'END'
	wait 1
	key c
	dump
END
like "$(cat "$tmp/recording")" 'not while recording' "a recording keeps its scope"

printf 'wait 1\nkey c\ndump\n' >"$tmp/command.script"
like "$("$PERFTOP" -e cs -d 0.2 --script "$tmp/command.script" -- sleep 1)" \
	'not with a command' "and a command its own"
done_testing
