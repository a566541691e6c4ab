# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# culprit.sh - does the first screen name the task that loads the machine?
#
#	names_culprit KIND EVENT   starts tests/helpers/culprit's background load and its KIND, then
#		perftop-ng without options at 80x24, and presses no key.  Two checks: after 4.8 s the
#		first row is one of EVENT (an ERE), most by a task KIND; and no screen up to then
#		names another task in its first row.  Under sudo, where only the rights differ, it
#		looks for 2.4 s.

need tmux
need_root
need_perf

culprit_pids=
culprit_times='1 2 3 4'
[ -z "${SUDO_UID-}" ] || culprit_times='1 2'
at_exit 'for pid in $culprit_pids; do kill "$pid"; done'

start_culprit()
{
	"$BUILD/tests/helpers/culprit" "$1" &
	culprit_pids="$culprit_pids $!"
}

# One screen an interval: more would be a load of their own, with names.
keep_screens()
{
	for culprit_screen in $culprit_times; do
		sleep 1.2
		tm_screen >"$tmp/screen-$culprit_screen"
	done
}

# The row below the head of the table, up to the name, which begins in column 46.
first_row()
{
	grep -A 1 '^  EVENT ' "$1" | sed -n '2s/^\(.\{45\}[^ ]*\).*/\1/p'
}

names_culprit()
{
	start_culprit load
	start_culprit "$1"
	tm_start 80x24 "$PERFTOP"
	keep_screens
	culprit_named='' culprit_others=''
	for culprit_screen in $culprit_times; do
		culprit_row=$(first_row "$tmp/screen-$culprit_screen")
		if printf '%s\n' "$culprit_row" | grep -Eq "^▸ ($2) .* $1\$"; then
			: "${culprit_named:=$culprit_screen}"
		else
			culprit_other=$(printf '%s' "$culprit_row" | sed 's/^.\{45\}//')
			[ -z "$culprit_other" ] || diag "$(cat "$tmp/screen-$culprit_screen")" >&2
			culprit_others="$culprit_others$culprit_other"
		fi
	done
	like "$culprit_row" "^▸ ($2) .* $1\$" "$1 is first, from screen ${culprit_named:-none} on" ||
		diag "$(cat "$tmp/screen-$culprit_screen")" >&2
	is "$culprit_others" '' 'and no other task'
}
