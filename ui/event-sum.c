/* SPDX-License-Identifier: MIT */
#include "ui/event-sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "ui/event-cells.h"

static void add_number(double *sum, double part)
{
	*sum = *sum >= 0 && part >= 0 ? *sum + part : RATE_UNKNOWN;
}

/* All that a view can have a column of. */
static void add_counts(struct snap_event *sum, const struct snap_event *event)
{
	const struct figure_list list = figures_events();

	for (size_t i = 0; i < list.count; i++) {
		const struct figure *figure = &list.rows[i];

		if (figure->type == FIGURE_COUNT && figure->place != NO_SUM)
			*(uint64_t *)((char *)sum + figure->at) += figure_count(figure, event);
	}
}

/* As the least certain of them. */
static void add_doubts(struct snap_event *sum, const struct snap_event *event)
{
	sum->running = fmin(sum->running, event->running);
	sum->is_throttled |= event->is_throttled;
	sum->is_at_least |= event->is_at_least;
	sum->is_behind |= event->is_behind;
	if (snap_event_is_wrong(event)) {
		sum->is_balance_known = true;
		sum->is_balanced = false;
	}
	sum->is_lost_exact &= event->is_lost_exact || event->sampling == SAMPLING_NONE;
}

/* One period for all of them; otherwise what their samples stand for, as of a frequency. */
static void add_sampling(struct snap_event *sum, const struct snap_event *event)
{
	if (event->sampling == sum->sampling && event->period == sum->period)
		return;
	sum->sampling = SAMPLING_FREQ;
	sum->period = sum->freq = 0;
}

static void add_cpus(struct event_sum *self, const struct snap_event *event, size_t ncpus)
{
	for (size_t i = 0; event->cpus != NULL && i < ncpus; i++) {
		self->cpus[i].rate += fmax(event->cpus[i].rate, 0);
		self->cpus[i].is_throttled |= event->cpus[i].is_throttled;
	}
}

static void add_trend(struct event_sum *self, const struct snap_event *event)
{
	for (size_t age = 0; age < event->ntrend && age < SNAP_TREND_MAX; age++) {
		float part = event->trend[event->ntrend - 1 - age];
		float *sum = &self->trend[SNAP_TREND_MAX - 1 - age];

		if (part >= 0)
			*sum = *sum >= 0 ? *sum + part : part;
	}
}

/* Zero of what this event is many of. */
static void begin(struct event_sum *self, const struct snap_event *first, size_t ncpus)
{
	self->cpus = xreallocarray(self->cpus, ncpus + 1, sizeof(*self->cpus));
	memset(self->cpus, 0, (ncpus + 1) * sizeof(*self->cpus));
	for (size_t i = 0; i < SNAP_TREND_MAX; i++)
		self->trend[i] = -1;
	self->event = (struct snap_event){
		.name = "",
		.kind = first->kind,
		.unit = first->unit,
		.state = EVENT_STATE_ON,
		.sampling = first->sampling,
		.period = first->period,
		.freq = first->freq,
		.running = 1,
		.is_lost_exact = true,
		.is_balanced = true,
		.rate_before = RATE_UNKNOWN,
		.cpus = self->cpus,
		.trend = self->trend,
		.ntrend = SNAP_TREND_MAX,
	};
}

void event_sum_none(struct event_sum *self, const char *reason)
{
	self->event = (struct snap_event){
		.name = "",
		.kind = "",
		.unit = "",
		.state = EVENT_STATE_FAILED,
		.reason = reason,
	};
}

void event_sum_of(struct event_sum *self, const struct snapshot *snap, const size_t *events,
		  size_t count)
{
	const struct snap_event *first = NULL;

	for (size_t i = 0; i < count; i++) {
		const struct snap_event *event = &snap->events[events[i]];

		if (!event_is_on(event))
			continue;
		if (first == NULL)
			begin(self, first = event, snap->ncpus);
		if (strcmp(event->unit, first->unit) != 0) {
			event_sum_none(self, "no sum: their units differ");
			return;
		}
		add_counts(&self->event, event);
		add_number(&self->event.rate, event->rate);
		add_doubts(&self->event, event);
		add_sampling(&self->event, event);
		add_cpus(self, event, snap->ncpus);
		add_trend(self, event);
	}
	if (first == NULL)
		event_sum_none(self, "no sum: none of them is on");
}

void event_sum_fini(struct event_sum *self)
{
	free(self->cpus);
	*self = (struct event_sum){ 0 };
}
