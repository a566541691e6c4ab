#!/bin/sh
# SPDX-License-Identifier: MIT
# What each level of kernel.perf_event_paranoid leaves to a user without rights; what none opens.
. "${0%/*}/../lib.sh"
. "${0%/*}/../live/json.sh"
need_guest

knob=/proc/sys/kernel/perf_event_paranoid
before=$(cat "$knob")
at_exit "echo $before >$knob"
at_exit 'mount -o remount,gid=0,mode=700 /sys/kernel/tracing'
mount -o remount,gid=65534,mode=750 /sys/kernel/tracing

# Nobody cannot read the build directory of root.
chmod 755 "$tmp"
cp "$PERFTOP" "$tmp/"
drop='setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all'
$drop sleep 1000 &
theirs=$!
at_exit 'kill $theirs'

# nobody ARG...: the last line is in $last
nobody()
{
	(cd / && exec $drop timeout 20 "$tmp/perftop-ng" -j -n 1 -d 0.1 "$@") >"$tmp/out" 2>"$tmp/err" || :
	last=$(tail -n 1 "$tmp/out")
}

# opens EVENT STATE WHERE: what becomes of it there; "failed": there is no row of that name, as nothing
# runs, or as it is opened in user mode only, with :u
opens()
{
	want="$2"
	[ "$2" != on ] || want='"on"'
	[ "$2" != failed ] || want=''
	nobody $3 -e "$1"
	is "$(event_field "$last" "$1" state)" "$want" "level $level, ${3:-the whole machine}: $1: $2"
}

for level in -1 0 1 2; do
	echo $level >"$knob"
	case $level in
	-1 | 0) machine=on own=on ;;
	1) machine=failed own=on ;;
	2) machine=failed own=failed ;;
	esac
	opens page-faults $machine -a
	opens sched:sched_switch $machine -a
	[ $machine != on ] || is "$(event_field "$last" sched:sched_switch reason)" null "batch needs no fields"
	opens sched:sched_wakeup $machine -a
	[ $level != -1 ] || is "$(event_field "$last" sched:sched_wakeup reason)" null "with its fields"
	[ $level != 0 ] || is_message "$(event_field "$last" sched:sched_wakeup reason)" "no rights: fields"
	opens page-faults $own "-p $theirs"
	opens page-faults:u on "-p $theirs"
	opens sched:sched_switch $own "-p $theirs"
	opens syscalls:sys_enter_nanosleep:u on "-p $theirs"

	for where in -a "-p $theirs"; do
		nobody $where -e mem:0xffffffff81000000:w
		is_message "$(head -n 1 "$tmp/err")" "no rights: a breakpoint in the kernel"
		nobody $where -e kprobe:do_exit
		is_message "$(head -n 1 "$tmp/err")" "no rights: a probe in the kernel"
	done
done

for level in 3 4; do
	if echo $level >"$knob" 2>/dev/null && [ "$(uname -v | grep -c Debian)" = 1 ]; then
		opens page-faults failed -a
		opens page-faults:u failed "-p $theirs"
	else
		skip 2 "no level $level here"
	fi
done
done_testing
