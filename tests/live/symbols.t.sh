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
		sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); echo >/dev/null; done' \
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
	skip 4 "the kernel may not be sampled here"
	done_testing
fi
symbols no_kernel -K
like "$(cat "$tmp/no_kernel")" "^user .* $shell\$" "-K: user code is there"
unlike "$(cat "$tmp/no_kernel")" '^kernel ' "and nothing of the kernel"
symbols no_user -U
like "$(cat "$tmp/no_user")" '^kernel ' "-U: the kernel is there"
unlike "$(cat "$tmp/no_user")" '^user ' "and no user code"
done_testing
