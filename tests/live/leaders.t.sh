#!/bin/sh
# SPDX-License-Identifier: MIT
#
# {a,b}:S on the real kernel: the samples of the first event have the counts of the others, in a live
# view, in a recording for perf, and in its replay.
. "${0%/*}/../lib.sh"
. "${0%/*}/json.sh"
. "${0%/*}/play.sh"

need python3
need_perf
leader=syscalls:sys_enter_getppid
member=raw_syscalls:sys_enter
need_event $leader
getppid=$BUILD/tests/helpers/getppid

# In each interval what the tasks' samples stand for, and what none stands for, is the count.
is_all="all(sum(x['count'] for t in i['tasks'] for x in t['events'] if x['name'] == e[1]['name']) + i['events'][1]['unseen'] == i['events'][1]['count'] for i in map(json.loads, open('$tmp/out')))"
weights='" ".join("%s:%d" % (x["name"], x["weight"]) for x in e)'

# The ring has room for all samples, of less than 400 bytes a call: none can be lost.
watch_line -c 1 -m 2048 --top 100000 -a -e "{$leader,$member}:S,$member" --record "$tmp/data" -- "$getppid" 20000
is "$(value_of '[(x["state"], x["reason"]) for x in e] == [("on", None)] * 3')" True "all are on"
is "$(value_of '[x["group"] for x in e]')" '[1, 1, None]' "two are a group"
is "$(value_of 'e[0]["rate"] == 0 or abs(e[1]["per_first"] * e[0]["rate"] / e[1]["rate"] - 1) < 1e-6')" True "so many of the second for each of the first"
is "$(value_of "of('getppid', '$leader:S')")" 20000 "the first one has a sample of each call"
# The first sample after a switch to it has the calls of the tasks before, too.
is "$(value_of "20000 <= of('getppid', '$member:S') <= e[1]['total']")" True "the second is counted with it"
is "$(value_of 'abs(e[1]["total"] - e[2]["total"]) < 500')" True "as much of it as by itself"
is "$(value_of 'e[1]["sampled"] <= e[0]["sampled"]')" True "and has no samples but those"
is "$(value_of "$is_all")" True "what its samples stand for is its count, but for what none stood for"

# --- the recording -------------------------------------------------------------------------------------

want=$(value_of "$weights")
is "$(perf script -f -i "$tmp/data" -F event,period 2>/dev/null | awk '
	{ sum[$2] += $1 }
	END { printf "%s%d %s%d %s%d\n", a, sum[a], b, sum[b], c, sum[c] }' \
	a=$leader:S: b=$member:S: c=$member:)" "$want" "perf reads the same from its recording"
"$PERFTOP" -j -i "$tmp/data" | tail -n 1 >"$tmp/line"
is "$(value_of "$weights")" "$want" "and so does a replay"

# --- losses --------------------------------------------------------------------------------------------

# No sample has the counts after the last one: the calls must take much longer than a stall of the decoder.
program=$PERFTOP
PERFTOP=$BUILD/tests/helpers/perftop-slow
watch_line -c 1 -m 1 --blocks 2 --top 100000 -a -e "{$leader,$member}:S" -- "$getppid" 1000000
PERFTOP=$program
is "$(value_of 'e[0]["lost"] > 0 and e[0]["balanced"]')" True "a decoder that is slow: samples are lost"
is "$(value_of "of('getppid', '$member:S') > e[0]['sampled'] + e[0]['lost'] / 2")" True "and no counts, as the next sample has them"
is "$(value_of "$is_all")" True "nor is one counted twice"

# --- where it has no effect ----------------------------------------------------------------------------

watch_line -e "{$leader,$member}:S" -- "$getppid" 1000
is "$(value_of "[of('getppid', x['name']) >= 1000 and ':S' in x['reason'] for x in e]")" "[True, True]" \
	"of tasks each is sampled by itself, with a note"
watch_line -n 1 -d 0.1 -e "{page-faults,$member}:S"
is "$(value_of "[x['state'] + ' ' + str(':S' in str(x['reason'])) for x in e]")" "['on True', 'on False']" \
	"a software event does not sample for others"

# --- switched off and on -------------------------------------------------------------------------------

"$getppid" >/dev/null 2>&1 &
at_exit "kill $! 2>/dev/null"
mkdir "$tmp/dumps"
chmod 777 "$tmp" "$tmp/dumps"
for who in root sudo; do
	may_play $who || continue

	play_as $who $who -e "{$leader,$member}:S,context-switches" <<-END
		wait 2
		key /
		type enter_getppid
		key Enter f Esc
		wait 3
		dump $tmp/dumps/$who.off
		key /
		type enter_getppid
		key Enter f Esc
		wait 3
		dump $tmp/dumps/$who.on
		key /
		type raw
		key Enter f Esc
		wait 3
		dump $tmp/dumps/$who.alone
		key q
	END
	is "$? $(cat "$tmp/$who.err")" "0 " "$who: plays"
	is "$(grep -acE ':S +off: ' "$tmp/dumps/$who.off")" 2 "$who: the first switched off, the other is too"
	is "$(grep -acE ':S .* getppid [0-9]' "$tmp/dumps/$who.on")" 2 "$who: and on with it"
	is "$(grep -acE ':S .* getppid [0-9]' "$tmp/dumps/$who.alone")" 1 "$who: the other is switched off by itself"
done

done_testing
