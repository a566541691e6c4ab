#!/bin/sh
# SPDX-License-Identifier: MIT
# A recording in several files: each is whole by itself, and together they have everything.
. "${0%/*}/../lib.sh"
. "${0%/*}/json.sh"
. "${0%/*}/holdthread.sh"

need perf
need_event raw_syscalls:sys_enter
getppid=$BUILD/tests/helpers/getppid

# The earlier files, oldest first, and the last one.
files()
{
	ls "$tmp"/data.20* 2>/dev/null
	ls "$tmp/data"
}

# The members $* of the event, of each file a line.
members()
{
	for file in $(files); do
		"$PERFTOP" -j -i "$file" | tail -n 1 >"$tmp/line"
		for member; do
			event_field "$(cat "$tmp/line")" raw_syscalls:sys_enter "$member"
		done | tr '\n' ' '
		echo
	done
}

# Time of the first and of the last sample, as perf reads them and as the head says.
times_read()
{
	perf script -f -i "$1" -F time 2>/dev/null | tr -d ' :' | sort -n | sed -n '1p; $p'
}

times_said()
{
	perf report -f --header-only -i "$1" 2>/dev/null | sed -n 's/^# time of .* sample : //p'
}

# By size.  The shell runs before all but the first begin.
"$PERFTOP" -j -c 1 -d 0.1 -e raw_syscalls:sys_enter --record "$tmp/data" --record-every 1M \
	-- sh -c "for i in 1 2 3 4; do $getppid 30000; sleep 0.2; done; exec sleep 0.2" \
	>"$tmp/live" 2>"$tmp/err"
is "$? $(cat "$tmp/err")" '0 ' "by size: no error"
ok "by size: there are several files" test "$(files | wc -l)" -ge 4
for file in $(files); do
	perf report -f --stats -i "$file" >/dev/null 2>"$tmp/err"
	is "$? $(cat "$tmp/err")" '0 ' "perf report reads it: $(basename "$file" | cut -c1-6)"
	is "$(times_said "$file")" "$(times_read "$file")" "and it has its own times"
done
total=$(tail -n 1 "$tmp/live")
members total sampled lost >"$tmp/members"
column=0
for member in total sampled lost; do
	column=$((column + 1))
	is "$(awk -v at=$column '{ sum += $at } END { print sum }' "$tmp/members")" \
		"$(event_field "$total" raw_syscalls:sys_enter $member)" \
		"in all files together there is what the run has: $member"
done
perf script -f -i "$tmp/data" -F comm 2>/dev/null | sort -u >"$tmp/names"
like "$(cat "$tmp/names")" '^ *(sh|sleep)' "a task that ran before has its name in the last file"
unlike "$(cat "$tmp/names")" ':[0-9]' "and none has only a number"

# Tasks that end while the names for the next file are read have theirs, too.
rm -f "$tmp"/data*
"$PERFTOP" -j -c 1 -d 0.04 -e raw_syscalls:sys_enter --record "$tmp/data" --record-every 1B \
	-- sh -c "for i in \$(seq 300); do $getppid 100; done" >/dev/null 2>"$tmp/err"
is "$? $(cat "$tmp/err")" '0 ' "short-lived tasks: no error"
for file in $(files); do
	perf script -f -i "$file" -F comm 2>/dev/null
done | sort -u >"$tmp/names"
like "$(cat "$tmp/names")" getppid "short-lived tasks: they have their names"
unlike "$(cat "$tmp/names")" ':[0-9]' "in each file"

# A file begins at one time on all CPUs, or it would have forks of tasks of the one before: also when
# one CPU's ring is read 50 ms after the other's.
rm -f "$tmp"/data*
load="timeout 0.8 $getppid 1000000000"
"$PERFTOP" -j -c 300 -d 0.1 -e raw_syscalls:sys_enter --record "$tmp/data" --record-every 1B \
	-- sh -c "$load & $load; wait" >/dev/null 2>"$tmp/err" &
