# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# holdreader.sh - for tests in which a reader gets no CPU time.

# reader_of PID: sets `reader` to a reader thread of it.
reader_of()
{
	reader=$(grep -l perftop-reader /proc/"$1"/task/*/comm 2>/dev/null | head -n 1 | cut -d/ -f5)
	[ -n "$reader" ]
}

# hold_reader PID: stop one of its readers, until `kill $holder`.  Whether that is possible here.
hold_reader()
{
	wait_until 10 reader_of "$1"
	"$BUILD/tests/helpers/holdthread" "$reader" >"$tmp/holds" 2>&1 &
	# shellcheck disable=SC2034 # the caller ends it
	holder=$!
	at_exit '[ -z "$holder" ] || kill $holder 2>/dev/null'
	wait_until 5 test -s "$tmp/holds"
	grep -q '^held' "$tmp/holds"
}
