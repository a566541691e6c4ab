#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Events that take long to open: the screen is there before they are, and says so.
. "${0%/*}/../lib.sh"
. "${0%/*}/json.sh"
need tmux strace
need_event sched:sched_switch
strace -e trace=none true 2>/dev/null || skip_all "strace may not trace here"

# Each takes 20 ms and CPU, those of the ring, too.
slow="strace -f --seccomp-bpf -o /dev/null -e trace=perf_event_open -e inject=perf_event_open:delay_enter=20000"
events=$(paste -sd, <<-'END'
	sched:sched_switch
	sched:sched_wakeup
	sched:sched_process_fork
	sched:sched_process_exec
	sched:sched_process_exit
	sched:sched_process_wait
	sched:sched_wakeup_new
	sched:sched_migrate_task
	sched:sched_stat_runtime
	syscalls:sys_enter_getppid
	syscalls:sys_enter_openat
	syscalls:sys_enter_close
	syscalls:sys_enter_read
	syscalls:sys_enter_write
	syscalls:sys_enter_futex
	syscalls:sys_enter_poll
	END
)

have_figures()
{
	[ "$(tm_screen | grep -cE '^.* (sched|syscalls):[a-z_]+ +[0-9~≥]')" -eq 16 ]
}

# shellcheck disable=SC2086 # words
tm_start 120x40 $slow "$PERFTOP" -d 0.5 -e "$events"
ok "the head says how many of them are not" tm_wait '^perftop-ng .*opening events: ([1-9]|1[0-5]) left '
ok "which the row of one that is not says, too" tm_sees 'not opened yet'
ok "then all are open" wait_until 20 not tm_sees 'opening events'
ok "and no row says otherwise" wait_until 10 not tm_sees 'not opened yet'
ok "each has figures at the end of its first interval" wait_until 10 have_figures
tm_keys q
is "$(tm_exit)" 0 "q ends it"
tm_end

# shellcheck disable=SC2086
tm_start 120x40 $slow "$PERFTOP" -d 0.5 -e "$events"
tm_wait 'opening events:'
tm_keys f
ok "one is switched off before they are open" tm_wait ' off$'
ok "the others are opened" wait_until 20 not tm_sees 'opening events'
ok "and it stays off" tm_sees ' off$'
tm_keys q
is "$(tm_exit)" 0 "q ends it"
tm_end

# shellcheck disable=SC2086
tm_start 120x40 $slow "$PERFTOP" -d 0.5 -e "$events"
tm_wait 'opening events:'
tm_keys q
is "$(tm_exit)" 0 "q ends it before they are open"
tm_end

# What is to be the same at each run waits for all of them.
attrs=$($slow "$PERFTOP" --dump-attr -e "$events")
is "$(echo "$attrs" | grep -cE '^(sched|syscalls):.* \(on\)$')" 16 "--dump-attr opens all"
echo dump >"$tmp/script"
$slow "$PERFTOP" -d 0.5 -e "$events" --script "$tmp/script" >"$tmp/dump"
unlike "$(cat "$tmp/dump")" 'opening|not opened yet' "a script begins when all are open"
done_testing
