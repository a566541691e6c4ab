#!/bin/sh
# SPDX-License-Identifier: MIT
# It stays responsive: with a decoder that is behind, a reader that gets no CPU, threads that cannot
# start, system calls that fail.
. "${0%/*}/../lib.sh"
. "${0%/*}/json.sh"
. "${0%/*}/holdthread.sh"
event=syscalls:sys_enter_getppid
need_event $event

# Whether the process still runs: a zombie does not.
is_running()
{
	state=$(cut -d' ' -f3 "/proc/$1/stat" 2>/dev/null) && [ "$state" != Z ]
}

has_ended()
{
	not is_running "$1"
}

lines()
{
	[ "$(wc -l <"$tmp/out")" -ge "$1" ]
}

start()
{
	rm -f "$tmp/out"
	"$@" >"$tmp/out" 2>"$tmp/err" &
	us=$!
	at_exit '[ -z "$us" ] || kill -KILL $us 2>/dev/null'
	wait_until 10 test -f "$tmp/out"
}

# Its exit status in $status.
reap()
{
	status=0
	wait $us || status=$?
	us=
}

# --- a decoder that takes 50 ms a block ---------------------------------------------------------
# The contents of the rings and the queue keep it busy for 6 s; ticks and signals do not wait for that.

cpus=$("$PERFTOP" -j -n 1 -d 0.01 -e $event | sed 's/.*"cpus":\[\([0-9,]*\)\],"events".*/\1/')
for cpu in $(echo "$cpus" | tr , ' '); do
	taskset -c "$cpu" "$BUILD/tests/helpers/getppid" &
	loops="${loops-} $!"
done
at_exit '[ -z "$loops" ] || kill $loops 2>/dev/null'

start env DECODER_MSEC=50 "$BUILD/tests/helpers/perftop-slow" -j -c 1 -d 0.2 -e $event
ok "a slow decoder: snapshots go on" wait_until 10 lines 12
kill -INT $us
ok "and SIGINT ends it" wait_until 3 has_ended $us
reap
is $status 0 "with success"
final=$(tail -n 1 "$tmp/out")
like "$final" '^\{"schema":1,"final":true,.*"behind":\[[0-9]' "the last line has the CPUs whose records were not all decoded"
is "$(event_field "$final" $event balanced)" null "no balance is claimed"
ok "and its counts are current" [ "$(event_field "$final" $event total)" -gt 100000 ]
is "$(sed -n 's/.*"balanced":\([a-z]*\),"tasks_known".*/\1/p' "$tmp/out" | sort -u)" null "nor did any before"

# Recording waits for everything; the second signal does not.
start env DECODER_MSEC=50 "$BUILD/tests/helpers/perftop-slow" -j -c 1 -d 0.2 -e $event --record "$tmp/data"
wait_until 10 lines 5
kill -INT $us
sleep 0.5
ok "a recording is drained after SIGINT" is_running $us
kill -INT $us
ok "a second one ends it at once" wait_until 5 has_ended $us
reap
is $status 130 "with that exit status"
kill $loops
loops=

# --- a reader that does not run ------------------------------------------------------------------

start "$PERFTOP" -j -d 0.2 -e cs
if hold_thread $us perftop-reader; then
	before=$(wc -l <"$tmp/out")
	ok "a reader that does not run: snapshots go on" wait_until 10 lines $((before + 4))
	like "$(tail -n 1 "$tmp/out")" '"silent":\[[0-9]+\],"behind":\[\]' "and name the CPU that is silent"
	like "$(tail -n 1 "$tmp/out")" '"name":"cs".*"at_least":true' "and mark its event as at least"
	kill -INT $us
	ok "SIGINT ends it" wait_until 5 has_ended $us
	like "$(tail -n 1 "$tmp/out")" '"final":true,.*"silent":\[[0-9]+\]' "with a final line that names it, too"
	kill $holder
	wait $holder
	holder=
	wait $us
	us=
	is_message "$(cat "$tmp/err")" "a reader that does not run: why it was left behind"
else
	diag "$(cat "$tmp/holds")"
	skip 6 "threads may not be traced here"
	kill $us
	wait $us
	us='' holder=''
fi

# --- a decoder that does not run -----------------------------------------------------------------
# As while other processes close tracepoints, for which the kernel lets an open wait.

start "$PERFTOP" -j -d 0.2 -e cs
if hold_thread $us perftop-decoder; then
	kill -INT $us
	ok "a decoder that does not run: SIGINT ends it" wait_until 5 has_ended $us
	kill $holder
	wait $holder
	holder=
	reap
	is $status 1 "as a failure: its final figures are missing"
	is_message "$(cat "$tmp/err")" "a decoder that does not run: why"
else
	skip 3 "threads may not be traced here"
	kill $us
	wait $us
	us='' holder=''
fi

# --- what fails ----------------------------------------------------------------------------------

# fails WHAT INJECTION STATUS [OPTION...]: the n-th call of its kind fails
fails()
{
	what=$1 injection=$2 expected=$3
	shift 3
	status=0
	timeout -s KILL 20 strace -f -qq -o /dev/null -e inject="$injection" \
		"$PERFTOP" -j -d 0.1 -n 3 -e cs "$@" >"$tmp/out" 2>"$tmp/err" </dev/null || status=$?
	is $status "$expected" "$what: exit status $expected"
	if [ "$expected" = 0 ]; then
		is "$(wc -l <"$tmp/out")" 3 "$what: all lines"
	else
		is "$(grep -c '^perftop-ng: ' "$tmp/err") $(wc -l <"$tmp/err")" '1 1' \
			"$what: one line says why" || diag "$(cat "$tmp/err")" >&2
	fi
}

if ASAN_OPTIONS="${ASAN_OPTIONS-}:detect_leaks=0" && export ASAN_OPTIONS &&
	strace -f -qq -o /dev/null -e inject=eventfd2:error=ENOMEM "$PERFTOP" --version >/dev/null 2>&1; then
	# ThreadSanitizer starts a thread before ours.
	case $BUILD in *-thread) own=1 ;; *) own=0 ;; esac
	# The one that reads /proc, without which the rest is known; readers, the decoder.
	for nth in 1 2 3 4; do
		case $nth:$cpus in
		1:*) fails "thread $nth cannot start" clone3:error=EAGAIN:when=$((nth + own)) 0 ;;
		[23]:* | 4:*,*) fails "thread $nth cannot start" clone3:error=EAGAIN:when=$((nth + own)) 1 ;;
		*) skip 2 'fewer threads on one CPU' ;;
		esac
	done
	fails 'no eventfd' eventfd2:error=EMFILE 1
	fails 'no timer' timerfd_create:error=EMFILE 1
	fails 'no pipe' pipe2:error=EMFILE 1
	fails 'no epoll' epoll_create1:error=ENOMEM 1
	fails 'no signalfd' signalfd4:error=EMFILE 1
	fails 'epoll_wait fails in mid-run' epoll_wait:error=ENOMEM:when=2 1
	fails 'poll fails once' poll:error=ENOMEM:when=3 0
	fails 'poll fails from then on' poll:error=ENOMEM:when=3+ 0
	fails 'no pidfd for a command' pidfd_open:error=ENOSYS 1 -- sleep 1
else
	skip 1 'no strace that may inject errors'
fi
done_testing
