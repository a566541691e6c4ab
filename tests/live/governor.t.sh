#!/bin/sh
# SPDX-License-Identifier: MIT
#
# --max-overhead: samples are lessened until they are within the budget; counts stay exact.

. "${0%/*}/../lib.sh"
. "${0%/*}/json.sh"

need taskset
need_event raw_syscalls:sys_enter
need_event syscalls:sys_enter_getppid

getppid=$BUILD/tests/helpers/getppid

# On one CPU: where a task has just come to, its first calls are taken for a rare event's, and all
# are sampled until the pace has followed.
timeout 120 taskset -c 0 "$getppid" &
at_exit "kill $! 2>/dev/null"

# Each costs its samples, so that the budget is exceeded several times.
events=raw_syscalls:sys_enter,raw_syscalls:sys_exit
events=$events,syscalls:sys_enter_getppid,syscalls:sys_exit_getppid

# run OPTIONS: a line per interval into $tmp/out
run()
{
	"$PERFTOP" --batch -j -d 0.25 -e "$events" "$@" >"$tmp/out" 2>"$tmp/err"
}

line()
{
	sed -n "$1p" "$tmp/out"
}

# between FROM TO KEY [FIELD]: how much a figure of the event grew between two lines; FIELD finds it
between()
{
	echo "$("${4-event_field}" "$(line "$2")" raw_syscalls:sys_enter "$3")" \
		"$("${4-event_field}" "$(line "$1")" raw_syscalls:sys_enter "$3")" | awk '{ printf "%d", $1 - $2 }'
}

# first_limited: the number of the first line with a limit
first_limited()
{
	i=1
	while [ "$i" -lt 15 ] && [ "$(last_field "$(line "$i")" sample_limit)" = null ]; do
		i=$((i + 1))
	done
	echo "$i"
}

# Counting a million calls a second alone costs more than 0.1 % of a CPU, so that a quarter of it is
# left for samples (governor.c): 1,000 of 250 ns.
run -n 15 -F 2000 --max-overhead 0.1
is "$?" 0 'runs with a small budget'
is "$(last_field "$(line 1)" sample_limit)" null 'there is no limit at first'
at=$(first_limited)
limit=$(last_field "$(line "$at")" sample_limit)
like "$limit" '^[0-9][0-9.e+]*$' "then there is one: $limit samples a second, from line $at"
is "$(last_field "$(line "$at")" budget)" 0.001 'the budget is shown'
ok 'and there are three lines with it' test "$at" -le 12
before=$(between 1 3 sampled)
limited=$(between "$((at + 1))" "$((at + 3))" sampled)
ok "fewer samples than before: $limited, $before" test "$limited" -lt "$((before / 2))"
total=$(between "$((at + 1))" "$((at + 3))" total)
ok 'all is counted as before' test "$total" -gt "$(($(between 1 3 total) / 10))"
is "$(between "$((at + 1))" 15 lost)" 0 'nothing was lost since'

run -n 11 -F 2000 --max-overhead 1000
is "$(last_field "$(line 11)" sample_limit)" null 'a large budget sets no limit'
after=$(between 4 6 sampled)
ok "and there are more samples: $after" test "$after" -gt "$((limited * 3 / 2))"

run -n 11 -c 10
is "$(last_field "$(line 11)" sample_limit)" null 'what -c asks for is not limited by the default budget'

run -n 1 -c 2 --max-overhead 1000
total=$(event_field "$(line 1)" raw_syscalls:sys_enter total)
sampled=$(event_field "$(line 1)" raw_syscalls:sys_enter sampled)
ok "nor is it by a large one: -c 2 has $sampled samples of $total" \
	test "$((sampled * 20 > total * 9 && sampled * 20 < total * 11))" -eq 1

# Many samples: those of -c, as long as they are within a budget that was asked for; and those that an event
# asks for.
events=$events,raw_syscalls:sys_exit/freq=4000/
run -n 15 --max-overhead 0.5 -c 10
is "$(event_field "$(line 1)" raw_syscalls:sys_enter period)" 10 'but by one that is asked for: -c 10 at first'
is "$(event_later "$(line 1)" raw_syscalls:sys_enter limited)" false 'without a limit'
at=$(first_limited)
ok "then there is one, from line $at" test "$at" -le 11
is "$(event_later "$(line "$((at + 1))")" raw_syscalls:sys_enter limited)" true 'the event says so'
is "$(event_later "$(line "$((at + 1))")" 'raw_syscalls:sys_exit\/freq=4000\/' limited)" true \
	'and that with a frequency of its own'
before=$(between 1 2 sampled)
limited=$(between "$((at + 2))" "$((at + 3))" sampled)
ok "it has fewer samples: $limited, $before" test "$limited" -lt "$((before / 4))"
is "$(between "$((at + 1))" 15 lost)" 0 'nothing was lost since'
# Their weights add up to the count: of what is not sampled there is little.
total=$(between 1 15 total)
weight=$(between 1 15 weight event_later)
ok "and stand for all: $weight of $total" test "$weight" -gt "$((total / 10 * 9))"

"$PERFTOP" --batch -n 1 --max-overhead 0 2>"$tmp/err"
is "$?" 129 'a budget of nothing is refused'
is_message "$(cat "$tmp/err")" "options: --max-overhead 0"

done_testing
