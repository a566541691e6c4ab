/* SPDX-License-Identifier: MIT */
/*
 * tables - the model's tables, private to the files that fill them (model.c, switches.c, spans.c, who.c)
 * or read them (build*.c).
 */
#ifndef MODEL_TABLES_H
#define MODEL_TABLES_H

#include "model/cells.h"
#include "model/chains.h"
#include "model/folds.h"
#include "model/maps.h"
#include "model/model.h"
#include "model/parents.h"
#include "model/process-names.h"
#include "model/runners.h"
#include "model/spans.h"
#include "model/switchlog.h"
#include "model/tasks.h"
#include "model/timeline.h"
#include "model/trend.h"
#include "model/verify.h"

/* The most raw data of a sample that is kept for display; a larger sample is not kept. */
#define LAST_RAW_BYTES 2048
#define TID_NONE       (-1)

struct model_row {
	bool is_known;
	bool was_open; /* was on at some time, so it has counts */
	bool is_removed;
	char *name, *asked, *kind, *unit, *reason, *filter; /* owned */
	enum event_state state;
	enum sampling sampling;
	uint64_t rate;
	bool is_limited;
	bool has_periods;
	bool has_code, is_symbol_event;
	bool is_verified;
	double hit_ns;
	uint32_t wakes_at; /* 0: its samples are no wakeups */
	uint32_t group;
	bool is_clock;
	bool may_be_multiplexed;
	bool is_of_samples, lacks_lost;

	double recent; /* events, faded as those of tasks */
	/* At most 1: scales weights down to the count. */
	double scale_interval, scale_total;
	/* Every event was sampled: in this interval, in the total. */
	bool is_whole_interval, is_whole_total;
	struct trend trend;
	struct trend *cpu_trends; /* [ncpus] on each; NULL before it was open */

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
	bool has_lost;	 /* records, in this interval */
	bool is_counted; /* its mark was decoded: further records are of the next interval */
	enum cpu_answer answer;
	uint64_t ring_bytes, corrupt;
	struct switch_books now, tick, zero;
	int32_t running;	   /* tid running on it by the switch records, or TID_NONE */
	uint64_t running_since_ns; /* counted until then */
	uint64_t running_seen_ns;  /* the last record that says so */
	uint64_t marked_ns;	   /* its counters were read; records until then are decoded */
	struct timeline timeline;
	uint64_t spans_from_ns; /* slices are known since then: the last loss of records */
	struct trend trends[CPU_TRENDS];
	struct cpu_place place;
};

struct model {
	struct model_config config;
	char *host, *kernel;
	struct model_resolver resolver;
	size_t ncpus;
	int *cpu_ids;	       /* [ncpus] */
	bool are_placed;       /* the places of all CPUs are known */
	size_t snapshot_bytes; /* what the next one will probably take; 0 before the first */

	struct model_row *rows; /* [capacity] */
	size_t nrows;		/* one more than the highest known */
	struct cell *cells;	/* [capacity * ncpus], by event */
	struct model_cpu *cpus; /* [ncpus] */
	struct tasks *tasks;
	struct folds *folds;
	struct parents *parents;
	struct maps *maps;
	struct chains *chains;
	struct process_names *process_names; /* of the chains of the last tick */
	struct switchlog *switchlog;
	int32_t *own; /* [nown] tids of our own threads, which have no rows */
	size_t nown;
	struct runners *runners;
	struct spans *spans; /* of all tasks; NULL: none */
	uint64_t spans_aged_ns;
	uint64_t waits_from_ns; /* waits that begin later are known */
	char **notes;
	size_t nnotes;

	struct stream *stream; /* NULL: no record is kept */
	struct verify *verify; /* NULL: no sequence is checked */
	/* Of its first violation (owned); NULL: none yet. */
	char *violation_comm, *violation_fields;

	uint64_t lost_records;
	uint64_t start_ns, zero_ns; /* of the run, of the totals */
	uint64_t tick_ns;	    /* of the last tick */
	double recent_s;	    /* seconds, faded as the figures of tasks */
	uint64_t self_cpu_ns;	    /* at the last tick */
	uint64_t seq;
};

/* Whether it is this process, unless it is shown as others are. */
static inline bool model_is_own(const struct model *model, int32_t pid)
{
	return !model->config.has_self && pid == model->config.self_pid;
}

/*
 * Whether a record's task was released before it was written, as a thread is at its last switch: its tid is -1
 * (measured on 6.18), and its pid can be, too (perf_event_pid_type() in kernel/events/core.c).  No other task has a
 * negative number.
 */
static inline bool model_has_exited(int32_t pid, int32_t tid)
{
	return pid < 0 || tid < 0;
}

/* --- lives.c --- */

/* The row of a task that a record of `time_ns` is about; NULL if it is hidden or has exited. */
struct task *model_visible_task(struct model *model, int32_t pid, int32_t tid, uint64_t time_ns);

/* Take a COMM, FORK or EXIT record; of the model's maps too. */
void lives_comm(struct model *model, const struct record *record);
void lives_fork(struct model *model, const struct record *record);
void lives_exit(struct model *model, const struct record *record);

/* --- who.c --- */

/* Look up the name of a task without a COMM record, once. */
void model_seek_comm(struct model *model, struct task *task);

/* Look up the name of the process that a thread is of, until it is known. */
void model_seek_process(struct model *model, struct task *task);

/* Take what /proc says of a task that has a row, again after TASK_FACTS_S; live only. */
void model_seek_facts(struct model *model, struct task *task, uint64_t now_ns);

/* The same for a process without a record, and its name where that is not known. */
void model_seek_parent(struct model *model, struct parent *parent, uint64_t now_ns);

/* One of our own threads, which has no row. */
void model_know_own(struct model *model, int32_t tid);

/*
 * Who a tid is, for who ran or preempted: its name, "" when unknown, and in `tid` the tid to show.
 * All our own threads are one.
 */
const char *model_who(struct model *model, int32_t *tid);

static inline struct cell *model_cell(const struct model *model, uint32_t event, uint32_t slot)
{
	return &model->cells[(size_t)event * model->ncpus + slot];
}

#endif
