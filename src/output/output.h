/* SPDX-License-Identifier: MIT */
/*
 * output - a snapshot as text, JSON or CSV, appended to a strbuf.
 *
 * Pure functions of the snapshot: no clock, no file, no locale.  The shapes are
 * the public face (doc/interface in the manual page): names are never changed,
 * adding is free.
 */
#ifndef OUTPUT_OUTPUT_H
#define OUTPUT_OUTPUT_H

#include "base/strbuf.h"
#include "model/snapshot.h"

/* The batch text: a head of a few lines, then the events table, aligned, every row. */
void output_text(struct strbuf *out, const struct snapshot *snap);

/*
 * The same of a whole run: rates over all of it, sorted by total, and many events at 0 in one line.
 * For the final snapshot of a command.
 */
void output_summary(struct strbuf *out, const struct snapshot *snap);

/* One JSON object and a newline.  Unknown is null; numbers are numbers. */
void output_json(struct strbuf *out, const struct snapshot *snap);

/*
 * The line that makes a saved text one that can be reopened: OUTPUT_SAVED_MARK, and the object of
 * output_json() with one more member, "saved", for what it does not have.
 */
#define OUTPUT_SAVED_MARK "#perftop-ng "
void output_saved(struct strbuf *out, const struct snapshot *snap);

/* The CSV column names and a newline. */
void output_csv_head(struct strbuf *out, const char *separator);

/* One line per event and CPU; fields with the separator, quotes or newlines are quoted. */
void output_csv(struct strbuf *out, const struct snapshot *snap, const char *separator);

#endif
