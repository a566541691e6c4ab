#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The browser on the real kernel: events are added and removed while it runs, with and without the
# opener, and also when no tracepoint was asked for at the start.
. "${0%/*}/../lib.sh"
. "${0%/*}/play.sh"
need_perf
[ -r /sys/kernel/tracing/events ] || skip_all "tracefs is not readable here"

# The number of lines of NAME's dumps that match.
lines() { grep -ac "$2" "$tmp/$1"; }

chmod 755 "$tmp"

# Rows at 0 are shown, too.
adds='wait 2
key a e
type /
type sched:sched_switch
key Enter Enter
wait 3
dump
key Esc Esc
dump
key E
type software
key Enter
dump
key Esc E
type mem:0x1000:w
key Enter
wait 2
dump
key Esc E
type cpu-migrations,sched:sched_wakeu*
key Enter
wait 3
dump'

for who in root sudo; do
	may_play $who || continue

	printf '%s\n' "$adds" | play_as $who $who -e context-switches
	is "$?" 0 "$who: a script that adds events"
	like "$(grep -a '▸ sched:sched_switch ' "$tmp/$who" | head -1)" 'switch  *on  *[0-9]' "$who: the browser adds a tracepoint, and shows its rate"
	like "$(cat "$tmp/$who")" 'pid_t prev_pid' "$who: with its fields"
	ok "$who: it has a row among the events" test "$(lines "$who" '^[▸ ] *sched:sched_switch  *[0-9]')" -ge 1
	like "$(cat "$tmp/$who")" 'event: software' "$who: a typed event that is none stays in the prompt"
	ok "$who: typed ones are added, by globs, too" test "$(lines "$who" 'cpu-migrations  *[0-9]')" -ge 1 -a "$(lines "$who" 'sched:sched_wakeup_new  *[0-9]')" -ge 1

	if [ $who = sudo ]; then
		like "$(cat "$tmp/$who")" 'only at the start: -e mem:0x1000:w' "$who: no probe or breakpoint, whose rights are gone"
	else
		ok "$who: a breakpoint, too" test "$(lines "$who" '^[▸ ] *mem:0x1000:w')" -ge 1
	fi

	play_as $who "$who-removed" -e context-switches,sched:sched_switch,minor-faults <<-'END'
		wait 3
		key a
		type /
		type sched_switch
		key Enter Del
		wait 2
		key Esc
		dump
		key e
		type /
		type sched_switch
		key Enter Enter
		wait 3
		key Esc e
		dump
		END
	is "$?" 0 "$who: a script that removes one"
	is "$(sed '/^perftop-ng/,$!d' "$tmp/$who-removed" | awk '/^perftop-ng/ { n++ } n == 1' | grep -ac 'sched:sched_switch')" 0 "$who: it has no row"
	like "$(awk '/^perftop-ng/ { n++ } n == 2' "$tmp/$who-removed")" 'sched:sched_switch  *[0-9]' "$who: added again, it counts"
	is "$(cat "$tmp/$who-removed.err")" '' "$who: and nothing is said on stderr"
done

# A recording has the events that were added, with what they recorded.
if [ "$(id -u)" -eq 0 ]; then
	printf 'wait 2\nkey E\ntype sched:sched_wakeup\nkey Enter\nwait 5\n' |
		play recording -e context-switches -c 1 --record "$tmp/added.data"
	json=$("$PERFTOP" -i "$tmp/added.data" -j | tail -1)
	case $json in
	*'"name":"sched:sched_wakeup"'*) is 0 0 "a recording has the events that were added" ;;
	*) is "$(printf %s "$json" | cut -c1-300)" sched:sched_wakeup "a recording has the events that were added" ;;
	esac
	event=${json#*'"name":"sched:sched_wakeup"'}
	count=$(printf %s "${event%%'"cpus"'*}" | sed 's/.*"total":\([0-9]*\).*/\1/')
	ok "with their samples ($count)" test "$count" -gt 0
fi
done_testing
