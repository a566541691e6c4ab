# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# holdthread.sh - for tests in which a thread does not run.

# find_thread PID NAME: sets `thread` to one of its threads with that name.
find_thread()
{
	thread=$(grep -l "^$2\$" /proc/"$1"/task/*/comm 2>/dev/null | head -n 1 | cut -d/ -f5)
	[ -n "$thread" ]
}

# hold_thread PID NAME: stop one of them, until `kill $holder`.  Whether that is possible here.
hold_thread()
{
	wait_until 10 find_thread "$1" "$2"
	"$BUILD/tests/helpers/holdthread" "$thread" >"$tmp/holds" 2>&1 &
	# shellcheck disable=SC2034 # the caller ends it
	holder=$!
	at_exit '[ -z "$holder" ] || kill $holder 2>/dev/null'
	wait_until 5 test -s "$tmp/holds"
	grep -q '^held' "$tmp/holds"
}
