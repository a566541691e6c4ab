#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Real terminals show what --script dumps: the same keys at the same sizes, in a tmux of each kind of TERM.
# What the pictures should be is in tests/ui/screens.t.c; here it is that they arrive, change by change.
. "${0%/*}/../lib.sh"

need tmux
data=$(cd "$(dirname "$0")/../data" && pwd)

# play LINE: one line of a scene, on the terminal
play()
{
	# shellcheck disable=SC2086 # words
	set -- $1
	command=$1
	shift
	case $command in
	key)
		for key; do
			case $key in
			Esc) key=Escape ;;
			S-Tab) key=BTab ;;
			BackSpace) key=BSpace ;;
			S-PgUp) key=C-PgUp ;; # another modifier
			esac
			tm_keys "$key"
		done
		;;
	type) tm_type "$*" ;;
	resize) tm_resize "$1" "$2" ;;
	click) tm_type "$(printf '\033[<0;%d;%dM\033[<0;%d;%dm' "$1" "$2" "$1" "$2")" ;;
	wheel)
		[ "$1" = up ] && button=64 || button=65
		tm_type "$(printf '\033[<%d;%d;%dM' "$button" "$2" "$3")"
		;;
	esac
}

# Two runs do not cost the same.
without_self()
{
	sed '1s/ self .*//'
}

is_shown()
{
	without_self <"$1" >"$tmp/want" || return
	tm_screen | without_self >"$tmp/now"
	cmp -s "$tmp/now" "$tmp/want"
}

# scene TERM COLSxLINES ARG... <script: the lines "see WHAT" are its checks
scene()
{
	term=$1 size=$2 locale=$LC_ALL
	shift 2
	# The console's font has few characters: there, too, the screen is ASCII.
	[ "$term" != linux ] || locale=C
	cat >"$tmp/scene"
	awk -v size="$size" -v to="$tmp/picture" '
		BEGIN { sub("x", " ", size); print "resize " size }
		$1 == "see" { print "dump " to "." ++n; next }
		{ print }' "$tmp/scene" >"$tmp/script"
	rm -f "$tmp"/picture.*
	env LC_ALL="$locale" "$PERFTOP" "$@" --script "$tmp/script" || bail "the script fails: $term $size $*"
	TM_TERM=$term tm_start "$size" "$PERFTOP" "$@"
	n=0
	while read -r line; do
		case $line in
		see*)
			n=$((n + 1))
			! cmp -s "$tmp/picture.$n" "$tmp/picture.$((n - 1))" || bail "nothing changes: ${line#see }"
			ok "$term $size: ${line#see }" wait_until 10 is_shown "$tmp/picture.$n" ||
				diff "$tmp/want" "$tmp/now" | sed 's/^/# /'
			;;
		*) play "$line" ;;
		esac
	done <"$tmp/scene"
	tm_keys C-c
	is "$(tm_exit)" 0 "$term $size: it ends"
	tm_end
}

# save NAME [INTERVALS]: a snapshot of tests/data/NAME.data, which stays as it is however long keys take
save()
{
	(
		cd "$tmp" || exit
		rm -f perftop-ng-*.txt
		printf '%s\nkey P\n' "${2:+wait $2}" >save
		"$PERFTOP" -d 10 -i "$data/$1.data" --script save || exit
		mv perftop-ng-*.txt "$1.txt"
	) || bail "nothing is saved of $1.data"
}

save events 1
save switch 1
save plain 1
save group
# Wide and combining characters, a change of direction, a blank of no width.
sed 's/sleep/日本語e\xcc\x81\xe2\x80\xae\xe2\x80\x8bx/g' "$tmp/events.txt" >"$tmp/hostile.txt"
grep -q 日本語 "$tmp/hostile.txt" || bail "events.data has no task that is named sleep"

scene xterm-256color 80x24 -i "$tmp/events.txt" <<'EOF'
see Events
key 2
see Switches
key 3
see Tasks
key 4
see CPUs
key 5
see Symbols
key 6
see Throttling
key 7
see Stream
key S-Right
see there is no later interval
key S-PgUp
see nor an earlier one
key Tab
see the first view after the last
key S-Tab
see the last again
EOF

scene tmux-256color 120x40 -i "$tmp/group.txt" --view symbols <<'EOF'
see Symbols
key Down
see the cursor moves
key m
key m
see marks and their sum
key >
see sorted by the next column
key R
see in reverse
key K
see without the kernel's
key K
key /
see the line of the filter
type nosuch
see no row matches
key Esc
see the filter is dropped
EOF

scene linux 80x25 -i "$tmp/switch.txt" <<'EOF'
see the console
key ?
see Help
key PgDn
see its second page
key End
see its end
key Esc
see Help is closed
key t
see the next theme
key t
key t
see two more
key /
type rate
see a text
type >
see an unfinished condition
type 0
see is finished
key Enter
see and kept
key S-Left
see there is no earlier interval
key g
see the line of a time
type 99:99
key Enter
see which is none
EOF

LC_ALL=C scene vt100 80x24 -i "$tmp/group.txt" <<'EOF'
see without UTF-8
key Enter
see one of its events
key Right
see its second table
key Esc
see the group again
key Tab
see Switches
key 4
see CPUs
key 3
key T
see a tree
key H
see of processes
EOF

scene screen 40x12 -i "$tmp/plain.txt" <<'EOF'
see a small screen
resize 10 3
see a tiny one
resize 1 1
see one cell
resize 200 60
see a large one
resize 33 50
see a narrow one
resize 80 24
see as at first
key C
see the columns to choose from
key Esc
see they are gone
EOF

scene xterm 80x24 -i "$tmp/events.txt" <<'EOF'
see before the mouse
click 25 3
see a click on a tab
click 10 6
see on a row
click 10 6
see once more is Enter
key Esc
see back
click 75 4
see on a title
wheel down 10 8
wheel down 10 8
see the wheel
wheel up 10 8
see and back
EOF

scene tmux-256color 80x24 -i "$tmp/hostile.txt" --view tasks <<'EOF'
see wide, combining and hidden characters
key Down
see a line of them changes
key Up
see and changes again
key /
type 日本
see they are typed
key BackSpace
see and deleted
key Esc
resize 30 10
see cut at the edge
EOF
done_testing
