#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The pictures in doc/ show the screen as it is.  UPDATE=1 draws them again.
. "${0%/*}/../lib.sh"

# A replay's first line (background, text, underlines) has this process's own CPU time and memory.
without_own_cost()
{
	sed '/ y="\(12\|26\|28\)" /d' "$1"
}

same()
{
	without_own_cost "doc/screens/$1" >"$tmp/expected"
	without_own_cost "$tmp/$1" >"$tmp/drawn"
	diff "$tmp/expected" "$tmp/drawn"
}

[ -z "$UPDATE" ] || sh doc/screens/draw.sh "$PERFTOP" doc/screens
# The program finds themes beside its folder: with O= elsewhere there are none.
mkdir "$tmp/build"
cp "$PERFTOP" "$tmp/build/perftop-ng"
cp -r themes "$tmp/themes"
ok "the pictures are drawn" sh doc/screens/draw.sh "$tmp/build/perftop-ng" "$tmp"
for picture in doc/screens/*.svg; do
	ok "$picture is as drawn now (else: make screenshots)" same "${picture##*/}"
done
is "$(cd "$tmp" && echo *.svg)" "$(cd doc/screens && echo *.svg)" "none is missing"
done_testing
