#!/bin/sh
# SPDX-License-Identifier: MIT
# A timer event at the highest rate allowed is throttled.  Its interrupts can saturate a machine.
. "${0%/*}/../lib.sh"
. "${0%/*}/../live/json.sh"
. "${0%/*}/../live/throttle.sh"
need_guest
need_event cpu-clock

# On one CPU, for a short time.  Whether it is throttled depends on the machine's speed.
for try in 1 2 3 4 5; do
	run -e cpu-clock -C 0 -F max --force -n 1 -d 0.3
	[ "$(event_field "$final" cpu-clock throttles)" = 0 ] || break
done
if [ "$(event_field "$final" cpu-clock throttles)" = 0 ]; then
	skip 7 "cpu-clock is not throttled here, $try times"
else
	check_throttled cpu-clock
fi

done_testing
