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

# Check the figures of an event that was throttled.
check_throttled()
{
	is $status 0 "$1: ends with success"
	throttles=$(event_field "$final" "$1" throttles)
	ok "it is throttled ($throttles times)" [ "${throttles:-0}" -gt 0 ]
	is "$(event_cpus "$final" "$1" | sum_of 5)" "$throttles" "the CPUs' are the sum"
	is "$(last_field "$final" throttles)" "$throttles" "and that of the whole"
	unlike "$(event_field "$final" "$1" throttled)" '^0\.?0*$' "for some time"
	is "$(event_field "$final" "$1" balanced)" null "its books cannot be checked then"
	is "$(last_field "$final" balanced)" null "nor can the whole"
}
