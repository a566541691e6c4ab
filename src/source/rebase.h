/* SPDX-License-Identifier: MIT */
/*
 * rebase - the counts in a recording's samples, in a file that follows another one.
 *
 * The READ of a sample (PERF_SAMPLE_READ) has what its fd counted since it was opened.  Who reads a file takes
 * the first count of an fd as grown from 0, so each file has what was counted since the samples of the file
 * before: counts, times and losses alike.
 *
 * One thread.
 */
#ifndef SOURCE_REBASE_H
#define SOURCE_REBASE_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rebase;

/* For the first file; never NULL. */
struct rebase *rebase_new(void);

/* NULL is allowed. */
void rebase_free(struct rebase *rebase);

/* Samples with any of these ids (0 is skipped, a known one stays as it is) are of an event with this attr. */
void rebase_event(struct rebase *rebase, const struct perf_event_attr *attr, const uint64_t *ids,
		  size_t nids);

/* Whether the samples of an event have a READ; else there is nothing to do. */
bool rebase_has_work(const struct rebase *rebase);

/* Change the counts in whole records, of which an fd's are in the order in which they were made. */
void rebase_records(struct rebase *rebase, void *bytes, size_t len);

/* From here on the records are another file's. */
void rebase_next(struct rebase *rebase);

#endif
