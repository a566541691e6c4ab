/* SPDX-License-Identifier: MIT */
/*
 * periods - control of the sampling periods of one CPU's events.
 *
 * An event with a pace (counters.h) should have about that many samples a second.  A slower one has
 * its shortest period, mostly 1: every event is sampled.  A faster one has period rate / pace, from
 * its exact count, with some jitter, so that samples are not synchronous with a repeating load.
 *
 * The kernel's frequency mode is not used for these: if it is started on a software event or
 * tracepoint with a high rate, there is no sample for a second or two (measured on 6.18,
 * doc/design.md).
 *
 * With the pace COUNTERS_NO_SAMPLES it is only counted.
 *
 * PERF_EVENT_IOC_PERIOD takes effect at once; the next event is then sampled.  Weights come from
 * the counts in the samples, and are limited to the period (counters_bound()), because the kernel
 * counts some events without sampling them.
 */
#ifndef CAPTURE_PERIODS_H
#define CAPTURE_PERIODS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/sys.h"
#include "capture/counters.h"

struct periods;

/* Borrows `counters`; `seed` should differ between CPUs.  NULL and ENOMEM. */
struct periods *periods_new(struct counters *counters, bool has_lost, uint64_t seed);

/* NULL is allowed. */
void periods_free(struct periods *periods);

/* Reader: adapt all periods to the counts of a request, [events], read at `now_ns`. */
void periods_settle(struct periods *periods, const struct count *counts, uint64_t now_ns);

/* Reader: the same between requests, for all events or only those with a longer period; reads counts. */
enum periods_of { PERIODS_ALL, PERIODS_LONGER };
void periods_adapt(struct periods *periods, enum periods_of which, uint64_t now_ns);

/*
 * How long to wait from one time to the next between requests: PERIODS_NS, or PERIODS_BURST_NS for all
 * events; up to 1 s, or 100 ms, with so many that it would take much of the reader's CPU time.
 */
uint64_t periods_wait_ns(const struct periods *periods, enum periods_of which);
#define PERIODS_NS	 (50 * NSEC_PER_MSEC)
#define PERIODS_BURST_NS (2 * NSEC_PER_MSEC)

/* Whether any event that is sampled has a longer period than its shortest: these are to be adapted. */
bool periods_are_longer(const struct periods *periods);

/*
 * Reader: whether the event has a sample each time that it happens, and its fd had counted nothing when it
 * was last read, at `since_ns` or later.
 */
bool periods_is_unused(const struct periods *periods, size_t event, uint64_t since_ns);

/* The period that was last set for an event; 0 before the first. */
uint64_t periods_get(const struct periods *periods, size_t event);

#endif
