/* SPDX-License-Identifier: MIT */
/*
 * event-interest - the order of events when the user has chosen none.
 *
 * First the events that stand for the most work: rate times a typical cost of one occurrence.  An
 * event whose rate has changed counts several times.  Clocks have little weight: they say who is on a
 * CPU, but not what for.
 */
#ifndef UI_EVENT_INTEREST_H
#define UI_EVENT_INTEREST_H

#include "model/snapshot.h"

/* Seconds of work per second, roughly; -INFINITY for an event that is not on. */
double event_interest(const struct snap_event *event);

/* Seconds of work that so many of them per second stand for, roughly. */
double event_work(const struct snap_event *event, double rate);

/* Whether it did not occur in this interval and in the last minute. */
bool event_is_quiet(const struct snap_event *event);

#endif
