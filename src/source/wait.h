/* SPDX-License-Identifier: MIT */
/* wait - how long a snapshot waits for what a thread reads. */
#ifndef SOURCE_WAIT_H
#define SOURCE_WAIT_H

#include "base/sys.h"

/* At a tick: a small file is read by then. */
#define WAIT_TICK_NS (20 * NSEC_PER_MSEC)

/* At the end of a batch run, so that nothing is missing. */
#define WAIT_FINAL_NS (500 * NSEC_PER_MSEC)

#endif
