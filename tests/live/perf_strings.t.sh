#!/bin/sh
# SPDX-License-Identifier: MIT
# What perf's own test of event strings parses, and all our names: perf and we make the same perf_event_attrs.
#
# The strings are those of the perf installed here.  No event is opened: under refuse, perf_event_open returns 0
# to both, so that perf goes on to a group's members, and no tracepoint has to be closed.
. "${0%/*}/../lib.sh"
need perf python3
need_root

unset SUDO_UID # an opener cannot pass on the fd 0 of an event, and each event would take 5 s
refuse=$BUILD/tests/helpers/refuse

perf test -v 'Test event parsing' >"$tmp/out" 2>&1
sed -n "s/^running test [0-9]* '\(.*\)'$/\1/p" "$tmp/out" >"$tmp/strings"
[ "$(wc -l <"$tmp/strings")" -ge 40 ] || skip_all "perf test does not show its strings"

# Every name that --list has for what is neither a tracepoint nor a probe.
"$PERFTOP" --list -j | tr '{' '\n' |
	sed -n 's/^"name":"\([^"]*\)".*"kind":"\(hardware\|software\|cache\|pmu\)".*/\1/p' |
	paste -s -d , >>"$tmp/strings"

count=0
while IFS= read -r string; do
	count=$((count + 1))
	"$refuse" 0 timeout 30 perf stat -vv -e "$string" -- true >"$tmp/$count.perf" 2>&1 </dev/null
	"$refuse" 0 timeout 30 "$PERFTOP" --dump-attr -e "$string" >"$tmp/$count.ours" 2>"$tmp/$count.err" </dev/null
done <"$tmp/strings"

ftrace=$(sed -n 's/^ID: //p' /sys/kernel/tracing/events/ftrace/*/format)
python3 "${0%/*}/../perfattrs.py" "$tmp" $count $ftrace >"$tmp/results"

at=0
while IFS= read -r string; do
	at=$((at + 1))
	if grep -q '^event syntax error' "$tmp/$at.perf"; then
		ok "'$string': refused by both" grep -qF "perftop-ng: -e $string" "$tmp/$at.err"
	else
		is "$(sed -n "${at}p" "$tmp/results")" same "'$string'"
	fi
done <"$tmp/strings"
done_testing
