# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# json.sh - figures out of a line of -j, whose keys have a fixed order (doc/perftop-ng.1).
#
#	event_field LINE EVENT KEY     a figure of the event, its CPUs' left out
#	event_later LINE EVENT KEY     one that comes after its CPUs: from "unit" on
#	event_cpus LINE EVENT          a line per CPU: cpu total sampled lost throttles
#	last_field LINE KEY            the last one of that name: that of the whole
#	sum_of COLUMN                  of what event_cpus prints
#	have_breakpoints               whether they count here, by a program of its own; else says why
#	watch_line ARG...              a run with -j; its last line is in $tmp/line
#	value_of EXPRESSION            a Python expression over the line in $tmp/line: d, its events e;
#	                               of(name, event): what that task's samples of an event stand for
#	own_calls                      getppid() calls of a helper that makes none itself: a sanitizer's

# The event's object from its name to the end of its CPUs.
event_text()
{
	printf '%s\n' "$1" | sed -n "s/.*{\"name\":\"$2\",\"kind\"\(.*\)/\1/p" | sed 's/\],"unit":.*//'
}

event_field()
{
	event_text "$1" "$2" | sed -n "s/,\"cpus\":.*//;s/.*\"$3\":\([^,}]*\).*/\1/p"
}

event_later()
{
	printf '%s\n' "$1" | sed -n "s/.*{\"name\":\"$2\",\"kind\"\(.*\)/\1/p" |
		sed -n "s/^[^]]*\],\"unit\"/\"unit\"/; s/}.*//; s/.*\"$3\":\([^,]*\).*/\1/p"
}

event_cpus()
{
	event_text "$1" "$2" | sed 's/.*"cpus":\[//' | tr '{' '\n' | sed -n \
		's/^"cpu":\([0-9]*\),.*"total":\([0-9]*\),"sampled":\([0-9]*\),"lost":\([0-9]*\),"throttles":\([0-9]*\).*/\1 \2 \3 \4 \5/p'
}

last_field()
{
	printf '%s\n' "$1" | sed -n "s/.*\"$2\":\([^,}]*\).*/\1/p"
}

sum_of()
{
	awk -v column="$1" '{ sum += $column } END { printf "%d\n", sum }'
}

# Every CPU of the event: total == sampled + lost.
are_books_balanced()
{
	event_cpus "$1" "$2" | awk '$2 != $3 + $4 { bad = 1 } END { exit bad || NR == 0 }'
}

# Whether the program can watch this event here; why not is in $tmp/why-not.
can_watch()
{
	"$PERFTOP" --strict --batch -n 1 -d 0.01 -e "$1" >/dev/null 2>"$tmp/why-not"
}

have_breakpoints()
{
	"$BUILD/tests/helpers/breakpoints" >"$tmp/why-not"
}

need_event()
{
	can_watch "$1" || skip_all "$1 cannot be watched here: $(head -n 1 "$tmp/why-not")"
}

own_calls()
{
	event_field "$("$PERFTOP" -j -c 1 -e syscalls:sys_enter_getppid -- "$BUILD/tests/helpers/getppid" 0 |
		tail -n 1)" syscalls:sys_enter_getppid total
}

watch_line()
{
	"$PERFTOP" -j "$@" >"$tmp/out" 2>"$tmp/err"
	tail -n 1 "$tmp/out" >"$tmp/line"
}

value_of()
{
	python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
e = d["events"]
def of(name, event):
    return sum(x["total"] for t in d["tasks"] if t["comm"] == name for x in t["events"] if x["name"] == event)
print(eval(sys.argv[2]))' "$tmp/line" "$1" 2>&1 | tail -n 1
}

# same FILE JSON [--by tid]: perf script's counts of a file by event, CPU and task are the last line's.
# -f: under sudo the file is the user's, which perf, being root's, would refuse.
same()
{
	perf script -f -i "$1" -F comm,tid,cpu,event,period >"$tmp/script" 2>/dev/null
	tail -n 1 "$2" | python3 "${0%/*}/../perfscript.py" "$tmp/script" ${3+"$3" "$4"}
}
