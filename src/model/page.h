/* SPDX-License-Identifier: MIT */
/*
 * page - the records of one interval, decoded and in time order, as the screen shows them one by
 * one.
 *
 * Immutable and reference-counted, as snapshots are: the last pages are in each snapshot.
 */
#ifndef MODEL_PAGE_H
#define MODEL_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum snap_record_kind {
	SNAP_SAMPLE,   /* an occurrence of the event */
	SNAP_TASK,     /* a task was forked or renamed, or has exited */
	SNAP_THROTTLE, /* the kernel stopped the event on this CPU, or lets it continue */
	SNAP_LOST,     /* the CPU's ring had no room for `count` records */
	/* `count` more samples of the event, or losses and throttlings (event ""), in this interval, are not kept */
	SNAP_LEFT_OUT,
};

struct snap_record {
	enum snap_record_kind kind;
	bool is_clock;	   /* `count` is of ns */
	int cpu;	   /* the kernel's number; -1: of any */
	int32_t tid;	   /* -1: of no task, or of one that had exited */
	int64_t wall_ns;   /* since 1970 */
	uint64_t count;	   /* what the sample stands for; 0: unknown */
	const char *comm;  /* "" when unknown */
	const char *event; /* its name; of a record of tasks or losses what it is: "fork" */
	const char *text;  /* its fields, or where in the code it was; "" when there is nothing */
};

struct snap_page {
	uint64_t first; /* number of its first record: they are counted over all pages */
	struct snap_record *records;
	size_t count;
	struct arena *arena; /* owns all this */
};

/* Of `count` records, zeroed, to be filled; one reference; never NULL. */
struct snap_page *page_new(size_t count);

/* A copy of `text` that lives as long as the page. */
const char *page_strdup(struct snap_page *page, const char *text);

/* Memory that it takes. */
size_t page_bytes(const struct snap_page *page);

/* Take one more reference; release one.  Any thread. */
const struct snap_page *page_hold(const struct snap_page *page);
void page_release(const struct snap_page *page);

#endif
