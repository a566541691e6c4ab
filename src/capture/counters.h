/* SPDX-License-Identifier: MIT */
/*
 * counters - one CPU's event fds and what they last said, by event number.
 *
 * Two threads share it.  The control thread (which opens and closes events)
 * sets and clears fds; the CPU's reader reads them, on their own CPU, where
 * read(2) is local and costs no inter-processor interrupt (7-8 us elsewhere).
 *
 *     control                                   reader
 *     open fd, counters_set     --C1-->  load-acquire the fd, then read(2) it
 *     counters_clear, wait for the reader's next mark, then close(2)
 *     request a tick            --C2-->  fill counts[], push the block with the mark
 *     use counts[]              <--Q1--  (the queue's edge)
 *
 * C2: there are several arrays of counts.  Marks use two of them in turn, for at
 * most two are on their way, a tick's and the final one; counts that are asked
 * for without a mark have the third.  So an array is not written to before the
 * control thread is done with it.
 */
#ifndef CAPTURE_COUNTERS_H
#define CAPTURE_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/count.h"

struct counters;

enum counts_of { COUNTS_EVEN, COUNTS_ODD, COUNTS_ALONE, COUNTS_ARRAYS };

/* Room for `events` events with `targets` fds each. */
struct counters *counters_new(size_t events, size_t targets);
void counters_free(struct counters *counters);

/* Control: this fd (borrowed) counts for `event` on target `target` from now on. */
void counters_set(struct counters *counters, size_t event, size_t target, int fd,
		  uint32_t generation);

/* Control: the samples per second that the event should have (periods.h); 0 for a fixed period. */
void counters_set_pace(struct counters *counters, size_t event, uint32_t rate);

/*
 * An upper bound of the period with which samples of the event were made, 0 when unknown: whoever decodes a
 * sample uses it to separate what it stands for from events that the kernel did not sample.  The control
 * thread sets it when it opens the event.  The reader raises it before the period, and lowers it at a
 * request, when no sample made with a longer period is left to decode.
 */
void counters_set_bound(struct counters *counters, size_t event, uint64_t period);
uint64_t counters_bound(const struct counters *counters, size_t event);

/* Control: forget the fd, and return it; -1 when there was none. */
int counters_clear(struct counters *counters, size_t event, size_t target);

/* Either: the fd, still borrowed; -1 when there is none. */
int counters_fd(const struct counters *counters, size_t event, size_t target);

/* What was set, 0 at first. */
uint32_t counters_pace(const struct counters *counters, size_t event);

/* How many events there may be, and how many fds each may have. */
size_t counters_events(const struct counters *counters);
size_t counters_targets(const struct counters *counters);

/*
 * Reader: read all fds into an array of counts (sums over targets), [events], valid until the next
 * call with the same `which`.  `has_lost`: read_format has PERF_FORMAT_LOST.
 */
const struct count *counters_read(struct counters *counters, enum counts_of which, bool has_lost);

/* Reader: the same of one event alone. */
struct count counters_read_event(const struct counters *counters, size_t event, bool has_lost);

/* Reader: switch every event off, so that after a drain the books can be closed. */
void counters_disable(struct counters *counters);

/* Control: enable one event, or all; one with a pace and a bound of 1 gets period 1 (attr.h). */
void counters_enable_event(struct counters *counters, size_t event);
void counters_enable(struct counters *counters);

#endif
