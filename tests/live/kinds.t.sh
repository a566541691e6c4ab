#!/bin/sh
# SPDX-License-Identifier: MIT
# One event of every kind, counted where the count is known; where this machine does not support it,
# the row has the right reason.
. "${0%/*}/../lib.sh"
. "${0%/*}/json.sh"
need nm
need_event cs

watched=$BUILD/tests/helpers/watched
pmus=/sys/bus/event_source/devices

# watch EVENT COMMAND... : the final line is in $final
watch()
{
	event=$1
	shift
	"$PERFTOP" -j -c 1 -d 0.2 -e "$event" -- "$@" >"$tmp/out" 2>"$tmp/err"
	is $? 0 "-e '$event' runs"
	final=$(tail -n 1 "$tmp/out")
}

# counted EVENT TOTAL
counted()
{
	watch "$1" "$watched" 5 1000
	is "$(event_field "$final" "$1" total)" "$2" "and counts $2"
	is "$(event_field "$final" "$1" balanced)" true "and its books balance"
}

# Names with slashes, as json.sh's sed patterns want them.
event_text()
{
	printf '%s\n' "$1" | awk -v name="{\"name\":\"$2\",\"kind\"" \
		'{ at = index($0, name); if (at) { $0 = substr($0, at); sub(/\],"unit":.*/, ""); print } }'
}

# row EVENT: state and reason of its row, from an own run
row()
{
	"$PERFTOP" -j -n 1 -d 0.1 -e "$1" -e cs >"$tmp/row" 2>/dev/null
	state_and_reason "$(cat "$tmp/row")" "$1"
}

# state_and_reason LINE EVENT
state_and_reason()
{
	event_text "$1" "$2" | sed -n 's/.*"state":"\([a-z]*\)","reason":"\{0,1\}\(null\|\([^"\\]\|\\.\)*\).*/\1: \2/p'
}

# --- breakpoints -----------------------------------------------------------------------------

variable=$(nm "$watched" | sed -n 's/ [dD] watched_variable$//p')
function=$(nm "$watched" | sed -n 's/ [tT] watched_function$//p')
if can_watch "mem:0x$variable/4:w"; then
	if have_breakpoints; then
		# In user mode: before Linux 6.1 QEMU hits it 508 times when exec clears the page's rest.
		counted "mem:0x$variable/4:w:u" 5
		counted "mem:0x$function:x" 1000
	else
		skip 6 "$(head -n 1 "$tmp/why-not")"
	fi
	is_message "$(row mem:0x1001/4:w)" "breakpoint: odd address"
	is_message "$(row mem:0x1000/3:w)" "breakpoint: odd length"
	is_message "$(row mem:0x1000/4:x)" "breakpoint: length of code"
	"$PERFTOP" -j -n 1 -d 0.1 -e mem:0x10:w,mem:0x20:w,mem:0x30:w,mem:0x40:w,mem:0x50:w >"$tmp/out" 2>/dev/null
	is_message "$(state_and_reason "$(cat "$tmp/out")" mem:0x50:w)" "breakpoint: the fifth"
else
	skip 8 "no breakpoints here: $(head -n 1 "$tmp/why-not")"
fi

# --- uprobes ---------------------------------------------------------------------------------

if [ -e $pmus/uprobe/type ] && can_watch "uprobe:$watched:watched_function"; then
	counted "uprobe:$watched:watched_function" 1000
	counted "uretprobe:$watched:watched_function" 1000
	is_message "$(row "uprobe:$watched:watched_functoin")" "uprobe: a slip in the symbol"
	is_message "$(row "uprobe:$watched:0xffffff")" "uprobe: behind the file's end"
	like "$(row uprobe:/proc/version:0x0)" '^failed: (EIO|EINVAL): ' "a file that cannot be probed"
	offset=$(printf '%x' $((0x$function - 0x400000)))
	counted "uprobe:$watched:0x$offset" 1000
else
	skip 12 "no uprobes here: $(head -n 1 "$tmp/why-not")"
fi

# --- PMUs ------------------------------------------------------------------------------------

if [ -e $pmus/msr/events/tsc ]; then
	watch msr/tsc/ "$watched" 5 1000
	like "$(event_field "$final" msr/tsc/ total)" '^[1-9][0-9]{3,}$' "and counts"
	is_message "$(state_and_reason "$final" msr/tsc/)" "PMU: does not sample"
	like "$("$PERFTOP" --batch -n 1 -d 0.1 -e msr/tsc,name=TSC/)" '^ *TSC  .*[0-9]' "name= names the row"
	is_message "$(row msr/tsc/u)" "PMU: has no user mode"
else
	skip 5 "no msr PMU here"
fi
is_message "$(row nopmu/event=1/)" "PMU: none of this name"

# --- software events -------------------------------------------------------------------------

software=$("$PERFTOP" --list software | awk '{ print $1 }')
ok "all software events of the kernel" [ "$(printf '%s\n' "$software" | wc -l)" -ge 11 ]
for event in $software; do
	ok "$event opens" "$PERFTOP" --strict --batch -n 1 -d 0.05 -e "$event"
done
watch "page-faults/period=3/" "$watched" 5 1000
like "$final" '"name":"page-faults/period=3/"' "terms of a software event"

