#!/bin/sh
# SPDX-License-Identifier: MIT
# Damaged perf.data files, where perf reads them: the same samples, totals by event and CPU, losses and throttling.
#
#	DAMAGED=1000 DAMAGED_FROM=0 make check-damaged_sums    so many files (24), from this number on
. "${0%/*}/../lib.sh"

need perf python3

set -- tests/data/*.data
python3 tests/damagedsums.py "${DAMAGED_FROM:-0}" "${DAMAGED:-24}" "$tmp" "$@" >"$tmp/result"
while read -r seed result; do
	case $seed in
	compared) ok "perf reads some of them" [ "$result" -gt 0 ] && diag "$result files compared" ;;
	*) is "$result" same "$seed, damaged" ;;
	esac
done <"$tmp/result"
ok "all were tried" grep -q ^compared "$tmp/result"
done_testing
