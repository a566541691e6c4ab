/* SPDX-License-Identifier: MIT */
/*
 * reopen-inside - private to the files that read a saved snapshot:
 *
 *     reopen.c         finds it in a text; its CPUs, events, symbols and the rest
 *     reopen-tasks.c   its tasks, and what they descend from
 *     reopen-values.c  single values, and figures
 */
#ifndef OUTPUT_REOPEN_INSIDE_H
#define OUTPUT_REOPEN_INSIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/json.h"
#include "model/figures.h"
#include "model/snapshot.h"

struct named {
	const char *name; /* of the snapshot */
	uint32_t event;
};

/* The state of reading a snapshot. */
struct reading {
	struct snapshot *snap;
	const struct json_value *root, *saved;
	struct named *names; /* [snap->nevents], sorted */
};

/* A value's text, copied into the snapshot, or `otherwise`. */
const char *reopen_text(struct snapshot *snap, const struct json_value *value,
			const char *otherwise);

/* The object's number, or RATE_UNKNOWN; its whole number within 32 bits, or `otherwise`; its count. */
double reopen_number(const struct json_value *object, const char *key);
int32_t reopen_whole(const struct json_value *object, const char *key, int32_t otherwise);
uint64_t reopen_count(const struct json_value *object, const char *key);

/* Read a figure, or all of a list, from an object into `record`, a struct of the list's kind. */
void reopen_value(struct reading *reading, const struct figure *figure,
		  const struct json_value *from, void *at);
void reopen_figures(struct reading *reading, struct figure_list list, const struct json_value *from,
		    void *record);

/* Find an event by its name: whether there is one, and its place in the snapshot. */
bool reopen_find_event(const struct reading *reading, const char *name, uint32_t *number);

/* Read how long something took, of many times. */
void reopen_span(struct reading *reading, const struct json_value *from, struct snap_span *span);

/* Read all tasks, processes and the rest; after the events. */
void reopen_tasks(struct reading *reading);

#endif
