#!/bin/sh
# SPDX-License-Identifier: MIT
# The program builds against linux/perf_event.h of Linux 5.10: all of it is compiled with a header
# from which everything newer was removed.
. "${0%/*}/../lib.sh"
cc=${CC:-cc}
need "$cc"
header=$(echo '#include <linux/perf_event.h>' | "$cc" -E - 2>/dev/null | sed -n 's/^# 1 "\(.*perf_event\.h\)".*/\1/p' | head -n 1)
[ -n "$header" ] || skip_all "no linux/perf_event.h here"

# Name by name, with the version that brought it.
newer='PERF_SAMPLE_DATA_PAGE_SIZE PERF_SAMPLE_CODE_PAGE_SIZE
PERF_SAMPLE_WEIGHT_STRUCT PERF_SAMPLE_WEIGHT_TYPE PERF_RECORD_MISC_MMAP_BUILD_ID build_id
PERF_COUNT_SW_CGROUP_SWITCHES PERF_ATTR_SIZE_VER7 inherit_thread remove_on_exec sigtrap sig_data
PERF_PMU_TYPE_SHIFT PERF_HW_EVENT_MASK
PERF_RECORD_AUX_OUTPUT_HW_ID
PERF_FORMAT_LOST PERF_SAMPLE_BRANCH_PRIV_SAVE PERF_SAMPLE_BRANCH_PRIV_SAVE_SHIFT new_type
PERF_ATTR_SIZE_VER8 config3
PERF_SAMPLE_BRANCH_COUNTERS PERF_SAMPLE_BRANCH_COUNTERS_SHIFT PERF_BRANCH_ENTRY_INFO_BITS_MAX
aux_action aux_start_paused aux_pause aux_resume PERF_EVENT_IOC_MODIFY
PERF_RECORD_CALLCHAIN_DEFERRED PERF_CONTEXT_USER_DEFERRED defer_callchain defer_output config4
PERF_ATTR_SIZE_VER9'

mkdir -p "$tmp/linux"
script=
for name in $newer; do
	script="$script;s/\\b$name\\b/not_in_5_10_$name/g"
done
sed "${script#;}" "$header" >"$tmp/linux/perf_event.h"
is "$(echo '#include <linux/perf_event.h>
int main(void) { return PERF_RECORD_TEXT_POKE + PERF_SAMPLE_CGROUP; }' | "$cc" -I"$tmp" -fsyntax-only -x c - 2>&1)" \
	'' "the old header compiles"

ok "what is newer is gone" not sh -c "echo '#include <linux/perf_event.h>
int lost = PERF_FORMAT_LOST;' | \"$cc\" -I\"$tmp\" -fsyntax-only -x c -"

# shellcheck disable=SC2046
for file in $(grep -rlE 'perf_event\.h|"capture/|"decode/' src decode ui tests/unit --include='*.c' | sort); do
	"$cc" -std=gnu11 -D_GNU_SOURCE -DPERFTOP_VERSION='""' -DPERFTOP_DATADIR='""' -DPERFTOP_SYSCONFDIR='""' \
		-I"$tmp" -I. -Isrc -Itests $(pkg-config --cflags libtraceevent ncursesw) -fsyntax-only -w "$file" 2>&1
done >"$tmp/errors"
is "$(grep -E 'error' "$tmp/errors" | head -n 10)" '' "all compiles against it"
done_testing
