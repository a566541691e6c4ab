/* SPDX-License-Identifier: MIT */
/*
 * output-text-inside - shared by output-text.c (head, CPUs, end), output-text-events.c (the table of
 * events) and output-text-symbols.c (symbols and their callers).
 */
#ifndef OUTPUT_OUTPUT_TEXT_INSIDE_H
#define OUTPUT_OUTPUT_TEXT_INSIDE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"
#include "model/figures.h"
#include "model/snapshot.h"

#define UNKNOWN	 "–"
#define AT_LEAST "≥"

#define TEXT_COLUMNS_MAX 32

/* The rows of one table, in the order in which they are shown. */
struct text_events {
	const struct snapshot *snap;
	bool is_whole;			/* figures are of the whole run, not of an interval */
	const struct snap_event **rows; /* [count], owned */
	size_t count;
	size_t zeros; /* further events with total 0, not in rows */
	struct text_column {
		const char *title;
		size_t width; /* of base/fmt.h's longest output plus marks */
		/* Fills a cell; `figure` is the column's, or NULL. */
		void (*make)(char *cell, const struct text_events *table,
			     const struct snap_event *event, const struct figure *figure);
		const struct figure *figure;
	} columns[TEXT_COLUMNS_MAX];
	size_t ncolumns;
};

/* All events of the snapshot (borrowed) in its order. */
void text_events_init(struct text_events *table, const struct snapshot *snap, bool is_whole);
void text_events_fini(struct text_events *table);

/* Sort by total; if many events are at 0, replace their rows by a number. */
void text_events_sort(struct text_events *table);

/* Append titles and rows, a line each. */
void text_events_put(struct strbuf *out, const struct text_events *table);

/* Append the first symbols with their callers, if there are any callers. */
void text_callers_put(struct strbuf *out, const struct snapshot *snap);

/* `total`, of the event or one of its CPUs, per second of the whole run, or RATE_UNKNOWN. */
double text_whole_rate(const struct snapshot *snap, const struct snap_event *event, uint64_t total);

/* Append a text, or a rate, right-aligned in `width` cells. */
void text_put_right(struct strbuf *out, const char *text, size_t width);
void text_put_rate(struct strbuf *out, double rate, size_t width);

/* Append `value` with so many decimals, independent of the locale. */
void text_put_fixed(struct strbuf *out, double value, unsigned int decimals);

/* "12.3%" for a share of 0..1, with a point in every locale. */
void text_percent(char *out, size_t room, double share);

/* A text of base/fmt.h, with UNKNOWN for its "-". */
const char *text_known(const char *text);

#endif
