#!/bin/sh
# SPDX-License-Identifier: MIT
# What a run leaves behind: no process, no open pipe, no file.
. "${0%/*}/../lib.sh"
. "${0%/*}/json.sh"
need_event cs
can_watch sched:sched_switch && events='cs,sched:*' || events=cs

# Processes of this binary, the children of pid 1 that only wait to be reaped left out.
program=$(readlink -f "$PERFTOP")
survivors()
{
	for proc in /proc/[0-9]*; do
		[ "$(readlink "$proc/exe" 2>/dev/null)" = "$tmp/perftop-ng" ] && echo "${proc#/proc/}"
	done
	return 0
}

nobody_left()
{
	[ -z "$(survivors)" ]
}

# A copy, so that no other run of the program is taken for ours.
cp "$program" "$tmp/perftop-ng"

# --- processes -------------------------------------------------------------------------------

"$tmp/perftop-ng" -j -n 1 -d 0.1 -e "$events" >"$tmp/out" 2>"$tmp/err"
is $? 0 "a run of many events"
ok "no process is left soon after" wait_until 10 nobody_left
is "$(ls "$tmp" | sort | tr '\n' ' ')" "err out perftop-ng why-not " "and no file"

# Closing tracepoints takes the kernel long.  A reader of our output must not wait for the process that
# does it, which keeps other files, as the one of fd 9, up to its end.
now_ms()
{
	echo $(($(date +%s%N) / 1000000))
}
mkfifo "$tmp/kept"
{ cat && now_ms; } <"$tmp/kept" >"$tmp/closed" &
reader=$!
{
	"$tmp/perftop-ng" -j -n 1 -d 0.1 -e "$events" 2>/dev/null 9>"$tmp/kept"
	exec >/dev/null
	now_ms >"$tmp/ended"
} | cat >"$tmp/out"
ended=$(cat "$tmp/ended")
output=$(($(now_ms) - ended))
wait $reader
closed=$(($(cat "$tmp/closed") - ended))
if [ $closed -ge 200 ]; then
	ok "the end of the pipe comes with the end of the program ($output ms, closed in $closed)" \
		[ $output -lt $((closed / 2)) ]
else
	skip 1 "the kernel closes the events within $closed ms"
fi
ok "no process is left then" wait_until 10 nobody_left

# --- signals, of all kinds and at all moments ----------------------------------------------------

# A shell with a trap loses a signal to a child that it has forked and that has not called exec yet.
has_begun()
{
	[ "$(readlink "/proc/$us/exe")" = "$tmp/perftop-ng" ]
}

# Not wait_until, whose steps are longer than the moments below.
wait_begun()
{
	tries=5000
	until has_begun || [ $tries -eq 0 ]; do tries=$((tries - 1)); done
}

for pause in 0 0.005 0.02 0.05 0.1 0.2; do
	"$tmp/perftop-ng" -j -d 0.05 -e "$events" >"$tmp/out" 2>/dev/null &
	us=$!
	at_exit 'kill -KILL $us 2>/dev/null'
	wait_begun
	sleep $pause
	kill -TERM $us
	wait $us 2>/dev/null
	us=
done
ok "SIGTERM at six moments leaves no process" wait_until 10 nobody_left

rm -f "$tmp/out" # or the one of the run before would do for the wait below
"$tmp/perftop-ng" -j -d 0.05 -e "$events" >"$tmp/out" 2>/dev/null &
us=$!
wait_until 10 test -s "$tmp/out"
kill -KILL $us
wait $us 2>/dev/null
us=
ok "SIGKILL leaves no process" wait_until 10 nobody_left

# --- the command it watched -----------------------------------------------------------------------

rm -f "$tmp/out"
"$tmp/perftop-ng" -j -d 0.05 -e cs -- sh -c "echo \$\$ >'$tmp/child'; exec sleep 1000" >"$tmp/out" 2>/dev/null &
us=$!
wait_until 10 test -s "$tmp/child" && wait_until 10 test -s "$tmp/out"
kill -INT $us
wait $us
us=
ok "the command ends with us" not kill -0 "$(cat "$tmp/child")" 2>/dev/null

# One that ignores SIGTERM must not keep us from exiting.
rm -f "$tmp/child" "$tmp/out"
"$tmp/perftop-ng" -j -d 0.05 -e cs -- \
	sh -c "trap '' TERM; echo \$\$ >'$tmp/child'; while :; do sleep 0.1; done" >"$tmp/out" 2>/dev/null &
us=$!
wait_until 10 test -s "$tmp/child" && wait_until 10 test -s "$tmp/out"
at_exit 'kill -KILL "$(cat "$tmp/child")" 2>/dev/null'
kill -INT $us
ok "a command that ignores SIGTERM does not keep us from exiting" wait_until 8 not kill -0 $us
kill -KILL "$(cat "$tmp/child")" 2>/dev/null
wait $us
us=

# Killed while the command waits for its start, or runs: it is not left waiting for ever.
"$tmp/perftop-ng" -j -d 0.05 -e "$events" -- sleep 0.5 >"$tmp/out" 2>/dev/null &
us=$!
sleep 0.02
kill -KILL $us
wait $us 2>/dev/null
us=
ok "killed at its start, it leaves no command that was not started" wait_until 10 nobody_left

done_testing
