/* SPDX-License-Identifier: MIT */
/*
 * tables - the model's tables: filled by model.c, read by build*.c, private to these.
 */
#ifndef MODEL_TABLES_H
#define MODEL_TABLES_H

#include "model/addresses.h"
#include "model/cells.h"
#include "model/folds.h"
#include "model/model.h"
#include "model/tasks.h"
#include "model/trend.h"

/* The most raw data of a sample that is kept for display; a larger sample is not kept. */
#define LAST_RAW_BYTES 2048
#define TID_NONE       (-1)

struct model_row {
	bool is_known;
	bool was_open; /* was on at some time, so it has counts */
	char *name, *asked, *kind, *unit, *reason, *filter; /* owned */
	enum event_state state;
	enum sampling sampling;
	uint64_t rate;
	bool has_ip;
	bool is_clock;
	bool may_be_multiplexed;

	double recent; /* events, faded as those of tasks */
	/* At most 1: scales weights down to the count. */
	double scale_interval, scale_total;
	/* Every event was sampled: in this interval, in the total. */
	bool is_whole_interval, is_whole_total;
	struct trend trend;

	/* The first sample of each interval, to show its fields. */
	bool is_last_wanted;
	uint32_t last_size;	 /* 0: none yet */
	unsigned char *last_raw; /* [LAST_RAW_BYTES], allocated at the first sample */
};

/* Switches of one CPU, or of all. */
struct switch_books {
	uint64_t out;			 /* all switch-out records */
	uint64_t voluntary, involuntary; /* of these, without switches away from idle */
	uint64_t busy_ns, idle_ns;	 /* with a task, with none; the rest is unknown */
};

struct model_cpu {
	bool is_online;
	bool is_counted; /* its mark was decoded: further records are of the next interval */
	enum cpu_answer answer;
	uint64_t ring_bytes, corrupt;
	struct switch_books now, tick, zero;
	int32_t running; /* tid running on it by the switch records, or TID_NONE */
	uint64_t running_since_ns;
};

struct model {
	struct model_config config;
	char *host, *kernel;
	struct model_resolver resolver;
	size_t ncpus;
	int *cpu_ids; /* [ncpus] */

	struct model_row *rows; /* [capacity] */
	size_t nrows;		/* one more than the highest known */
	struct cell *cells;	/* [capacity * ncpus], by event */
	struct model_cpu *cpus; /* [ncpus] */
	struct tasks *tasks;
	struct folds *folds;
	struct addresses *addresses;
	char **notes;
	size_t nnotes;

	uint64_t lost_records;
	uint64_t start_ns, zero_ns; /* of the run, of the totals */
	uint64_t tick_ns;	    /* of the last tick */
	double recent_s;	    /* seconds, faded as the figures of tasks */
	uint64_t self_cpu_ns;	    /* at the last tick */
	uint64_t seq;
};

/* The row of a task that a record of `time_ns` is about; NULL if it is hidden or has exited (pid -1). */
struct task *model_visible_task(struct model *model, int32_t pid, int32_t tid, uint64_t time_ns);

static inline struct cell *model_cell(const struct model *model, uint32_t event, uint32_t slot)
{
	return &model->cells[(size_t)event * model->ncpus + slot];
}

#endif
