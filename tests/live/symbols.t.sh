#!/bin/sh
# SPDX-License-Identifier: MIT
# Symbols of a command: its user code and the kernel's; -K and -U leave one of them out.
. "${0%/*}/../lib.sh"

# symbols NAME OPTIONS: those of a command that runs in both, from the final snapshot
symbols()
{
	name=$1
	shift
	"$PERFTOP" -j -d 60 -e task-clock "$@" -- \
		sh -c 'i=0; while [ $i -lt 40000 ]; do i=$((i + 1)); echo >/dev/null; done' \
		>"$tmp/$name.json" 2>"$tmp/$name.err" || return
	tail -n 1 "$tmp/$name.json" | python3 -c '
import json, sys
for symbol in json.load(sys.stdin)["symbols"]:
    print("user" if symbol["user"] else "kernel", symbol["symbol"], symbol["module"])' >"$tmp/$name"
}

need python3
shell=$(basename "$(realpath "$(command -v sh)")")
symbols all || skip_all "no symbols here: $(cat "$tmp/all.err")"
like "$(cat "$tmp/all")" "^user .* $shell\$" "user code of the command"
if ! grep -q ^kernel "$tmp/all"; then
	skip 9 "the kernel may not be sampled here"
	done_testing
fi
symbols no_kernel -K
like "$(cat "$tmp/no_kernel")" "^user .* $shell\$" "-K: user code is there"
unlike "$(cat "$tmp/no_kernel")" '^kernel ' "and nothing of the kernel"
symbols no_user -U
like "$(cat "$tmp/no_user")" '^kernel ' "-U: the kernel is there"
unlike "$(cat "$tmp/no_user")" '^user ' "and no user code"

# Of the names of an address we have the first in kallsyms, perf the last: "SHARE SYMBOL" with the first.
first_names()
{
	awk 'NR == FNR { if (!($1 in first)) first[$1] = $3; if (!($3 in name)) name[$3] = first[$1]; next }
		{ print $1, ($2 in name) ? name[$2] : $2 }' /proc/kallsyms - | LC_ALL=C sort -rn | head -n 3
}

# ours FILE EVENT, theirs FILE EVENT: "SHARE SYMBOL" of the kernel's symbols of an event of a file, the first three,
# from us and from perf
ours()
{
	"$PERFTOP" -i "$1" --batch -j --top 100000 2>"$tmp/err" | tail -n 1 | python3 -c '
import json, sys
snapshot = json.load(sys.stdin)
symbols = snapshot["symbols"]
if snapshot["symbol_event"] != sys.argv[1]:
    symbols = [event["symbols"] for event in snapshot["events"] if event["name"] == sys.argv[1]][0]
for symbol in symbols:
    if not symbol["user"]:
        print("%.2f" % (100 * symbol["share"]), symbol["symbol"])' "$2" | first_names
}
theirs()
{
	perf report -f -i "$1" --stdio -F overhead,sym 2>"$tmp/err" |
		awk -v event="'$2'" '/^# Samples: / { is_it = $NF == event } is_it' |
		sed -n 's/^ *\([0-9.]*\)%  *\[k\] \([^ ]*\).*/\1 \2/p' | first_names
}

# Of a recording, too, if the kernel is the one that runs.
if ! command -v perf >/dev/null; then
	skip 5 "no perf here"
	done_testing
fi
"$PERFTOP" --batch --record "$tmp/data" -e task-clock -e page-faults/period=1/ -- ls -R /usr/share >/dev/null 2>"$tmp/err"
for event in task-clock page-faults/period=1/; do
	ours "$tmp/data" $event >"$tmp/ours"
	like "$(head -n 1 "$tmp/ours")" '^[0-9.]* [A-Za-z_]' "a recording has names for the kernel's code in $event"
	is "$(cat "$tmp/ours")" "$(theirs "$tmp/data" $event)" "as perf report has them"
done
is "$(perf buildid-list -f -i "$tmp/data" | sed -n 's/ \[kernel.kallsyms\]$//p')" "$(perf buildid-list -k)" \
	"and the kernel's build-id"
done_testing
