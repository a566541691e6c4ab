#!/bin/sh
# SPDX-License-Identifier: MIT
# --verify: the count in every sample is that of samples and losses before it, whatever is lost.
. "${0%/*}/../lib.sh"
. "${0%/*}/json.sh"

need nm
event=syscalls:sys_enter_getppid
getppid=$BUILD/tests/helpers/getppid
need_event $event
"$PERFTOP" --verify --batch -n 1 -d 0.01 -e $event >/dev/null 2>"$tmp/err"
# What else goes wrong fails below.
! grep -q -e '--verify needs Linux' "$tmp/err" || skip_all "$(cat "$tmp/err")"

program=$PERFTOP

# run WHAT OPTION... : the final line of $program is in $final, the exit status in $status
run()
{
	what=$1
	shift
	"$program" -j --verify "$@" >"$tmp/out" 2>"$tmp/err"
	status=$?
	final=$(tail -n 1 "$tmp/out")
	checked=$(last_field "$final" checked)
	wrong=$(($(last_field "$final" missing) + $(last_field "$final" extra)))
}

# Only tasks make these: some kernels write no samples of an idle CPU, which is a violation.  So is a page fault
# inside of perf's own code, which the kernel counts and does not sample.
run "every call" -e $event,raw_syscalls:sys_enter,raw_syscalls:sys_exit,syscalls:sys_exit_getppid \
	-a -- "$getppid" 100000
is "$status" 0 "$what: ends with success"
is "$wrong" 0 "nothing is missing"
sampled=0
for name in $event raw_syscalls:sys_enter raw_syscalls:sys_exit syscalls:sys_exit_getppid; do
	sampled=$((sampled + $(event_field "$final" $name sampled)))
done
is "$checked" "$sampled" "each sample of each event was checked"
ok "also those of the calls ($checked)" [ "$checked" -gt 400000 ]
like "$final" '"verify":{"events":4,.*"first":null}}$' "of four events, without a violation"

# A reader on another CPU may keep up with small rings, but not with a decoder that takes 10 ms for each block.
program=$BUILD/tests/helpers/perftop-slow
run "rings of one page" -m 1 --blocks 2 -e $event,raw_syscalls:sys_enter -a -- "$getppid" 100000
program=$PERFTOP
is "$status" 0 "$what: ends with success"
ok "samples are lost" [ "$(last_field "$final" lost)" != 0 ]
is "$wrong" 0 "and what is lost is not missing"

run "one in seven" -c 7 -e $event -a -- "$getppid" 100000
is "$(last_field "$final" missing)" 0 "$what: nothing is missing"
# Two of each CPU's first event, before Linux 6.13: see accounting.t.sh.
extra=$(last_field "$final" extra)
ok "nor extra, or the kernel's two on each CPU ($extra)" [ "$extra" -le $((2 * $(nproc))) ]
is "$status" $((extra > 0)) "which is a violation"
ok "samples were checked ($checked)" [ "$checked" -gt 14000 ]

watched=$BUILD/tests/helpers/watched
for probe in "mem:0x$(nm "$watched" | sed -n 's/ [tT] watched_function$//p'):x" "uprobe:$watched:watched_function"; do
	if [ "${probe#mem:}" != "$probe" ] && ! have_breakpoints; then
		skip 1 "$(head -n 1 "$tmp/why-not")"
	elif can_watch "$probe"; then
		run "$probe" -e "$probe" -a -- "$watched" 5 1000
		is "$status $wrong $checked" "0 0 1000" "$what: nothing is missing"
	else
		skip 1 "$probe cannot be watched here: $(head -n 1 "$tmp/why-not")"
	fi
done

run "clocks" -e cpu-clock,task-clock -n 1 -d 0.1
is "$status $checked" "0 0" "$what are not sampled by period"
"$PERFTOP" --verify --batch -e cpu-clock -n 1 -d 0.1 >"$tmp/out" 2>&1
like "$(cat "$tmp/out")" 'final: nothing to verify' "which the text says"

# What an idle CPU makes: whether samples are missing depends on the kernel.
run "an idle CPU" -e "timer:hrtimer_expire_entry,$event" -n 2 -d 0.5
is "$status" "$((wrong > 0))" "$what: the exit status is 1 if samples are missing ($wrong)"
is "$(grep -c -e '--verify: of ' "$tmp/err")" "$((wrong > 0))" "which is said once"
if [ "$wrong" -gt 0 ]; then
	like "$final" '"first":{"event":"[a-z:_]*","cpu":[0-9]*,"at":[0-9.e-]*,"comm":' "with the sample"
	like "$final" '"notes":\[.*"verify: timer:hrtimer_expire_entry on cpu' "and as a note"
else
	skip 2 "no sample of an idle CPU is missing here"
fi

cat >"$tmp/script" <<EOS
wait 2
key 6
dump
key p ^U
type $$
key Enter
wait 1
dump
EOS
COLUMNS=120 LINES=24 "$PERFTOP" --verify -d 0.1 -e $event --script "$tmp/script" >"$tmp/out" 2>"$tmp/err"
is "$?" 0 "on the screen"
like "$(cat "$tmp/out")" 'verified [0-9]* samples of 1 event: 0 missing, 0 too many' "Throttling says it"
like "$(cat "$tmp/out")" '--verify is for the events of CPUs' "a change to tasks is refused"

done_testing
