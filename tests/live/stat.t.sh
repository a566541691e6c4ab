#!/bin/sh
# SPDX-License-Identifier: MIT
# Files of perf stat record: counts of each round, event and CPU as perf stat report has them.
. "${0%/*}/../lib.sh"
. "${0%/*}/json.sh"
need_perf
need python3
perf stat -a -e page-faults true >/dev/null 2>&1 || skip_all "perf stat may not count on all CPUs"

# each_round FILE [OPTION]: whether all intervals of the file have perf's counts
each_round()
{
	perf stat report -i "$1" >"$tmp/perf" 2>&1
	"$PERFTOP" --batch -j -d 0.05 -i "$1" >"$tmp/ours" 2>"$tmp/err" || return 1
	python3 - "$tmp/perf" "$tmp/ours" <<-'E'
		import json, sys
		theirs, ours = [], []
		for line in open(sys.argv[1]):
		    words = line.split()
		    if not line[:1].isspace() or len(words) < 3 or not words[0][0].isdigit():
		        continue
		    # seconds [CPUn] count [msec] event
		    cpu = words.pop(1) if words[1].startswith("CPU") else "all"
		    count = words.pop(1).replace(",", "")
		    if words[1] == "msec":
		        words.pop(1)
		    theirs.append((float(words[0]), cpu, words[1], round(float(count), 2)))
		clock = 0.0
		by_cpu = any(row[1] != "all" for row in theirs)
		for line in open(sys.argv[2]):
		    snap = json.loads(line)
		    clock += snap["interval"]
		    for event in snap["events"]:
		        for cpu in event["cpus"] if by_cpu else [dict(event, cpu=-1)]:
		            count = cpu["count"]
		            if event["unit"] == "ns":
		                count = round(count / 1e6, 2)
		            ours.append((clock, "CPU%d" % cpu["cpu"] if by_cpu else "all",
		                         event["name"], count))
		print("# perf: %d rows, we: %d" % (len(theirs), len(ours)))
		alike = len(theirs) == len(ours) and len(ours) > 0
		for a, b in zip(sorted(theirs, key=lambda r: r[1:3]), sorted(ours, key=lambda r: r[1:3])):
		    if a[1:3] != b[1:3] or abs(a[0] - b[0]) > 1e-5 or abs(a[3] - b[3]) > 0.011:
		        print("# perf", a, "we", b)
		        alike = False
		sys.exit(not alike)
	E
}

# total_of FILE EVENT: ours, at the end
total_of() { event_field "$("$PERFTOP" --batch -j -i "$1" | tail -n 1)" "$2" total; }

load='i=0; while [ $i -lt 4 ]; do ls / >/dev/null; sleep 0.1; i=$((i + 1)); done'

timeout 60 perf stat record -a -A -I 100 -o "$tmp/cpus.data" -e '{context-switches,page-faults},cpu-clock' \
	-- sh -c "$load" >/dev/null 2>&1
is $? 0 "perf stat record -a -I 100"
ok "each round has perf's counts, on each CPU" each_round "$tmp/cpus.data"
is "$(cat "$tmp/err")" '' "nothing is said about it"

timeout 60 perf stat record -I 100 -o "$tmp/task.data" -e page-faults,task-clock -- sh -c "$load" >/dev/null 2>&1
is $? 0 "perf stat record of a command"
ok "each round has perf's counts, of an unknown CPU" each_round "$tmp/task.data"

timeout 60 perf stat record -a -o "$tmp/whole.data" -e page-faults -- sh -c "$load" >/dev/null 2>&1
is "$(total_of "$tmp/whole.data" page-faults)" \
	"$(perf stat report -i "$tmp/whole.data" 2>&1 | sed -n 's/^ *\([0-9,]*\) *page-faults.*/\1/p' | tr -d ,)" \
	"without -I: the total is perf's"

timeout 60 perf stat record -a -I 100 -o - -e page-faults,cpu-clock -- sh -c "$load" 2>/dev/null >"$tmp/pipe.data"
ok "in the format of a pipe" each_round "$tmp/pipe.data"
"$PERFTOP" --batch -i - -d 0.05 <"$tmp/pipe.data" >"$tmp/out" 2>"$tmp/err"
is $? 0 "and from a pipe"
unlike "$(cat "$tmp/out")" '^note:' "without a note"

# Cut off within a round: what is before counts.
size=$(wc -c <"$tmp/cpus.data")
head -c $((size * 2 / 3)) "$tmp/cpus.data" >"$tmp/cut.data"
"$PERFTOP" --batch -j -i "$tmp/cut.data" >"$tmp/out" 2>"$tmp/err"
is $? 3 "a file that is cut off: exit status 3"
ok "its rounds are counted" test "$(event_field "$(tail -n 1 "$tmp/out")" context-switches total)" -gt 0

done_testing
