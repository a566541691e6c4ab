#!/bin/sh
# SPDX-License-Identifier: MIT
#
# draw.sh PROGRAM FOLDER - draws the pictures of doc/ into FOLDER, from machine.txt and
# commands.data here, which record.sh has recorded.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
prog=$1
folder=$2
tmp=$(mktemp -d)
chmod 755 "$tmp" # under sudo the program reads its script as the user who called it
trap 'rm -rf "$tmp"' EXIT

# The same time of day and the same theme wherever it runs.
export TZ=UTC
unset COLORFGBG

# draw THEME VIEW INPUT: plays the script from stdin
draw()
{
	cat >"$tmp/script"
	"$prog" --theme "$1" --view "$2" -i "$here/$3" --script "$tmp/script"
}

draw dark events machine.txt <<EOF
resize 120 27
dump $folder/events.svg
key Enter
dump $folder/event.svg
key Esc 2
dump $folder/switches.svg
key 3
dump $folder/tasks.svg
key 4
dump $folder/cpus.svg
key 5
dump $folder/symbols.svg
key 6
dump $folder/throttling.svg
EOF

draw light events machine.txt <<EOF
resize 120 27
dump $folder/light.svg
EOF

draw dark stream commands.data <<EOF
resize 140 27
wait 1
dump $folder/stream.svg
EOF