# The kernel gives both samples the first one's id; see has_twin() in evset.c.
watch "page-faults,page-faults:u" "$watched" 5 1000
is_message "$(state_and_reason "$final" page-faults:u)" "software event: two on one counter"
is "$(event_field "$final" page-faults balanced)" true "and its books balance"
watch "cpu-clock,cpu-clock:u" "$watched" 5 1000
is "$(state_and_reason "$final" cpu-clock:u)" 'on: null' "two clocks both have samples: each has its own timer"

"$PERFTOP" -j -n 1 -d 0.1 -F 4001 -e cpu-clock >"$tmp/out"
is_message "$(state_and_reason "$(cat "$tmp/out")" cpu-clock)" "a clock that would sample too fast"
"$PERFTOP" --dump-attr -F 4001 --force -e cpu-clock >"$tmp/out"
like "$(cat "$tmp/out")" 'sample_freq *4001' "--force lets it; --dump-attr does not enable it"

# --- what this machine may not have ----------------------------------------------------------

if "$PERFTOP" --strict --batch -n 1 -d 0.05 -e cycles >"$tmp/out" 2>"$tmp/why-not"; then
	skip 4 "there is a hardware PMU here"
else
	is $? 2 "cycles without a PMU: --strict allows no substitute"
	like "$(cat "$tmp/why-not")" 'cycles: (ENOENT|EOPNOTSUPP)' "and says why"
	"$PERFTOP" -j -n 1 -d 0.1 -e cycles:k >"$tmp/out" 2>/dev/null
	like "$(tail -n 1 "$tmp/out")" '"name":"cpu-clock:k",.*,"asked":"cycles:k"' \
		"the substitute has the name that was asked for beside its own"
	"$PERFTOP" -x , -n 1 -d 0.1 -e cycles >"$tmp/out" 2>/dev/null
	like "$(tail -n 1 "$tmp/out")" ',cpu-clock,.*,ns,cycles,[0-9]*,[0-9]*,[0-9]*,[0-9.]*,[0-9.]*$' "in CSV, too, with its unit"
fi
ok "cycles of the default set may be a clock, also with --strict" \
	"$PERFTOP" --strict --batch -n 1 -d 0.1

for event in instructions LLC-loads r1a8; do
	if "$PERFTOP" --strict --batch -n 1 -d 0.05 -e $event >/dev/null 2>&1; then
		skip 1 "there is a hardware PMU here"
	else
		like "$(row $event)" '^failed: (ENOENT|EOPNOTSUPP): ' "$event"
	fi
done
if [ -e $pmus/kprobe/type ]; then
	ok "a kprobe opens" "$PERFTOP" --strict --batch -n 1 -d 0.1 -e kprobe:do_nanosleep
	is_message "$(row kprobe:no_such_function_here)" "kprobe: no such function"
else
	is_message "$(row kprobe:do_nanosleep)" "kprobe: not in this kernel"
	is_message "$(row kretprobe:do_nanosleep)" "kretprobe: not in this kernel"
fi

# Counted, and never sampled.
if can_watch irq_vectors:irq_work_exit; then
	is_message "$(row irq_vectors:irq_work_exit)" "tracepoint: never sampled"
else
	skip 1 "no irq_vectors:irq_work_exit here"
fi

# --- rights ----------------------------------------------------------------------------------

if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null &&
	[ "$(cat /proc/sys/kernel/perf_event_paranoid)" -eq 2 ]; then
	chmod 755 "$tmp"
	cp "$PERFTOP" "$watched" "$tmp"
	setpriv --reuid=65534 --regid=65534 --clear-groups "$tmp/perftop-ng" -j -c 1 -d 0.2 \
		-e page-faults,cs,page-faults:k,uprobe:/bin/sh:0x40 -- "$tmp/watched" 5 5 >"$tmp/out" 2>/dev/null
	final=$(tail -n 1 "$tmp/out")
	is_message "$(state_and_reason "$final" page-faults:u)" "no rights: the user's part"
	is_message "$(state_and_reason "$final" cs)" "no rights: in the kernel only"
	is_message "$(state_and_reason "$final" page-faults:k)" "no rights: asked for with a level"
	is_message "$(state_and_reason "$final" uprobe:/bin/sh:0x40)" "no rights: a probe"
else
	skip 4 "not root, no setpriv, or another kernel.perf_event_paranoid than 2"
fi

# --- names and lists -------------------------------------------------------------------------

id=$(cat /sys/kernel/tracing/events/sched/sched_switch/id)
watch "1:3,2:$id,tracepoint:sched:sched_switch" "$watched" 1 1
like "$final" '"name":"1:3","kind":"software"' "type:config, a software event"
like "$final" '"name":"2:[0-9]*","kind":"tracepoint"' "a tracepoint's id"
like "$final" '"name":"sched:sched_switch","kind":"tracepoint"' "bpftrace's prefix"
watch "sched:sched_switch/name=mine/" "$watched" 1 1
like "$final" '"name":"mine"' "a tracepoint under a name of the user's"
"$PERFTOP" --list -v >"$tmp/list"
for kind in hardware software cache raw pmu breakpoint kprobe uprobe tracepoint; do
	ok "--list has $kind" grep -q " $kind " "$tmp/list"
done
like "$("$PERFTOP" --list sched:sched_switch)" 'tracepoint +prev_comm prev_pid' "a tracepoint's fields"
like "$("$PERFTOP" --list 'msr/*')" 'msr/tsc/ +pmu +event=0x00|no event' "a PMU's terms"
ok "--list is quick" sh -c 'timeout 2 "$PERFTOP" --list >/dev/null'

done_testing
