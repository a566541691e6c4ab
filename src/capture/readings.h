/* SPDX-License-Identifier: MIT */
/*
 * readings - which of a CPU's counters are read at a request.
 *
 * Of 1,000 events most never happen.  Reading their counters took three tenths of the CPU time of a tick
 * (doc/performance.md): a reading is a system call and a function call on a CPU, which can be among the
 * events and are then sampled.
 *
 * An unused event (periods_is_unused()) has a sample, with its count, each time that it happens.  So until there
 * is one its count is 0, and then that of its newest sample (cell_settle()).  What only a reading can say is
 *
 *  - that a sample was lost: then the ring was full, which its reader notices, and it reads all;
 *  - that the kernel counted an event without sampling it: so each counter is read in every
 *    READINGS_TURNS-th request, and READINGS_NS after its last reading.  Once it has counted it is read each
 *    time.
 *
 * At the end all counters are read; with bundles (counters_set_leader()) each time.
 */
#ifndef CAPTURE_READINGS_H
#define CAPTURE_READINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/sys.h"
#include "capture/counters.h"
#include "capture/periods.h"

#define READINGS_TURNS 16
#define READINGS_NS    (10 * NSEC_PER_SEC)

/* Used by the CPU's reader. */
struct readings {
	struct counters *counters;     /* borrowed */
	const struct periods *periods; /* borrowed; of these counters */
	bool has_lost;		       /* as for counters_read() */
	uint32_t turn;		       /* requests so far */
};

/*
 * The counts of a request at `now_ns`, as of counters_read(); unless `is_all` those of unused events may be
 * unread.
 */
const struct count *readings_take(struct readings *readings, enum counts_of which, uint64_t now_ns,
				  bool is_all);

#endif
