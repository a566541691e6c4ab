#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The stream on the real kernel: what happens, in the order in which it does, with its fields; live,
# with and without the opener, and from a recording.
. "${0%/*}/../lib.sh"
. "${0%/*}/play.sh"
need_perf
[ -r /sys/kernel/tracing/events ] || skip_all "tracefs is not readable here"
chmod 755 "$tmp"

# find NAME REGEX: the first line of NAME's dumps that matches.
find() { grep -aE -m 1 "$2" "$tmp/$1"; }

# Executes another program often, by a name of its own.
ln -s /bin/true "$tmp/streamed"
loop()
{
	(while :; do "$tmp/streamed"; done) &
	load=$!
}

# A screen for each kind of row: of all together the last 56 may lack one.
rows='resize 200 60
wait 2
key 7
wait 10'
for filter in event=fork event=exec 'event=exit streamed' 'event=page-faults streamed' \
	event=sched:sched_process_exec streamed 'cpu>0'; do
	rows="$rows
type /$filter
key Enter
dump
key Esc"
done

for who in root sudo; do
	may_play $who || continue
	loop
	printf '%s\n' "$rows" | play_as $who $who -e sched:sched_process_exec,page-faults
	is "$?" 0 "$who: the stream is shown"
	kill $load
	wait $load 2>/dev/null
	is "$(cat "$tmp/$who.err")" '' "$who: without an error"
	like "$(find $who ' fork ')" '[0-9:]{8}\.[0-9]{6} .* fork +– +[0-9]+' "$who: forks, with the child"
	like "$(find $who ' exec ')" ' exec +– +streamed' "$who: execs, with the new name"
	like "$(find $who 'streamed .* exit ')" 'streamed +[0-9]+  exit' "$who: exits"
	like "$(find $who ' sched:sched_process_exec .*=')" 'filename=.*/streamed pid=[0-9]+ old_pid=[0-9]+' \
		"$who: a tracepoint's fields"
	like "$(find $who ' page-faults ')" 'streamed +[0-9]+  page-faults' "$who: a software event"

	# Each time is at or after the one before, but at midnight.
	is "$(awk '/^perftop-ng/ { last = "" }
		/^(  |▸ )[0-9][0-9]:[0-9:.]+ / {
			sub(/^▸/, " ")
			wrong += ($1 < last && !($1 < "00:01" && last > "23:5"))
			last = $1
			rows++
		}
		END { print wrong + 0, (rows > 20) }' "$tmp/$who")" "0 1" "$who: in the order of time"
done

# More than can be kept: the rest is counted.
build_getppid="${BUILD:-build}/tests/helpers/getppid"
timeout 20 "$build_getppid" 100000000 >/dev/null 2>&1 &
hot=$!
printf '%s\n' 'resize 160 40' 'wait 8' dump | play hot -e raw_syscalls:sys_enter -c 100 --view stream
kill $hot 2>/dev/null
wait $hot 2>/dev/null
like "$(find hot 'more samples')" 'raw_syscalls:sys_enter +– +[0-9]+ more samples of this interval are not kept' \
	"what is not kept is counted"

loop
timeout -k 5 60 "$PERFTOP" --batch -d 0.2 -n 10 -e sched:sched_process_exec --record "$tmp/recorded" >/dev/null 2>&1
kill $load
wait $load 2>/dev/null
printf '%s\n' 'resize 240 40' 'wait 6' 'type /streamed' 'key Enter' dump |
	play replay -i "$tmp/recorded" --view stream
is "$?" 0 "of a recording"
like "$(find replay ' sched:sched_process_exec ')" 'filename=.*/streamed pid=[0-9]+' "it has the fields, too"
like "$(find replay ' exec ')" ' exec +– +streamed' "and the tasks"
done_testing
