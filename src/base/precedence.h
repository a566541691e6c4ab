/* SPDX-License-Identifier: MIT */
/*
 * precedence - how soon the calling thread gets a CPU when it wakes: its nice value and the length
 * of its time slices.
 *
 * From Linux 6.12 on a thread that asks for short slices preempts one with longer slices as soon as
 * it wakes, if it has not had more than its share (commits 857b158dc5e8, 85e511df3cec); otherwise
 * it may wait for the end of the other's slice, by default up to 3 ms.  Older kernels ignore the
 * length.
 */
#ifndef BASE_PRECEDENCE_H
#define BASE_PRECEDENCE_H

#include <stdint.h>

#define PRECEDENCE_SLICE_LEAST_NS 100000u /* the kernel grants no shorter one */

/*
 * Take both.  A nice value below its own needs rights: without them the thread keeps its own.  The
 * slice needs none.  It has no effect on real-time threads.  Threads that it starts inherit both.
 */
void precedence_take(int nice, uint64_t slice_ns);

#endif
