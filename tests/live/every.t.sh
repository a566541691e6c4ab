#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What --list says that it opens does, and is counted without an error: EVERY of the events by chance, all
# with EVERY=all.  Closing many tracepoints takes the kernel some 40 ms each.
. "${0%/*}/../lib.sh"
need_root
need python3 shuf split paste

every=${EVERY-200} at_once=50

"$PERFTOP" --list -j 2>"$tmp/err" | python3 -c 'import json, sys
for event in json.load(sys.stdin)["events"]:
    if event["opens"]:
        print(event["name"])' >"$tmp/all"
is "$(cat "$tmp/err")" "" "--list -j: nothing on stderr"
ok "it has events that open" [ -s "$tmp/all" ]
if [ "$every" = all ]; then
	cp "$tmp/all" "$tmp/some"
else
	shuf -n "$every" "$tmp/all" >"$tmp/some"
fi

split -l $at_once "$tmp/some" "$tmp/part."
for part in "$tmp"/part.*; do
	"$PERFTOP" --strict --batch -n 1 -d 0.1 -e "$(paste -sd, "$part")" >"$tmp/out" 2>>"$tmp/failed" ||
		echo "exit $? of $(paste -sd, "$part")" >>"$tmp/failed"
done
is "$(cat "$tmp/failed")" "" "$(wc -l <"$tmp/some") of $(wc -l <"$tmp/all") events open and are counted"
done_testing
