#!/bin/sh
# SPDX-License-Identifier: MIT
# --list: classes, parts of names, globs, fields, JSON; what does not open is told from what does.
. "${0%/*}/../lib.sh"
. "${0%/*}/json.sh"
need_event cs

# list OPTION...: $status, and its output in $tmp/out and $tmp/err
list()
{
	status=0
	timeout 30 "$PERFTOP" "$@" >"$tmp/out" 2>"$tmp/err" || status=$?
}

# kinds: the kinds in $tmp/out, each once
kinds()
{
	awk '{ print $2 }' "$tmp/out" | sort -u | tr '\n' ' '
}

# --- which -----------------------------------------------------------------------------------

for word in sw software; do
	list --list $word
	is "$status $(kinds)" '0 software ' "--list $word: software events only"
done
list --list=sw
is "$status $(kinds)" '0 software ' "--list=sw is --list sw"
list --list context
ok "a part of a name" grep -q '^context-switches ' "$tmp/out"
list --list FAULT
ok "in either case" grep -q '^page-faults ' "$tmp/out"
list --list cs
ok "perf's other name" grep -q '^context-switches ' "$tmp/out"
list --list 'page-*'
is "$status $(awk '{ print $1 }' "$tmp/out")" '0 page-faults' "a glob is for the whole name"
list --list page-fault?
is "$status $(awk '{ print $1 }' "$tmp/out")" '0 page-faults' "with ? too"
list --list zzzzzz
is $status 1 "nothing: exit 1"
is_message "$(cat "$tmp/err")" "list: nothing has the name"

# --- what opens ------------------------------------------------------------------------------

list --list -v
cp "$tmp/out" "$tmp/all"
list --list
awk '$3 " " $4 " " $5 == "does not open:" { print $1 }' "$tmp/all" >"$tmp/refused"
is "$(awk '{ print $1 }' "$tmp/out" | grep -Fxc -f "$tmp/refused")" 0 "what does not open is not listed"
if "$PERFTOP" --batch -n 1 -d 0.05 -e cycles:u --strict >"$tmp/run" 2>&1; then
	list --list hw
	ok "cycles open and are listed" grep -q '^cycles ' "$tmp/out"
	skip 3 'this machine has a hardware PMU'
else
	list --list hw
	ok "cycles do not open and are not listed" not grep -q '^cycles ' "$tmp/out"
	ok "stderr says why" grep -q '(hardware.*): E[A-Z]*: ' "$tmp/err"
	list --list hw -v
	ok "-v lists them" grep -q '^cycles  *hardware  *does not open: E[A-Z]*: ' "$tmp/out"
	list --list hw
	is "$status $(wc -l <"$tmp/out")" '1 0' "none opens: exit 1"
fi

# Each line is what -e takes, and counts.  Those of a class, in one run.
list --list sw
events=$(awk '{ print $1 }' "$tmp/out" | paste -sd,)
timeout 30 "$PERFTOP" --batch -n 1 -d 0.1 --strict -e "$events" >"$tmp/run" 2>&1
is $? 0 "every software event that is listed opens" || diag "$(cat "$tmp/run")"

# --- JSON ------------------------------------------------------------------------------------

list -j --list sw
like "$(cat "$tmp/out")" '^\{"schema":1,"events":\[\{"name":"[a-z-]+","alias":.*\}\]\}$' "-j: one object on one line"
like "$(cat "$tmp/out")" '\{"name":"context-switches","alias":"cs","kind":"software","group":"software","text":"[^"]+","opens":true,"reason":null\}' \
	"with these keys"
if command -v python3 >/dev/null; then
	list -j -v --list
	ok "Python reads all of it" python3 -c 'import json, sys
events = json.load(open(sys.argv[1]))["events"]
assert all(e["opens"] == (e["reason"] is None) and isinstance(e["fields"], list) for e in events)
assert len({e["name"] for e in events}) == len(events)' "$tmp/out"
else
	skip 1 'no python3'
fi

if grep -q '^sched:sched_switch ' "$tmp/all"; then
	list --list sched:sched_switch -v
	ok "-v: fields with their types" grep -q '^ *pid_t prev_pid$' "$tmp/out"
	list -j -v --list sched:sched_switch
	like "$(cat "$tmp/out")" '"fields":\["char prev_comm\[16\]","pid_t prev_pid",' "in JSON, too"
	list --list sched
	ok "a system is a part of names" grep -q '^sched:sched_switch .*prev_comm prev_pid' "$tmp/out"
	list --list tracepoint
	is "$status $(kinds)" '0 tracepoint ' "--list tracepoint"
	list --list 'sched_swit*'
	is "$status $(awk '{ print $1 }' "$tmp/out")" '0 sched:sched_switch' "a glob is for a name in its system, too"
	list --list 'tracepoint:sched:sched_swit*'
	is "$status $(awk '{ print $1 }' "$tmp/out")" '0 sched:sched_switch' "bpftrace's tracepoint: before it"
else
	skip 6 'no tracepoints here'
fi

# --- what it does not take -------------------------------------------------------------------

list -v
is $status 129 "-v alone: usage"
is_message "$(cat "$tmp/err")" "list: -v without --list"
list --list -x,
is $status 129 "--list -x: usage"
is_message "$(cat "$tmp/err")" "list: as CSV"
list --list -o "$tmp/file"
is $status 129 "--list -o: usage"
is_message "$(cat "$tmp/err")" "list: into a file"
list --list sched irq
is $status 129 "two words: usage"
is_message "$(cat "$tmp/err")" "list: two words"
status=0
"$PERFTOP" --list cs >/dev/full 2>"$tmp/err" || status=$?
is $status 1 "a full disk: exit 1"
is_message "$(cat "$tmp/err")" "batch: a full disk"

done_testing
