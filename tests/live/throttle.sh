# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# throttle.sh - the checks of tests of throttling; needs lib.sh and json.sh.

# run OPTION...: the final line is in $final
run()
{
	status=0
	"$PERFTOP" -j "$@" >"$tmp/out" 2>"$tmp/err" || status=$?
	final=$(tail -n 1 "$tmp/out")
}

# Check the figures of the one event of the run, which was throttled.
check_throttled()
{
	is $status 0 "$1: ends with success"
	throttles=$(event_field "$final" "$1" throttles)
	ok "it is throttled ($throttles times)" [ "${throttles:-0}" -gt 0 ]
	is "$(event_cpus "$final" "$1" | sum_of 5)" "$throttles" "the CPUs' are the sum"
	is "$(last_field "$final" throttles)" "$throttles" "and that of the whole"
	time=$(printf '%s\n' "$final" | sed -n 's/.*"most_share":[^,]*,"throttled":\([0-9.]*\),.*/\1/p')
	ok "for some time ($time s)" awk -v time="$time" 'BEGIN { exit !(time > 0) }'
	cpus=$(event_text "$final" "$1" | tr '{' '\n' | sed -n 's/^"cpu":.*"throttled":\([0-9.]*\),.*/\1/p')
	ok "which is the sum of the CPUs'" awk -v all="$time" -v cpus="$cpus" 'BEGIN {
		n = split(cpus, each)
		for (i = 1; i <= n; i++)
			sum += each[i]
		exit !(n > 0 && sum - all < 1e-6 && all - sum < 1e-6)
	}'
	is "$(event_field "$final" "$1" balanced)" null "its books cannot be checked then"
	is "$(last_field "$final" balanced)" null "nor can the whole"
}
