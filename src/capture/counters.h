/* SPDX-License-Identifier: MIT */
/*
 * counters - one CPU's event fds and their last counts, by event number.
 *
 * Shared by two threads.  The control thread (which opens and closes events) sets and clears fds;
 * the CPU's reader reads them on that CPU, where read(2) is local and needs no inter-processor
 * interrupt (7-8 us from another CPU).
 *
 *     control                                   reader
 *     open fd, counters_set     --C1-->  load-acquire the fd, then read(2) it
 *     counters_clear, wait for the reader's next mark, then close(2)
 *     request a tick            --C2-->  fill counts[], push the block with the mark
 *     use counts[]              <--Q1--  (the queue's edge)
 *
 * C2: there are three arrays of counts.  Marks use two of them in turn, because at most two marks
 * are in the queue, a tick's and the final one; counts requested without a mark use the third.  So
 * an array is not overwritten while the control thread uses it.
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

/* Control: set the fd (borrowed) of `event` and `target`. */
void counters_set(struct counters *counters, size_t event, size_t target, int fd,
		  uint32_t generation);

/*
 * Control: set the samples per second that an event should have (periods.h), COUNTERS_NO_SAMPLES for
 * none, COUNTERS_ALL for as many as its shortest period gives; 0: fixed period, or switched off.
 */
#define COUNTERS_NO_SAMPLES UINT32_MAX
#define COUNTERS_ALL	    (UINT32_MAX - 1)
void counters_set_pace(struct counters *counters, size_t event, uint32_t rate);

/* Control: set the shortest period of an event with a pace, before its fd; at first, and for 0, it is 1. */
void counters_set_shortest(struct counters *counters, size_t event, uint64_t period);

/* Control: whether read(2) of the event's fds returns its group's counts, its own first. */
void counters_set_group(struct counters *counters, size_t event, bool has_group);

/* The value of counters_set_group(). */
bool counters_has_group(const struct counters *counters, size_t event);

/* The most events of such a group. */
#define COUNTERS_GROUP_MAX 64

/*
 * Control: `leader` (borrowed, -1: none; not closed while the reader runs) leads a group of the kernel's,
 * to which open events of the bundle belong, each with one fd.  counters_read() gets their counts with one
 * read(2) of the leader, and reads separately those that it does not find there by their ids.
 */
#define COUNTERS_BUNDLE 64 /* events of a bundle: event / COUNTERS_BUNDLE is its number */
void counters_set_leader(struct counters *counters, size_t bundle, int leader);

/* The number of bundles of so many events. */
static inline size_t counters_bundles(size_t events)
{
	return (events + COUNTERS_BUNDLE - 1) / COUNTERS_BUNDLE;
}

/* Control: set the kernel's id of the event's fd, before the fd. */
void counters_set_id(struct counters *counters, size_t event, uint64_t id);

/* Reader: whether any bundle has a leader. */
bool counters_has_bundles(const struct counters *counters);

/*
 * An upper bound of the period with which samples of the event were made, 0 when unknown.  The
 * decoder uses it to separate the events that a sample represents from events that the kernel did
 * not sample.  The control thread sets it when it opens the event.  The reader raises it before it
 * raises the period, and lowers it at a request, when all samples with a longer period are decoded.
 */
void counters_set_bound(struct counters *counters, size_t event, uint64_t period);
uint64_t counters_bound(const struct counters *counters, size_t event);

/* Control: remove the fd and return it; -1 when there was none. */
int counters_clear(struct counters *counters, size_t event, size_t target);

/* Both: the fd, still borrowed; -1 when there is none. */
int counters_fd(const struct counters *counters, size_t event, size_t target);

/* Both: the generation of that fd; 0 when there is none. */
uint32_t counters_generation(const struct counters *counters, size_t event, size_t target);

/* The value of counters_set_pace(), at first 0. */
uint32_t counters_pace(const struct counters *counters, size_t event);

/* The value of counters_set_shortest(). */
uint64_t counters_shortest(const struct counters *counters, size_t event);

/* The numbers of events and targets of counters_new(). */
size_t counters_events(const struct counters *counters);
size_t counters_targets(const struct counters *counters);

/*
 * Reader: read all fds into an array of counts (sums over targets), [events], valid until the next
 * call with the same `which`.  `has_lost`: read_format has PERF_FORMAT_LOST.
 */
const struct count *counters_read(struct counters *counters, enum counts_of which, bool has_lost);

/* Reader: the array of counters_read(), to be filled with counts of counters_read_event(). */
struct count *counters_array(struct counters *counters, enum counts_of which);

/* Reader: the same for one event. */
struct count counters_read_event(const struct counters *counters, size_t event, bool has_lost);

/* Reader: disable every event, so that counts and samples agree after the next drain. */
void counters_disable(struct counters *counters);

/* Control: enable one event, or all; with a pace and a bound of 1, set period 1 (attr.h). */
void counters_enable_event(struct counters *counters, size_t event);
void counters_enable(struct counters *counters);

#endif
