#!/bin/sh
# SPDX-License-Identifier: MIT
# The books: every call counted, and each one either sampled or lost, whatever the rings hold.
. "${0%/*}/../lib.sh"
. "${0%/*}/json.sh"

event=syscalls:sys_enter_getppid
calls=100000
[ "${ACCOUNTING-}" != all ] || calls=300000
getppid=$BUILD/tests/helpers/getppid
need_event $event
all=$((calls + $(own_calls)))

program=$PERFTOP

# run WHAT OPTION... : the final line of $program is in $final
run()
{
	what=$1
	shift
	"$program" -j -e $event "$@" >"$tmp/out" 2>"$tmp/err"
	is $? 0 "$what: ends with success"
	final=$(tail -n 1 "$tmp/out")
	is "$(grep -c '"final":true' "$tmp/out")" 1 "one final line"
	like "$final" '"final":true' "which comes last"
	is "$(cat "$tmp/err")" '' "nothing on stderr"
}

# The figures of $event, which is sampled every time.
check_books()
{
	total=$(event_field "$final" "$1" total)
	sampled=$(event_field "$final" "$1" sampled)
	lost=$(event_field "$final" "$1" lost)
	is "$((sampled + lost))" "$total" "$1: total == sampled + lost ($total, $sampled, $lost)"
	ok "on every CPU" are_books_balanced "$final" "$1"
	is "$(event_cpus "$final" "$1" | sum_of 2)" "$total" "the CPUs' totals are the total"
	is "$(event_field "$final" "$1" balanced)" true "it is reported as balanced"
}

run "rings of the default size" -c 1 -- "$getppid" $calls
is "$(event_field "$final" $event total)" $all "every call is counted"
exact=false
! "$PERFTOP" --doctor | grep -q '^ok *PERF_FORMAT_LOST' || exact=true
is "$(event_field "$final" $event lost_exact)" $exact "losses are exact if the kernel counts them"
check_books $event
is "$(last_field "$final" balanced)" true "the whole is balanced"
is "$(last_field "$final" host)" "\"$(uname -n)\"" "it names the host"
is "$(last_field "$final" kernel)" "\"$(uname -r)\"" "and the kernel"
is "$(last_field "$final" corrupt)" 0 "no ring was corrupt"
is "$(last_field "$final" unknown_records)" 0 "no record was unknown"

run "rings of one page" -m 1 -c 1 -- "$getppid" $calls
is "$(event_field "$final" $event total)" $all "every call is counted"
check_books $event

# A reader on another CPU may keep up even so, but not with a decoder that takes 10 ms for each block.
program=$BUILD/tests/helpers/perftop-slow
run "one page, and two blocks for each reader" -m 1 --blocks 2 -c 1 -- "$getppid" $calls
program=$PERFTOP
is "$(event_field "$final" $event total)" $all "every call is counted"
check_books $event
ok "some are lost ($lost)" [ "$lost" -gt 0 ]
is "$(last_field "$final" lost)" "$lost" "and the sum has them"
is "$(last_field "$final" balanced)" true "the whole is balanced"

run "by frequency" -- "$getppid" $calls
is "$(event_field "$final" $event total)" $all "every call is counted"
is "$(event_field "$final" $event balanced)" null "the books cannot be checked"
ok "few are sampled" [ "$(event_field "$final" $event sampled)" -lt $((calls / 10)) ]

# The counter of each CPU keeps its own remainder.  Before Linux 6.13, and updates of
# earlier kernels, its first event makes two samples (commit afe5960dc208).
run "every tenth" -c 10 -- "$getppid" $calls
is "$(event_field "$final" $event total)" $all "every call is counted"
tenths=$(($(event_field "$final" $event sampled) + $(event_field "$final" $event lost)))
ok "a tenth is sampled or lost ($tenths)" \
	[ "$tenths" -le $((calls / 10 + 2 * $(nproc))) -a "$tenths" -ge $((calls / 10 - $(nproc))) ]

# The whole machine, several events in one ring, and a load that overflows it.  Software events are not
# among them: one that happens inside of perf's own code is counted by the kernel and not sampled.
others=raw_syscalls:sys_enter,raw_syscalls:sys_exit,sched:sched_switch
run "the whole machine" -a -m 1 -c 1 -d 0.2 -e $others -- "$getppid" $((calls / 5))
ok "the load and more is counted" \
	[ "$(event_field "$final" raw_syscalls:sys_enter total)" -ge $((calls / 5)) ]
for e in $event $(echo $others | tr , ' '); do
	check_books "$e"
done
is "$(last_field "$final" balanced)" true "the whole is balanced"

# Beside perf, in one run.
if command -v perf >/dev/null 2>&1; then
	run "beside perf stat" -c 1 -- perf stat -x, -o "$tmp/stat" -e $event "$getppid" $calls
	is "$(sed -n "s/^\([0-9]*\),.*$event.*/\1/p" "$tmp/stat")" "$(event_field "$final" $event total)" \
		"perf stat counts the same"
	check_books $event
else
	skip 1 "no perf here"
fi

done_testing
