#!/bin/sh
# SPDX-License-Identifier: MIT
# Typical mistakes: each is answered with the place, the cause, the smallest fix and an exit status,
# as mistakes.out has it.  UPDATE=1 rewrites that.
. "${0%/*}/../lib.sh"
. "${0%/*}/json.sh"
need_root
need_event sched:sched_switch

# Of this machine: the limit of -F, where cgroups are mounted.
mask()
{
	sed -E 's/(max_sample_rate, )[0-9]+/\1N/; s/( in )\/sys\/fs\/cgroup[^ ]*/\1CGROUPS/'
}

count=0
while IFS= read -r line; do
	case $line in '' | '#'*) continue ;; esac
	count=$((count + 1))
	printf '$ perftop-ng %s\n' "$line"
	eval "timeout 20 \"\$PERFTOP\" $line" </dev/null >"$tmp/out" 2>"$tmp/err"
	status=$?
	sed 's/^/stdout: /' "$tmp/out"
	cat "$tmp/err"
	printf 'exit %s\n\n' "$status"
done <tests/live/mistakes.txt >"$tmp/all"
mask <"$tmp/all" >"$tmp/masked"
golden "$tmp/masked" tests/live/mistakes.out "typical mistakes"
ok "there are at least 40 of them" test "$count" -ge 40
is "$(grep -c '^stdout: ' "$tmp/all")" 0 "none prints to standard output"
is "$(grep -c '^exit \(1\|2\|129\)$' "$tmp/all")" "$count" "each exit status is a documented one"

# A cause that an event has is followed by what it means for the run; an -e and its place are two lines.
is "$(awk '/^\$ / { lines = 0 } /^perftop-ng: / && !/no event could be opened/ { lines++ }
	/^exit / { if (lines != 1) print "not one message:", lines, NR }' "$tmp/all")" '' "one message each"
done_testing
