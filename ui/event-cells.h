/* SPDX-License-Identifier: MIT */
/*
 * event-cells - how an event's figures are shown, the same in every view.
 */
#ifndef UI_EVENT_CELLS_H
#define UI_EVENT_CELLS_H

#include "model/snapshot.h"
#include "ui/draw.h"
#include "ui/table.h"

#define EVENT_COLUMNS_MAX 16 /* of a view of events */

/* Whether it counts now: switched on and open. */
bool event_is_on(const struct snap_event *event);

/* Why it has no figures, "off: ..." or its error; false when it is on. */
bool event_reason(const struct snap_event *event, char *out, size_t room);

/* A figure of it: of a clock in seconds, for sorting and filters. */
double event_in_units(const struct snap_event *event, double figure);

/* FNV-1a of a name: an event's identity from one snapshot to the next. */
uint64_t event_id(const char *name);

/* The mark of its rate: a lower bound, an estimate or none. */
enum mark event_rate_mark(const struct snap_event *event);

/* Of figures from so many samples: whether more than their first digit is known. */
enum mark event_mark_samples(bool is_estimated, uint64_t samples);

/* A rate or a total of this event (all of it, one CPU's, a task's) in its unit. */
void event_put_rate(const struct snap_event *event, double rate, enum mark mark,
		    const struct pen *pen);
void event_put_total(const struct snap_event *event, uint64_t total, enum mark mark,
		     const struct pen *pen);

/* The event's rate, and its total, in the pen's cell; lower bounds are marked. */
void event_draw_rate(const struct snap_event *event, const struct pen *pen);
void event_draw_total(const struct snap_event *event, const struct pen *pen);

/* The difference to the ten seconds before, a dot if chance explains it. */
void event_draw_change(const struct snap_event *event, const struct pen *pen);

/*
 * How many of it for each one of the first event of its {}, of a clock for each second; the first has
 * the group's number: "{1}".  Negative: unknown, or of no group.
 */
double event_per_first(const struct snapshot *snap, const struct snap_event *event);
void event_draw_per_first(const struct snapshot *snap, const struct snap_event *event,
			  const struct pen *pen);

/* Which task made most of it lately: "bash 812", or "true ×757/s" of short-lived ones; its share. */
void event_draw_most_by(const struct snap_event *event, const struct pen *pen);
void event_draw_most_share(const struct snap_event *event, const struct pen *pen);

/* How many of this interval's were sampled: "all", "1/16", "~1/256", a dash for none. */
void event_draw_seen(const struct snap_event *event, const struct pen *pen);
void event_draw_lost(const struct snap_event *event, const struct pen *pen);

/* Lost per second in this interval, which was of so many seconds. */
void event_draw_lost_now(const struct snap_event *event, double seconds, const struct pen *pen);
void event_draw_throttles(const struct snap_event *event, const struct pen *pen);

/* What it lost on one of its CPUs. */
void event_draw_lost_on(const struct snap_event *event, const struct snap_event_cpu *on,
			const struct pen *pen);

/* One of its further figures; of one of its CPUs. */
void event_draw_figure(const struct snap_event *event, const struct figure *figure,
		       const struct pen *pen);
void event_draw_figure_on(const struct snap_event *event, const struct figure *figure,
			  const struct snap_event_cpu *on, const struct pen *pen);

/*
 * Fill `out` (room for EVENT_COLUMNS_MAX) with the columns of a view of events: its own, and one
 * for each figure that has a heading and whose key is not the name of one of its own.  How many.
 */
size_t event_columns(struct column *out, const struct column *own, size_t count);

/* A count of something bad: dim when none, bad when some. */
void event_draw_bad(uint64_t count, enum mark mark, const struct pen *pen);

/* One cell per CPU, against its busiest CPU. */
void event_draw_cpus(const struct snap_event *event, size_t ncpus, const struct pen *pen);

/* The last 60 s; `now_s` is the time of its newest value. */
void event_draw_trend(const struct snap_event *event, double now_s, const struct pen *pen);

#endif
