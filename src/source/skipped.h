/* SPDX-License-Identifier: MIT */
/*
 * skipped - what a recording lacks because the disk was too slow: how many records of each event on each CPU.
 *
 * Of a block that cannot be written only samples and switches are skipped, as these are nearly all of it.  The
 * rest, such as tasks' names and mappings, is needed to read what is written.
 */
#ifndef SOURCE_SKIPPED_H
#define SOURCE_SKIPPED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

struct skipped;

/* For so many events, and slots of CPUs.  Never NULL. */
struct skipped *skipped_new(size_t events, size_t slots);
void skipped_free(struct skipped *skipped);

/* Records with any of these ids (0 is skipped) belong to this event. */
void skipped_event(struct skipped *skipped, uint32_t number, const uint64_t *ids, size_t nids);

/* Count a block's samples and switches, and append its other records to `kept`. */
void skipped_filter(struct skipped *skipped, size_t slot, const void *bytes, size_t len,
		    struct strbuf *kept);

/* Count all records of a block. */
void skipped_all(struct skipped *skipped, size_t slot, const void *bytes, size_t len);

/* Of one event on one CPU, since it was taken last. */
struct skipped_count {
	uint32_t number;
	size_t slot;
	uint64_t records;
};

/* Take one that is not 0, in no particular order; false: there is none. */
bool skipped_take(struct skipped *skipped, struct skipped_count *count);

/* Since skipped_new(). */
uint64_t skipped_total(const struct skipped *skipped);

#endif
