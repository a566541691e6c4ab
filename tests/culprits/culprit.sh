# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# culprit.sh - does the first screen name the task that loads the machine?
#
#	names_culprit KIND EVENT   starts tests/helpers/culprit's background load and its KIND, then
#		perftop-ng without options at 80x24, and presses no key.  Two checks: in 3.6 s the
#		first row is one of EVENT (an ERE), most by a task KIND, on most screens; and none of
#		them names the background load in its first row, with a quarter of the event or more:
#		of a burst of faults of many, as at the start, it may have a little more than others.
#		Another program of the machine may
#		be there, rightly; then it looks twice as long.

need tmux
need_root
need_perf

culprit_pids=
culprit_times=3
at_exit 'for pid in $culprit_pids; do kill "$pid"; done'

start_culprit()
{
	"$BUILD/tests/helpers/culprit" "$1" &
	culprit_pids="$culprit_pids $!"
}

# The row below the head of the table, up to the name, which begins in column 46.
first_row()
{
	grep -A 1 '^  EVENT ' "$1" | sed -n '2s/^\(.\{45\}[^ ]*\).*/\1/p'
}

# What share of the event it has, in whole percents; 0 when the row has none.
first_share()
{
	grep -A 1 '^  EVENT ' "$1" | sed -n '2s/^.\{46\}.* \([0-9]*\)\.[0-9]*% .*/\1/p' | grep . || echo 0
}

# Take a screen: $culprit_named and $culprit_wrong count those that name the task, and the load.
# One an interval: more would be a load of their own, with names.
look()
{
	sleep 1.2
	tm_screen >"$tmp/screen"
	culprit_row=$(first_row "$tmp/screen")
	case $culprit_row in
	*' load')
		if [ "$(first_share "$tmp/screen")" -ge 25 ]; then
			culprit_wrong=$((culprit_wrong + 1))
		fi
		;;
	esac
	if printf '%s\n' "$culprit_row" | grep -Eq "^▸ ($2) .* $1\$"; then
		culprit_named=$((culprit_named + 1))
	else
		diag "$(cat "$tmp/screen")" >&2
	fi
}

names_culprit()
{
	start_culprit load
	start_culprit "$1"
	tm_start 80x24 "$PERFTOP"
	culprit_named=0 culprit_wrong=0 culprit_looks=0
	while [ "$culprit_looks" -lt "$culprit_times" ] ||
		{ [ "$((culprit_named * 2))" -le "$culprit_looks" ] &&
			[ "$culprit_looks" -lt "$((culprit_times * 2))" ]; }; do
		look "$@"
		culprit_looks=$((culprit_looks + 1))
	done
	ok "$1 is first on most screens: $culprit_named of $culprit_looks" \
		test "$((culprit_named * 2))" -gt "$culprit_looks"
	is "$culprit_wrong" 0 'the background load on none'
}
