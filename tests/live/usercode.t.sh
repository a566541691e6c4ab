#!/bin/sh
# SPDX-License-Identifier: MIT
# User code by function: live, and of perf.data files as perf report names it; only of the file that was run.
. "${0%/*}/../lib.sh"
need perf python3

program=$tmp/program
cp "${PERFTOP%/*}/tests/helpers/spinner" "$program"

# symbols: "SHARE FUNCTION FILE" of each symbol, from the last of the snapshots in stdin
symbols()
{
	tail -n 1 | python3 -c '
import json, sys
for symbol in json.load(sys.stdin)["symbols"]:
    print("%.2f" % (100 * symbol["share"]), symbol["symbol"], symbol["module"])'
}

# ours FILE: "SHARE FUNCTION FILE" of each symbol, from the final snapshot
ours()
{
	"$PERFTOP" -i "$1" --batch -j 2>"$tmp/err" | symbols
}

# theirs FILE: the same from perf
theirs()
{
	perf report -f -i "$1" --stdio -F overhead,sym,dso 2>"$tmp/err" |
		sed -n 's/^ *\([0-9.]*\)%  *\[[.k]\] \([^ ]*\)  *\([^ ]*\).*/\1 \2 \3/p'
}

# of FILE WORDS: the line with these words
of()
{
	grep " $2\$" "$1"
}

perf record -q --no-bpf-event -e cpu-clock:u -F 999 -o "$tmp/data" -- "$program" 300 2>"$tmp/err" ||
	skip_all "perf record: $(cat "$tmp/err")"
theirs "$tmp/data" >"$tmp/theirs"
ours "$tmp/data" >"$tmp/ours"
if "$PERFTOP" --version | grep -q 'libelf *not built in'; then
	like "$(cat "$tmp/ours")" ' \[unknown\] program' "without libelf user code is by its file"
	done_testing
fi
like "$(cat "$tmp/ours")" ' spin_most program' "the function where most time is"
for function in spin_most spin_some; do
	is "$(of "$tmp/ours" "$function program")" "$(of "$tmp/theirs" "$function program")" \
		"$function has the share that perf report gives it"
done

# A pipe has no list of build-ids before its records: the file is known by its inode.
perf record -q --no-bpf-event -e cpu-clock:u -F 999 -o - -- "$program" 200 2>"$tmp/err" >"$tmp/pipe"
like "$(ours - <"$tmp/pipe")" ' spin_most program' "from a pipe, too"

# Frames at any time show the same names.
"$PERFTOP" -i "$tmp/data" -j -d 0.1 2>/dev/null | head -n 2 >"$tmp/lines"
like "$(cat "$tmp/lines")" '"spin_most"' "each interval has them"

# Another program at the same path is not the one that was run.
mv "$program" "$program.old"
cp "${PERFTOP%/*}/tests/helpers/getppid" "$program"
ours "$tmp/data" >"$tmp/other"
unlike "$(cat "$tmp/other")" ' (spin|main)' "with another program at its path, no names"
like "$(cat "$tmp/other")" ' \[unknown\] program$' "but the file, as one row"
rm "$program"
ours "$tmp/data" >"$tmp/gone"
is "$(cat "$tmp/gone")" "$(cat "$tmp/other")" "without any, the same"
mv "$program.old" "$program"
like "$(ours "$tmp/data")" ' spin_most program' "with the old one again, as before"

# Of several processes: a shell that starts it, twice.
perf record -q --no-bpf-event -e cpu-clock:u -F 999 -o "$tmp/two" -- sh -c "'$program' 200; '$program' 200" 2>"$tmp/err"
theirs "$tmp/two" >"$tmp/theirs"
ours "$tmp/two" >"$tmp/ours"
is "$(of "$tmp/ours" "spin_most program")" "$(of "$tmp/theirs" "spin_most program")" \
	"code of two processes is one row, with perf's share"

# is_known FILE: of at most 15 % of the samples there no file is known: those in the vdso are of none, and those of
# a child that are older than the program that it executed
is_known()
{
	awk '{ all += $1 } /\[user\]$/ { sum += $1 } END { exit all == 0 || sum > all * 0.15 }' "$1"
}

# live COMMAND...: the same of a run of it
live()
{
	"$PERFTOP" --batch -j -e task-clock:u -- "$@" 2>"$tmp/err" | symbols
}

live "$program" 300 >"$tmp/live"
like "$(head -n 1 "$tmp/live")" ' spin_most program$' "live: the function where most time is"
like "$(cat "$tmp/live")" ' spin_some program' "and the other one"
ok "few samples of it are without a file" is_known "$tmp/live"
like "$(live sh -c "'$program' 200; '$program' 200")" ' spin_most program' \
	"of the children of a shell, too"

# A program that began before the run.
"$program" 60000 &
running=$!
at_exit 'kill $running 2>/dev/null'
"$PERFTOP" --batch -j -n 1 -d 0.5 -e task-clock:u -p $running 2>"$tmp/err" | symbols >"$tmp/running"
like "$(head -n 1 "$tmp/running")" ' spin_most program$' "live: of a program that runs before"
ok "few of its samples are without a file" is_known "$tmp/running"

# A recording has what is mapped in it, and nothing of the others.
"$PERFTOP" --batch -d 0.5 -n 1 --record "$tmp/before" -e task-clock:u -p $running >/dev/null 2>"$tmp/err"
like "$(ours "$tmp/before" | sed -n 1p)" ' spin_most program$' "recorded: of a program that runs before"
like "$(theirs "$tmp/before" | sed -n 1p)" ' spin_most program$' "also for perf report"
is "$(perf script -f -i "$tmp/before" --show-mmap-events 2>/dev/null | sed -n 's/.*MMAP2 \([0-9]*\).*/\1/p' |
	sort -u)" $running "what is mapped in other processes is not in it"
if [ "$(id -u)" = 0 ]; then
	"$PERFTOP" --batch -d 0.5 -n 1 --record "$tmp/before" -e cpu-clock:u >/dev/null 2>"$tmp/err"
	like "$(ours "$tmp/before")" ' spin_most program$' "recorded: with all that run"
	like "$(theirs "$tmp/before")" ' spin_most program$' "also for perf report"
else
	skip 2 "events of the whole machine need root"
fi
kill $running
wait $running 2>/dev/null

# Children, which are gone when their mappings would be read: they have those of the program.  An event of a
# process begins anew in each child, and takes no sample in so short a time: one of the whole machine, then.
if [ "$(id -u)" = 0 ]; then
	"$program" 10 6000 &
	running=$!
	"$PERFTOP" --batch -j -n 1 -d 0.5 -e cpu-clock 2>"$tmp/err" | symbols >"$tmp/machine"
	grep -E ' program( \[user\])?$' "$tmp/machine" >"$tmp/running"
	like "$(cat "$tmp/running")" ' spin_most program$' "and of children that it forks during the run"
	ok "few of their samples are without a file" is_known "$tmp/running"
	kill $running
	wait $running 2>/dev/null
else
	skip 2 "events of the whole machine need root"
fi

# Recordings have the mappings, for perf and for us.
"$PERFTOP" --batch --record "$tmp/own" -e task-clock:u -- "$program" 200 >/dev/null 2>"$tmp/err"
like "$(ours "$tmp/own" | sed -n 1p)" ' spin_most program$' "in a recording of ours"
like "$(theirs "$tmp/own" | sed -n 1p)" ' spin_most program$' "which perf report reads, too"
done_testing
