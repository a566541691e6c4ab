/* SPDX-License-Identifier: MIT */
/*
 * stream - records kept as they come, to be shown one by one.
 *
 * Of each interval a bounded number is kept: so many of each event, and the first ones beyond that
 * from a share common to all; beside them so many alerts, which are records of losses and throttling.  Further
 * ones are only counted.  At a tick those that are complete
 * become a page (build-stream.c): records of other CPUs may still come up to the time when the
 * last CPU was read.
 */
#ifndef MODEL_STREAM_H
#define MODEL_STREAM_H

#include "base/strbuf.h"
#include "model/page.h"
#include "model/tables.h"

/* Records kept per second, within these limits per interval; and in all pages together. */
#define STREAM_PER_SECOND 2000.0
#define STREAM_LEAST	  200
#define STREAM_MOST	  10000
#define STREAM_ALERTS	  500 /* in an interval */
#define STREAM_HISTORY	  10000
#define STREAM_PAGES	  1000

/* A record before it is decoded. */
struct pending {
	uint64_t time_ns;
	uint64_t number; /* in the order in which they were decoded */
	uint32_t slot, event, type;
	uint16_t misc;
	int32_t tid;	/* of the task that it is about; -1: of none */
	uint64_t value; /* a sample's ip, records lost, the tid of a new task */
	uint64_t count;
	char comm[TASK_COMM_BYTES]; /* of that task, then */
	char name[TASK_COMM_BYTES]; /* COMM: its new name */
	size_t raw_at;		    /* place of its raw data in stream.bytes */
	uint32_t raw_size;
};

/* Of one event, or of the alerts, in this interval. */
struct stream_quota {
	size_t kept;
	uint64_t left_out;
};

struct stream {
	struct pending *pending; /* [npending] */
	size_t npending, pending_room;
	uint64_t decoded;	     /* the next one's number */
	struct strbuf bytes;	     /* raw data of these */
	struct stream_quota *quotas; /* [nquotas], by event */
	size_t nquotas;
	struct stream_quota alerts;
	size_t reserve, shared; /* to be kept of each event; of any, that is left */
	const struct snap_page *pages[STREAM_PAGES];
	size_t npages;
	uint64_t next; /* number of the next page's first record */
	int64_t wall_offset_ns;
};

void stream_free(struct stream *stream);

/* Begin an interval of `seconds`: what is kept and left out is counted anew. */
void stream_next_interval(struct model *model, double seconds);

/*
 * Keep a sample, if there is room; any other record, if it is to be shown.  `task`: the sample's,
 * NULL if it is our own or unknown; `count`: what it stands for.
 */
void stream_sample(struct model *model, uint32_t slot, uint32_t event, const struct record *record,
		   const struct task *task, uint64_t count);
void stream_other(struct model *model, uint32_t slot, uint32_t event, const struct record *record);

#endif
