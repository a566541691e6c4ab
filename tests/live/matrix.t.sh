#!/bin/sh
# SPDX-License-Identifier: MIT
# The books in each cell of a matrix: total == sampled + lost of every event on every CPU, whatever the
# sizes, however slow the decoder.  A tenth of the cells; with ACCOUNTING=all (make check-accounting) all of
# them, and more calls in each, so that more than 10^8 events are counted.
. "${0%/*}/../lib.sh"
. "${0%/*}/json.sh"

event=syscalls:sys_enter_getppid
load=$BUILD/tests/helpers/calls
slow=$BUILD/tests/helpers/perftop-slow
need_event $event
own=$(own_calls)
calls=20000
[ "${ACCOUNTING-}" != all ] || calls=200000

# The CPUs that the load may run on: the first of them, and all.
on_all=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status | tr , '\n' |
	awk -F- '{ for (cpu = $1; cpu <= $NF; cpu++) printf " %d", cpu }')
on_one=$(echo "$on_all" | cut -d ' ' -f 2)

# The first four come once for each call, the others with the fork storm.
events=$event,raw_syscalls:sys_enter,syscalls:sys_exit_getppid,raw_syscalls:sys_exit
events=$events,sched:sched_process_fork,sched:sched_process_exit,syscalls:sys_enter_clone,syscalls:sys_enter_exit_group

# The final line on stdin; prints how many events were counted in all, or what is wrong.
# $1: how many events there are; $2: the least total of $event, $3: the most.
judge()
{
	awk -v events="$1" -v least="$2" -v most="$3" -v event=$event '
	function number(text, key) {
		if (!match(text, "\"" key "\":[0-9]+"))
			return "none"
		return substr(text, RSTART + length(key) + 3, RLENGTH - length(key) - 3) + 0
	}
	# Where the text has total, sampled and lost; what is wrong is added to `wrong`.
	function check(text, where) {
		total = number(text, "total")
		if (total == "none" || total != number(text, "sampled") + number(text, "lost"))
			wrong = wrong where ": " text "\n"
	}
	{
		n = split($0, of, /\{"name":"/)
		for (i = 2; i <= n && of[i] ~ /^[^"]*","kind":/; i++) {
			name = substr(of[i], 1, index(of[i], "\"") - 1)
			ncpus = split(of[i], cpu, /\{"cpu":/)
			check(cpu[1], name)
			sum = total
			if (name == event && (total < least || total > most))
				wrong = wrong name ": total " total "\n"
			if (cpu[1] !~ /"balanced":true/)
				wrong = wrong name ": not balanced\n"
			counted += sum
			for (c = 2; c <= ncpus; c++) {
				check(cpu[c], name " on CPU")
				sum -= total
			}
			if (sum != 0)
				wrong = wrong name ": the CPUs are not the total\n"
		}
		if (i - 2 != events)
			wrong = wrong i - 2 " events\n"
	}
	END { printf "%s", NR != 1 ? NR " final lines\n" : wrong != "" ? wrong : counted }'
}

# run_cell PAGES STALL EVENTS CPUS BLOCKS STORM
run_cell()
{
	what="$1 pages, stalls of $2 ms, $3 events, CPUs: $4, $5 blocks, fork storm: $6"
	forks='' cpu='' on=$on_all
	[ "$6" = no ] || forks=-f
	[ "$4" = all ] || cpu="-C $on_one" on=$on_one
	# Bound to the load; a sanitizer's own calls are made on any CPU.
	least=$((calls * $(echo "$on" | wc -w)))
	# shellcheck disable=SC2086 # $cpu, $forks and $on are words
	DECODER_MSEC=$2 DECODER_EVERY=$(($2 / 4 + 5)) "$slow" -j -c 1 -m "$1" --blocks "$5" $cpu \
		-e "$(echo "$events" | cut -d , -f "1-$3")" \
		-- "$load" $forks $calls $on >"$tmp/out" 2>"$tmp/err" </dev/null
	status=$?
	found=$(grep '"final":true' "$tmp/out" | judge "$3" "$least" "$((least + own))")
	case $found in
	*[!0-9]*) ;;
	*) counted=$((counted + found)) found=balanced ;;
	esac
	is "$status $found$(cat "$tmp/err")" "0 balanced" "$what"
}

for pages in 1 2 8 64 512; do
	for stall in 0 20 200; do
		for nevents in 1 2 8; do
			for cpus in one all; do
				for blocks in 2 64; do
					for storm in no yes; do
						echo $pages $stall $nevents $cpus $blocks $storm
					done
				done
			done
		done
	done
done >"$tmp/cells"
if [ "${ACCOUNTING-}" != all ]; then
	# One of each ten, and not the same of each.
	awk 'NR % 10 == int(NR / 10) % 10' "$tmp/cells" >"$tmp/tenth"
	mv "$tmp/tenth" "$tmp/cells"
fi

counted=0
while read -r pages stall nevents cpus blocks storm; do
	run_cell "$pages" "$stall" "$nevents" "$cpus" "$blocks" "$storm"
done <"$tmp/cells"
diag "$counted events counted"
done_testing
