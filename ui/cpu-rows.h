/* SPDX-License-Identifier: MIT */
/*
 * cpu-rows - what is shown of each CPU: its busy share, its switches, its preemptions, or an event.
 */
#ifndef UI_CPU_ROWS_H
#define UI_CPU_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/snapshot.h"
#include "ui/cpu-units.h"
#include "ui/draw.h"
#include "ui/event-sum.h"

struct cpu_row {
	const struct snapshot *snap;	/* borrowed */
	const struct snap_event *event; /* or NULL */
	enum cpu_trend own;		/* without an event */
};

/* How many there are: CPU_TRENDS of the CPUs' own, then one for each event; 0 for NULL. */
size_t cpu_rows(const struct snapshot *snap);

/* One of them; valid as long as the snapshot. */
struct cpu_row cpu_row_at(const struct snapshot *snap, size_t row);

/* The sum of several [count]; only of events: the CPUs' own figures have no unit in common. */
void cpu_rows_sum(struct event_sum *sum, const struct snapshot *snap, const size_t *rows,
		  size_t count);

/* "busy", "switches", "preemptions", or the event's name. */
const char *cpu_row_name(const struct cpu_row *row);

/* Of a CPU, by slot: the figure, negative where unknown; its mark; whether it was throttled. */
double cpu_row_value(const struct cpu_row *row, size_t slot);
enum mark cpu_row_mark(const struct cpu_row *row, size_t slot);
bool cpu_row_is_throttled(const struct cpu_row *row, size_t slot);

/* Of all CPUs: the sum, of shares the mean; and its mark. */
double cpu_row_whole(const struct cpu_row *row);
enum mark cpu_row_whole_mark(const struct cpu_row *row);

/* The CPU with the highest figure, by slot; SIZE_MAX: all are 0, or unknown. */
size_t cpu_row_busiest(const struct cpu_row *row);

/* A CPU's share of the sum of all; of its busy share, that itself. */
double cpu_row_share(const struct cpu_row *row, size_t slot);

/* The highest figure by the mean of all CPUs; unknown if it says nothing: of few occurrences. */
double cpu_row_imbalance(const struct cpu_row *row);

/* The figure of each unit, into `out` [units->count]: as cpu_row_whole() of its CPUs. */
void cpu_row_fold(const struct cpu_row *row, const struct cpu_units *units, double *out);

/* The same of each second of the last minute, into `out` [units->count * SNAP_TREND_MAX]. */
void cpu_row_fold_minute(const struct cpu_row *row, const struct cpu_units *units, double *out);

/* What a figure is compared with where a full bar is the highest: that, or for a share 1. */
double cpu_row_full(const struct cpu_row *row, double highest);

/* Draw a figure in its unit. */
void cpu_row_put(const struct cpu_row *row, double value, enum mark mark, const struct pen *pen);

#endif
