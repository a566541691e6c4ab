/* SPDX-License-Identifier: MIT */
/*
 * output - formats a snapshot, appended to a strbuf: text, JSON, CSV.
 *
 * Pure functions of the snapshot: no clock, no file, no locale.  The formats are a
 * public interface (doc/perftop-ng.1): names never change, new ones may be added.
 */
#ifndef OUTPUT_OUTPUT_H
#define OUTPUT_OUTPUT_H

#include "base/strbuf.h"
#include "model/snapshot.h"

/* One format of batch output; `argument` is its option's argument, or NULL. */
struct output {
	/* The header at the start of a file; NULL: none. */
	void (*head)(struct strbuf *out, const char *argument);
	/* One interval. */
	void (*put)(struct strbuf *out, const struct snapshot *snap, const char *argument);
	/* At a command's end: rates over the whole run.  NULL: as any other interval. */
	void (*summary)(struct strbuf *out, const struct snapshot *snap);
};

/*
 * The outputs: NAME, and the option that selects it: letter (0: none), name, its argument, help.
 * NAME is output_NAME() of output-NAME.c.
 */
#define OUTPUTS(EACH)                                                                          \
	EACH(text, 0, "batch", NULL, "print each interval as text, without a screen")          \
	EACH(json, 'j', "json-output", NULL, "print each interval as a JSON object on a line") \
	EACH(csv, 'x', "field-separator", "SEP", "print each interval as CSV with this separator")

#define OUTPUT_DECLARE(name, ...) const struct output *output_##name(void);
OUTPUTS(OUTPUT_DECLARE)
#undef OUTPUT_DECLARE

/* Of JSON: another number means that keys changed their meaning. */
#define OUTPUT_SCHEMA 1

/*
 * Append the line by which a saved text can be reopened: OUTPUT_SAVED_MARK, and the JSON output's
 * object with one more member, "saved", for data that the JSON output lacks, and for `screen`, which
 * says how it is shown (NULL: nothing).
 */
#define OUTPUT_SAVED_MARK "#perftop-ng "
void output_saved(struct strbuf *out, const struct snapshot *snap, const char *screen);

#endif
