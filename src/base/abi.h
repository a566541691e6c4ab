/* SPDX-License-Identifier: MIT */
/*
 * abi - constants of the kernel's perf ABI that a build machine's header may lack.
 *
 * The header's newer constants are enumerators, which #ifdef cannot see, so those
 * added after Linux 5.10 are defined here under other names.  Numbers from
 * include/uapi/linux/perf_event.h.
 */
#ifndef BASE_ABI_H
#define BASE_ABI_H

#include <linux/perf_event.h>
#include <stdbool.h>

#define ABI_FORMAT_LOST		  (1ull << 4)  /* read_format, Linux 6.0 */
#define ABI_SAMPLE_WEIGHT_STRUCT  (1ull << 24) /* sample_type, 5.12 */
#define ABI_SAMPLE_CODE_PAGE_SIZE (1ull << 23) /* 5.11 */
#define ABI_SAMPLE_DATA_PAGE_SIZE (1ull << 22) /* 5.11 */

#define ABI_RECORD_TEXT_POKE	      20 /* 5.9 */
#define ABI_RECORD_AUX_OUTPUT_HW_ID   21 /* 5.16 */
#define ABI_RECORD_CALLCHAIN_DEFERRED 22 /* 6.19 */
#define ABI_RECORD_TYPES	      23 /* one more than the newest known here */

#define ABI_CONTEXT_USER_DEFERRED ((__u64)-640) /* mark in a call chain, 6.19 */

#define ABI_MISC_SWITCH_OUT	    (1u << 13)
#define ABI_MISC_SWITCH_OUT_PREEMPT (1u << 14)
#define ABI_MISC_COMM_EXEC	    (1u << 13)
#define ABI_MISC_FORK_EXEC	    (1u << 13) /* of FORK records made from /proc by perf record */
#define ABI_MISC_MMAP_BUILD_ID	    (1u << 14) /* 5.12 */

#define ABI_COUNT_SW_CGROUP_SWITCHES 11 /* 5.13 */
#define ABI_COUNT_SW_MAX	     12 /* one more than the newest known here */

/* Clocks have a timer for each perf event, unlike the other software events. */
static inline bool abi_is_clock(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE && (attr->config == PERF_COUNT_SW_CPU_CLOCK ||
						    attr->config == PERF_COUNT_SW_TASK_CLOCK);
}

/*
 * Room for an attr that is longer than this header's: config3 (6.3) is at byte 128, where the
 * header of 6.1 ends.  `attr.size` is the size in use.
 */
union abi_attr {
	struct perf_event_attr attr;
	unsigned char bytes[256];
};

#define ABI_ATTR_SIZE_VER8 136 /* 6.3: with config3 */
#define ABI_ATTR_CONFIG3   128 /* its offset */

#endif
