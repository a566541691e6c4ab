#!/bin/sh
# SPDX-License-Identifier: MIT
# Call chains: -g, compared with perf's, live, recorded and replayed.
. "${0%/*}/../lib.sh"
. "${0%/*}/json.sh"

event=raw_syscalls:sys_enter # all system calls have the same chain there
getppid=$BUILD/tests/helpers/getppid
framed=$BUILD/tests/helpers/framed
callers='^syscall;middle;outer;main(;|$)' # inner's frame is not seen, as syscall() makes none

need python3
need_event "$event"

# chain FILE: the kernel's part of the heaviest chain of the last line's first symbol, the innermost first, "a;b;c".
# user_chain FILE: the user's.
cat >"$tmp/chain.py" <<'PYTHON'
import json, sys
symbol = json.loads(open(sys.argv[1]).readlines()[-1])["symbols"][0]
frames, depth = [symbol], 0
for caller in symbol.get("callers", []):
    if caller["depth"] <= depth:
        break
    frames.append(caller)
    depth = caller["depth"]
is_user = [frame["module"] == "[user]" or frame["module"][0] != "[" for frame in frames]
print(";".join(frame["symbol"] for frame, user in zip(frames, is_user) if user == (sys.argv[2] == "user")))
PYTHON
chain()
{
	python3 "$tmp/chain.py" "$1" kernel
}
user_chain()
{
	python3 "$tmp/chain.py" "$1" user
}

# perf_chain FILE: the kernel's part of the first sample's chain, as perf names it.
perf_chain()
{
	perf script -f -i "$1" -F ip,sym,dso 2>/dev/null | awk '
		NF == 0 && text != "" { exit }
		$NF == "([kernel.kallsyms])" { text = text (text == "" ? "" : ";") $2 }
		END { print text }'
}

# perf_user_chain FILE: the user's part of the most frequent sample's chain.
perf_user_chain()
{
	perf script -f -i "$1" -F ip,sym,dso 2>/dev/null | awk '
		NF == 0 && text != "" { count[text]++; text = "" }
		NF > 0 && $NF != "([kernel.kallsyms])" { text = text (text == "" ? "" : ";") $2 }
		END { for (chain in count) if (count[chain] > count[most]) most = chain; print most }'
}

"$PERFTOP" -g -e task-clock:u -j -- "$framed" 3000000 >"$tmp/clock"
like "$(user_chain "$tmp/clock")" ';middle;outer;main(;|$)' "samples in user mode have their callers"

"$PERFTOP" -g -c 1 -e "$event" -j -- "$getppid" 2000 >"$tmp/live" 2>"$tmp/err"
is $? 0 "-g"
is "$(cat "$tmp/err")" '' "nothing on stderr"
if ! grep -q '"callers"' "$tmp/live" && [ "$(id -u)" -ne 0 ]; then
	like "$(tail -n 1 "$tmp/live")" '"symbols":\[' "without the kernel there are no chains"
	done_testing
	exit
fi
is "$(tail -n 1 "$tmp/live" | sed 's/.*"symbol_event":"\([^"]*\)".*/\1/')" "$event" \
	"of a tracepoint alone symbols are its samples'"
"$PERFTOP" -c 1 -e "$event" -j -- "$getppid" 2000 >"$tmp/plain"
unlike "$(cat "$tmp/plain")" '"callers"' "without -g there are none"
"$PERFTOP" -g --max-stack 2 -c 1 -e "$event" -j -- "$getppid" 2000 >"$tmp/short"
is "$(chain "$tmp/short")" "$(chain "$tmp/live" | cut -d ';' -f 1,2)" "--max-stack cuts the outermost"
"$PERFTOP" -g --call-graph fp --batch -c 1 -e "$event" -- "$getppid" 2000 >"$tmp/text"
like "$(grep -A 2 'samples of' "$tmp/text" | tail -n 1)" " $(chain "$tmp/live" | cut -d ';' -f 2) " \
	"as text they are below the events"
"$PERFTOP" -g --max-stack 100000 --batch -e "$event" -- true >"$tmp/out" 2>"$tmp/err"
is $? 1 "more than the kernel's limit"
is_message "$(cat "$tmp/err")" "chains: more than the kernel's limit"
"$PERFTOP" -g -c 1 -e "$event" -j -- "$framed" 2000 >"$tmp/framed"
is "$(chain "$tmp/framed")" "$(chain "$tmp/live")" "of another program the kernel's part is the same"
like "$(user_chain "$tmp/framed")" "$callers" "then comes the user's, by frame pointers"

command -v perf >/dev/null && [ "$(id -u)" -eq 0 ] || { done_testing; exit; }

perf record -q --no-bpf-event -g -c 1 -e "$event" -o "$tmp/theirs.data" -- "$getppid" 2000 2>"$tmp/err"
is "$(chain "$tmp/live")" "$(perf_chain "$tmp/theirs.data")" "the chain is perf's"
"$PERFTOP" -g -c 1 -e "$event" -j --record "$tmp/ours.data" -- "$getppid" 2000 >"$tmp/both"
is "$(chain "$tmp/both")" "$(chain "$tmp/live")" "it is the same while it is recorded"
is "$(perf_chain "$tmp/ours.data")" "$(perf_chain "$tmp/theirs.data")" "perf reads it"
"$PERFTOP" -i "$tmp/theirs.data" -j -d 80000 >"$tmp/again" 2>"$tmp/err"
is $? 0 "perf's file replays"
is "$(chain "$tmp/again")" "$(perf_chain "$tmp/theirs.data")" "with its chain"
"$PERFTOP" -i "$tmp/ours.data" -j -d 80000 >"$tmp/again" 2>"$tmp/err"
is "$(chain "$tmp/again")" "$(chain "$tmp/live")" "our own replays with the same chain"
perf record -q --no-bpf-event -g -c 1 -e "$event" -o "$tmp/theirs.data" -- "$framed" 2000 2>"$tmp/err"
"$PERFTOP" -i "$tmp/theirs.data" -j -d 80000 >"$tmp/again" 2>"$tmp/err"
like "$(user_chain "$tmp/again")" "$callers" "the user's part of perf's file is the same"
"$PERFTOP" -g -c 1 -e "$event" -j --record "$tmp/ours.data" -- "$framed" 2000 >"$tmp/both"
like "$(user_chain "$tmp/both")" "$callers" "and while it is recorded"
like "$(perf_user_chain "$tmp/ours.data")" "$callers" "perf reads it, too"
done_testing
