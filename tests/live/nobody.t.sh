#!/bin/sh
# SPDX-License-Identifier: MIT
# Without any rights: reasons, not zeros.
. "${0%/*}/../lib.sh"
. "${0%/*}/json.sh"
paranoid=$(cat /proc/sys/kernel/perf_event_paranoid 2>/dev/null) || skip_all "this kernel has no perf events"
[ "$paranoid" -ge 1 ] || skip_all "perf_event_paranoid is $paranoid: everybody may watch here"

# Nobody can read the build directory of root.
chmod 755 "$tmp"
cp "$PERFTOP" "$tmp/perftop-ng"
cp "$BUILD/tests/helpers/getppid" "$BUILD/tests/helpers/closed" "$tmp/"
chmod 755 "$tmp/perftop-ng" "$tmp/getppid" "$tmp/closed"

# Root becomes nobody; any other user has no rights to drop.
if [ "$(id -u)" -eq 0 ]; then
	need setpriv
	drop='setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all'
else
	grep -q '^CapEff:[[:space:]]*0*$' /proc/self/status || skip_all "this user has capabilities"
	drop=
fi

nobody()
{
	(cd / && exec $drop timeout 20 "$tmp/perftop-ng" "$@") >"$tmp/out" 2>"$tmp/err"
}

# The event itself: tasks have its name beside totals of their own, which may well be 0.
is_counted()
{
	last=$(tail -n 1 "$tmp/out")
	is "$(event_field "$last" "$1" state)" '"on"' "$1: state"
	like "$(event_field "$last" "$1" total)" '^[1-9][0-9]*$' "$2"
}

nobody --version || skip_all "nobody cannot run the program here: $(head -n 1 "$tmp/err")"

nobody --batch -n 1 -d 0.1 -a
is $? 1 "the whole machine as nobody: exit 1"
is "$(cat "$tmp/out")" '' "no rows, and so no zeros"
is_message "$(head -n 1 "$tmp/err")" "nobody: the reason and the fix"
is "$(sort "$tmp/err" | uniq -d)" '' "no line twice"
is "$(grep -c 'perf_event_paranoid=' "$tmp/err")" 1 "one line for one reason"
is_message "$(tail -n 1 "$tmp/err")" "nobody: what it means"
is "$(grep -vc '^perftop-ng: ' "$tmp/err")" 0 "every line begins with the program's name"

nobody -j -n 1 -d 0.1 -a -e cs,sched:sched_switch,page-faults
is $? 1 "the same with events of one's own: exit 1"
is "$(cat "$tmp/out")" '' "and no line of JSON"
is_message "$(grep -A 1 -F -e '-e cs,sched' "$tmp/err")" "nobody: tracepoints need a readable tracefs"

nobody --strict --batch -n 1 -d 0.1 -e cs
is $? 2 "--strict: exit 2"

if [ "$paranoid" -le 2 ]; then
	# One's own tasks, in user mode: allowed, and then the figures are right.
	nobody -j -n 3 -d 0.1 -e page-faults:u -- "$tmp/getppid" 1000
	is $? 0 "one's own command in user mode: exit 0"
	is_counted page-faults:u "is counted, and is not 0"

	nobody -j -e context-switches,page-faults:u -- "$tmp/getppid" 1000
	last=$(tail -n 1 "$tmp/out")
	is "$(event_field "$last" context-switches state)" '"failed"' \
		"what needs more rights is a failed row beside it"
	like "$(event_field "$last" context-switches reason)" '^"E(ACCES|PERM)' "with its reason"
	is "$(event_field "$last" context-switches total)" null "without a figure"

	# Without a scope: one's own tasks, but for the one that its user may not watch.
	$drop "$tmp/closed" >"$tmp/ready" &
	closed=$!
	at_exit 'kill $closed $busy 2>/dev/null'
	$drop sh -c 'echo busy; while :; do "$0" 1; done' "$tmp/getppid" >"$tmp/started" &
	busy=$!
	wait_until 10 test -s "$tmp/ready"
	wait_until 10 test -s "$tmp/started"
	nobody -j -n 2 -d 0.5
	is $? 0 "no scope: exit 0"
	is_counted minor-faults:u "own tasks are watched"
	is_message "$(grep -o 'only your [^"]*' "$tmp/out" | tail -n 1)" "nobody: own tasks"
	nobody --batch -n 1 -d 0.1 -e page-faults -p $closed
	is $? 1 "a task that its user may not watch: exit 1"
	is_message "$(head -n 1 "$tmp/err")" "nobody: a task that is not dumpable"
	nobody --batch -n 1 -d 0.1 -e page-faults -p $closed,$busy
	is $? 0 "another beside it is watched"
	is_message "$(grep '^note: .*watched' "$tmp/out")" "nobody: one of two tasks"
	# The same at the screen's prompt.
	printf '%s\n' 'wait 1' 'key p ^U' 'type 1' 'key Enter' dump \
		'key ^U' "type $busy" 'key Enter' 'wait 3' dump >"$tmp/script"
	nobody -d 0.2 --script "$tmp/script"
	is $? 0 "a script that changes what is watched"
	like "$(cat "$tmp/out")" 'processes: 1 .*you may not watch' "a task of another user: the prompt stays"
	like "$(cat "$tmp/out")" "^-p $busy: 1 thread" "one's own is watched"
	kill $closed $busy
	nobody --batch -n 1 -d 0.1 --strict
	is $? 2 "--strict: the whole machine or nothing"
	nobody --list 'c*'
	is $? 0 "--list needs no rights"
	like "$(cat "$tmp/out")" '^ *(cs|context-switches|cpu-clock)' "and lists what there is"
else
	skip 1 "perf_event_paranoid is $paranoid: nobody may watch anything"
fi

done_testing