pid=$!
wait_until 10 find_thread $pid perftop-reader
while kill -0 $pid 2>/dev/null; do
	ASAN_OPTIONS=detect_leaks=0 timeout 0.05 "$BUILD/tests/helpers/holdthread" "$thread" >/dev/null 2>&1
	sleep 0.01
done
wait $pid
is "$? $(cat "$tmp/err")" '0 ' "a late reader: no error"
ok "a late reader: there are several files" test "$(files | wc -l)" -ge 4
for file in $(files); do
	times_read "$file"
done >"$tmp/times"
is "$(cat "$tmp/times")" "$(sort -n "$tmp/times")" "a late reader: no sample is earlier than those of the file before"

# A sample of an event that is not sampled each time has the event's count since the start of the run.
rm -f "$tmp"/data*
timeout 5 "$getppid" 1000000000 &
load=$!
"$PERFTOP" -j -n 10 -d 0.1 -e raw_syscalls:sys_enter --record "$tmp/data" --record-every 1B \
	>"$tmp/live" 2>"$tmp/err"
status=$?
kill $load
is "$status $(cat "$tmp/err")" '0 ' "counts: no error"
ok "counts: there are several files" test "$(files | wc -l)" -ge 4
total=$(event_field "$(tail -n 1 "$tmp/live")" raw_syscalls:sys_enter total)
members total >"$tmp/members"
ok "counts: in all files together there is what the run has, up to its last sample" \
	awk -v total="$total" '{ sum += $1 } END { exit sum > total || sum < 0.5 * total }' "$tmp/members"

# Of these the last ones are kept; by time.
rm -f "$tmp"/data*
"$PERFTOP" -j -d 0.5 -n 6 -e task-clock --record "$tmp/data" --record-every 1s --record-keep 2 \
	>/dev/null 2>"$tmp/err"
is "$? $(cat "$tmp/err")" '0 ' "by time: no error"
is "$(files | wc -l)" 2 "by time: two are kept"

# A link is one to another folder, where there may be room.
rm -f "$tmp"/data*
mkdir "$tmp/disk"
chmod 777 "$tmp/disk"
ln -s disk/data "$tmp/data"
"$PERFTOP" -j -d 0.1 -n 5 -e task-clock --record "$tmp/data" --record-every 1B >/dev/null 2>"$tmp/err"
is "$? $(cat "$tmp/err")" '0 ' "a link: no error"
ok "a link: it remains" test -L "$tmp/data"
ok "a link: all files are where it leads" test "$(ls "$tmp/disk" | wc -l)" -ge 2
rm -rf "$tmp/disk" "$tmp/data"

# Without a file to rename the recording goes on, and that is said.
"$PERFTOP" -j -d 0.5 -n 3 -e task-clock --record "$tmp/data" --record-every 1B >/dev/null 2>"$tmp/err" &
wait_until 10 test -s "$tmp/data"
rm "$tmp/data"
wait $!
is "$?" 1 "removed: exit 1"
is_message "$(cat "$tmp/err")" "--record-every: the file is not there any more"

# One that cannot be renamed grows on, with the times of all its samples.
rm -f "$tmp"/data*
if command -v strace >/dev/null 2>&1 && strace -e trace=none true 2>/dev/null; then
	strace -f -o /dev/null -e trace=/^rename -e inject=/^rename:error=EACCES \
		"$PERFTOP" -j -c 1 -d 0.2 -n 5 -e sched:sched_switch --record "$tmp/data" --record-every 1B \
		>/dev/null 2>"$tmp/err"
	is "$?" 1 "not renamed: exit 1"
	is "$(times_said "$tmp/data")" "$(times_read "$tmp/data")" "not renamed: all times are said"
else
	skip 2 "no strace"
fi

"$PERFTOP" -j -n 1 -e task-clock --record /dev/null --record-every 1s >/dev/null 2>"$tmp/err"
is "$?" 1 "a device: exit 1"
is_message "$(cat "$tmp/err")" "--record-every: a device"
done_testing
