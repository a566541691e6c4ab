#!/bin/sh
# SPDX-License-Identifier: MIT
# A hardware PMU, in the guest that has one: counts as perf's, samples, groups, more events than counters.
#
# The guest's clock goes by instructions: each takes two cycles.  QEMU counts for a CPU also those that
# the other one executes meanwhile: what is compared with perf's counts is to run on one CPU, and is
# equal within a few percent.
. "${0%/*}/../lib.sh"
. "${0%/*}/../live/json.sh"

need_guest
need perf python3
case $(perf stat -x, -e '{cycles,instructions}' true 2>&1) in *not*supported*) skip_all "no PMU here" ;; esac
getppid=$BUILD/tests/helpers/getppid spinner=$BUILD/tests/helpers/spinner
pair='{cycles:u,instructions:u}'
cycles=2 # of each instruction

taskset -p 1 $$ >/dev/null

# --- counts and samples ------------------------------------------------------------------------------

want=$(perf stat -x, -e instructions:u "$getppid" 1000000 2>&1 >/dev/null | cut -d, -f1)
watch_line -e instructions:u -- "$getppid" 1000000
is "$(value_of "abs(e[0]['total'] / $want - 1) < 0.05")" True "as many instructions as perf stat counts ($(value_of "e[0]['total']"), $want)"

watch_line -c 100000 -e instructions:u -- "$getppid" 1000000
is "$(value_of "[x['throttles'] for x in e]")" '[0]' "sampled by period, none is throttled"
is "$(value_of "abs(e[0]['sampled'] * 100000 / e[0]['total'] - 1) < 0.05")" True "and each period has a sample ($(value_of "e[0]['sampled']"))"

"$spinner" 60000 &
spinning=$!
watch_line -n 2 -d 0.5 -e instructions:u
is "$(value_of "e[0]['most_by']")" spinner "it is known whose they are"
watch_line -n 2 -d 0.5 -p $spinning -e "$pair"
is "$(value_of "abs(e[0]['count'] / e[1]['count'] - $cycles) < 0.1")" True "of a task that runs, and the cycles of each"
is "$(value_of "e[0]['per_first'] is None and abs(e[1]['per_first'] * $cycles - 1) < 0.1")" True "instructions per cycle"
kill $spinning

# --- groups --------------------------------------------------------------------------------------------

is_together='all(abs(e[i]["running"] - e[i + 1]["running"]) < 0.02 for i in range(0, len(e), 2))'
is_right="all(abs(e[i]['total'] / e[i + 1]['total'] - $cycles) < 0.1 for i in range(0, len(e), 2))"
watch_line -e "$pair,$pair,$pair,$pair" -- "$spinner" 500
is "$(value_of 'len(e)')" 8 "eight events"
is "$(value_of 'min(x["running"] for x in e) < 0.9')" True "are too many at once"
is "$(value_of "$is_together")" True "but each {} is counted together"
is "$(value_of "$is_right")" True "so that their ratio is right"

watch_line -n 3 -d 0.2 -e "$pair,$pair,$pair,$pair"
is "$(value_of "$is_together")" True "on CPUs, too"

if [ "$(id -u)" -eq 0 ]; then
	export SUDO_UID=65534 SUDO_GID=65534
	watch_line -n 3 -d 0.2 -e "$pair,$pair,$pair,$pair"
	unset SUDO_UID SUDO_GID
	is "$(value_of "$is_together")" True "and through the opener"
else
	skip 1 "not root"
fi

watch_line -n 2 -d 0.2 -e '{cycles,instructions,cycles,instructions,cycles,instructions,cycles,instructions,cs}'
is "$(value_of '[x["state"] for x in e] == ["on"] * 9')" True "of a {} with more events than counters all are on"
is "$(value_of '[x["reason"] is None for x in e] == [True] * 7 + [False, True]')" True "one does not fit into it, with a note"
is "$(value_of '[x["running"] > 0.1 for x in e] == [True] * 9')" True "and all are counted"
is "$(value_of 'e[8]["running"]')" 1.0 "always what takes no counter"

watch_line -n 2 -d 0.2 -e '{cycles:D,instructions},{cycles,instructions},{cycles,instructions},{cycles,instructions}'
is "$(value_of 'e[0]["running"] == e[1]["running"] == 1')" True "a pinned {} is always counted"
is "$(value_of 'e[2]["running"] < 0.9')" True "and the others take turns"

# --- {}:S ------------------------------------------------------------------------------------------------

"$spinner" 60000 &
spinning=$!
for who in root sudo; do
	[ "$(id -u)" -eq 0 ] || { skip 2 "not root"; continue; }
	[ $who = root ] || export SUDO_UID=65534 SUDO_GID=65534
	watch_line -n 2 -d 0.5 -F 200 -e '{cycles:u,instructions:u}:S'
	unset SUDO_UID SUDO_GID
	is "$(value_of 'e[1]["sampled"] > 20 and [x["reason"] for x in e] == [None] * 2')" True "$who: {}:S samples"
	is "$(value_of "abs(of('spinner', 'cycles:uS') / of('spinner', 'instructions:uS') - $cycles) < 0.1")" True \
		"$who: and a task has the counts of both"
done
kill $spinning

done_testing
