#!/bin/sh
# SPDX-License-Identifier: MIT
# --filter: the kernel counts what matches and nothing else, and faults are reported with their place.
. "${0%/*}/../lib.sh"
. "${0%/*}/json.sh"

event=syscalls:sys_enter_getppid
need_event $event
cp "$BUILD/tests/helpers/getppid" "$tmp/alpha"
cp "$BUILD/tests/helpers/getppid" "$tmp/beta"

# Two processes that are started before the events are opened, and call when the gate opens.
mkfifo "$tmp/gate1" "$tmp/gate2"
# (A sanitizer's search for leaks makes calls, too.)
sh -c 'export ASAN_OPTIONS=detect_leaks=0; read -r go <"$0"; exec "$1" 1000' "$tmp/gate1" "$tmp/alpha" &
first=$!
sh -c 'export ASAN_OPTIONS=detect_leaks=0; read -r go <"$0"; exec "$1" 500' "$tmp/gate2" "$tmp/beta" &
second=$!
at_exit 'kill $first $second 2>/dev/null'

# Ended by a signal it would not wait for a decoder that gets no CPU for half a second.
"$PERFTOP" -j -c 1 -d 0.1 -n 20 -e $event --filter "common_pid == $first" \
	-e raw_syscalls:sys_enter --filter 'comm == "beta"' --filter "id == 110" \
	-e sched:sched_process_exit --filter "common_pid == $first" --filter "common_pid == $second" \
	>"$tmp/out" 2>"$tmp/err" &
us=$!
at_exit 'kill $us 2>/dev/null'
wait_until 10 test -s "$tmp/out"
echo go >"$tmp/gate1"
echo go >"$tmp/gate2"
wait $first $second
wait $us
is $? 0 "ends with success"
# Reaped: at_exit must not signal other processes.
first_pid=$first first='' second='' us=''
is "$(cat "$tmp/err")" '' "with nothing on stderr"
final=$(tail -n 1 "$tmp/out")
is "$(event_field "$final" $event total)" 1000 "by common_pid: the calls of one process, not of the other"
is "$(event_field "$final" $event sampled)" 1000 "each one a sample"
is "$(event_field "$final" $event balanced)" true "and the books balance"
[ "$(uname -m)" = x86_64 ] &&
	is "$(event_field "$final" raw_syscalls:sys_enter total)" 500 "by comm and call: those of the other"
is "$(event_field "$final" sched:sched_process_exit total)" 0 "two filters that exclude each other match nothing"
like "$final" "\"filter\":\"common_pid == $first_pid\"[,}]" "the row says what its filter is"
like "$final" '"filter":"\(comm == \\"beta\\"\) && \(id == 110\)"' "several are and-ed"

# What our check accepts the kernel accepts, too.
set -- 'prev_pid == 1' 'prev_pid&1&&prev_pid&2' 'prev_pid >= -0x5' 'prev_pid == 010' '!!prev_pid == 1' \
	'((prev_pid == 1) || !(prev_pid == 2 && CPU == 0)) && cpu != 1' "COMM == 'x' || comm ~ \"ba*\"" \
	'prev_comm == ""' 'prev_comm != "a b && ( c"' 'common_type == 1 && common_flags < 255' \
	'  prev_pid	!=  -1 '
args=
for filter; do
	printf '%s\n' "$filter"
done >"$tmp/filters"
while IFS= read -r filter; do
	args="$args -e sched:sched_switch --filter $(printf "%s" "$filter" | sed "s/'/'\\\\''/g;s/^/'/;s/\$/'/")"
done <"$tmp/filters"
eval "\"\$PERFTOP\" --dump-attr $args" >"$tmp/out" 2>&1
is "$(grep -c '^sched:sched_switch (on)' "$tmp/out")" $# "the kernel accepts what the check accepts"
is "$(sed -n 's/^  filter  *\(.*\)/\1/p' "$tmp/out" | head -n 1)" 'prev_pid == 1' "--dump-attr shows it"

# refused WHAT STATUS OPTION...
refused()
{
	what=$1 want=$2
	shift 2
	"$PERFTOP" --batch -n 1 -d 0.05 "$@" >/dev/null 2>"$tmp/err"
	is $? "$want" "$what: exit $want"
}

refused "an unknown field" 1 -e sched:sched_switch --filter 'CPU == 0 && prev_pidd == 1'
is_message "$(cat "$tmp/err")" "--filter: an unknown field, with its place, the nearest and the fields"
refused "the same with --strict" 2 --strict -e cs -e sched:sched_switch --filter 'pid ='
refused "an event without fields" 1 -e cs --filter 'prev_pid == 1'
is_message "$(cat "$tmp/err")" "--filter: an event without fields"
refused "a filter before any event" 129 --filter 'prev_pid == 1' -e cs
refused "one bad row beside a good one" 0 -e cs -e sched:sched_switch --filter 'prev_pid'
refused "a glob of which none has the field" 1 -e 'sched:*' --filter 'zzz == 1'
is_message "$(grep -F ' more of sched:' "$tmp/err")" "--filter: many of a glob"
ok "and is reported a few times only" [ "$(wc -l <"$tmp/err")" -lt 20 ]
if grep -q 'void \* function' /sys/kernel/tracing/events/timer/timer_start/format 2>/dev/null &&
	perf stat -e timer:timer_start --filter 'function.function == do_exit' true >/dev/null 2>&1; then
	refused "what only the kernel can know" 1 -e timer:timer_start \
		--filter 'function.function == no_such_function'
	is_message "$(cat "$tmp/err")" "--filter: what only the kernel can know"
else
	skip 2 "this kernel has no .function"
fi
done_testing
