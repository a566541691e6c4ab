#!/bin/sh
# SPDX-License-Identifier: MIT
#
# --max-overhead: samples are lessened until they are within the budget; counts stay exact.

. "${0%/*}/../lib.sh"
. "${0%/*}/json.sh"

need_event raw_syscalls:sys_enter

getppid=$BUILD/tests/helpers/getppid

timeout 120 "$getppid" &
at_exit "kill $! 2>/dev/null"

# run OPTIONS: a line per interval into $tmp/out
run()
{
	"$PERFTOP" --batch -j -d 0.5 -e raw_syscalls:sys_enter "$@" >"$tmp/out" 2>"$tmp/err"
}

line()
{
	sed -n "$1p" "$tmp/out"
}

# between FROM TO KEY: how much a figure of the event grew between two lines
between()
{
	echo "$(event_field "$(line "$2")" raw_syscalls:sys_enter "$3")" \
		"$(event_field "$(line "$1")" raw_syscalls:sys_enter "$3")" | awk '{ printf "%d", $1 - $2 }'
}

# A sample costs about a microsecond: 1,000 a second are some 0.1 % of a CPU.
run -n 10 --max-overhead 0.1
is "$?" 0 'runs with a small budget'
is "$(last_field "$(line 1)" sample_limit)" null 'there is no limit at first'
limit=$(last_field "$(line 9)" sample_limit)
like "$limit" '^[0-9][0-9.e+]*$' "then there is one: $limit samples a second"
is "$(last_field "$(line 9)" budget)" 0.001 'the budget is shown'
before=$(between 1 3 sampled)
limited=$(between 7 9 sampled)
ok "fewer samples than before: $limited, $before" test "$limited" -lt "$((before / 2))"
ok 'all is counted as before' test "$(between 7 9 total)" -gt "$(($(between 1 3 total) / 10))"
is "$(event_field "$(line 10)" raw_syscalls:sys_enter lost)" 0 'nothing was lost'

run -n 7 --max-overhead 1000
is "$(last_field "$(line 7)" sample_limit)" null 'a large budget sets no limit'
after=$(between 4 6 sampled)
ok "and there are more samples: $after" test "$after" -gt "$((limited * 3 / 2))"

run -n 7 --max-overhead 0.1 -c 1000
is "$(last_field "$(line 7)" sample_limit)" null 'what -c asks for is not limited'

"$PERFTOP" --batch -n 1 --max-overhead 0 2>"$tmp/err"
is "$?" 129 'a budget of nothing is refused'
is_message "$(cat "$tmp/err")" "options: --max-overhead 0"

done_testing
