/* SPDX-License-Identifier: MIT */
/*
 * output - a snapshot written out, appended to a strbuf: text, JSON, CSV.
 *
 * Pure functions of the snapshot: no clock, no file, no locale.  The shapes are
 * the public face (doc/perftop-ng.1): names are never changed,
 * adding is free.
 */
#ifndef OUTPUT_OUTPUT_H
#define OUTPUT_OUTPUT_H

#include "base/strbuf.h"
#include "model/snapshot.h"

/* One kind of batch output; `argument` is what stood behind its option, NULL for nothing. */
struct output {
	/* What stands once at the beginning of a file; NULL: nothing. */
	void (*head)(struct strbuf *out, const char *argument);
	/* One interval. */
	void (*put)(struct strbuf *out, const struct snapshot *snap, const char *argument);
	/* The end of a command: rates over the whole run.  NULL: as any other interval. */
	void (*summary)(struct strbuf *out, const struct snapshot *snap);
};

/*
 * The outputs: NAME, and the option that asks for it: letter (0: none), name, its argument, help.
 * NAME is output_NAME() of output-NAME.c.
 */
#define OUTPUTS(EACH)                                                                          \
	EACH(text, 0, "batch", NULL, "print each interval as text, without a screen")          \
	EACH(json, 'j', "json-output", NULL, "print each interval as a JSON object on a line") \
	EACH(csv, 'x', "field-separator", "SEP", "print each interval as CSV with this separator")

#define OUTPUT_DECLARE(name, ...) const struct output *output_##name(void);
OUTPUTS(OUTPUT_DECLARE)
#undef OUTPUT_DECLARE

/*
 * The line that makes a saved text one that can be reopened: OUTPUT_SAVED_MARK, and the JSON output's
 * object with one more member, "saved", for what it does not have.
 */
#define OUTPUT_SAVED_MARK "#perftop-ng "
void output_saved(struct strbuf *out, const struct snapshot *snap);

#endif
