/* SPDX-License-Identifier: MIT */
/*
 * model - what is known now: the tables that records and counts go into, and
 * out of which each tick makes a snapshot.
 *
 * Belongs to the decoder thread: no locks, no fds, no curses.  Events are known
 * by their number (capture/evset.h), CPUs by their slot.
 *
 * Numbers come from two places.  Counts (the kernel's own, exact even when
 * rings overflow) make totals, rates and losses; records make the detail.
 */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpulist.h"
#include "capture/count.h"
#include "decode/record.h"
#include "model/snapshot.h"

struct model;

struct model_config {
	const struct cpulist *cpus; /* borrowed: the slots */
	size_t capacity;	    /* events, the side-band's two included */
	uint32_t owner, switches;   /* numbers of the side-band's events */
	uint32_t first;		    /* of the events that have rows; snapshots count from here */
	size_t top;		    /* tasks and symbols kept in a snapshot */
	bool has_self;		    /* our own threads stand among the tasks */
	int32_t self_pid;
	bool has_lost;	    /* the kernel counts losses exactly */
	bool has_switches;  /* switch records come */
	bool keeps_names;   /* what a thread did under a name stays with that name */
	bool is_task_bound; /* events follow tasks, and run on one CPU of several at a time */
	const char *host, *kernel; /* copied */
};

/* How an event stands; all strings are copied. */
struct model_event {
	const char *name, *kind, *unit;
	const char *asked; /* the name as it was asked for; NULL: as `name` */
	enum event_state state;
	const char *reason; /* or NULL */
	const char *filter; /* or NULL */
	enum sampling sampling;
	uint64_t rate;		 /* period or Hz */
	bool has_ip;		 /* its samples make the symbols */
	bool may_be_multiplexed; /* else its times enabled and running are not looked at */
};

/* What a tick brings besides the tables' own. */
struct model_tick {
	uint64_t now_ns; /* CLOCK_MONOTONIC */
	double wall_s;
	double target_s; /* the interval that was asked for */
	bool is_final;
	long long max_sample_rate, cpu_time_max_percent;
	uint64_t rings_bytes;
	uint64_t queue_peak, blocks;
	uint64_t cpu_ns, rss_bytes; /* our own, from the start */
	uint64_t unknown_records;
};

/* Asked for while a snapshot is built, so that the model needs no library and no file. */
struct model_resolver {
	void *ctx;
	/* A kernel address: its symbol and module, or NULL; valid until the snapshot is built. */
	const char *(*symbol)(void *ctx, uint64_t address, const char **module);
	/* A sample's raw bytes as text, into `out`: false when there is nothing to say. */
	bool (*fields)(void *ctx, uint32_t event, const unsigned char *raw, size_t size, char *out,
		       size_t room);
	/* A task's name when no record told it, into `out`: false when it is gone. */
	bool (*comm)(void *ctx, int32_t tid, char *out, size_t room);
};

/* Empty tables; never NULL. */
struct model *model_new(const struct model_config *config, const struct model_resolver *resolver);
void model_free(struct model *model);

/*
 * More events or CPUs than model_new() was told of: `cpus` begins with the ones
 * that there are.  A file says only in passing which it has.
 */
void model_grow(struct model *model, size_t capacity, const struct cpulist *cpus);

/* Set or change how an event stands. */
void model_set_event(struct model *model, uint32_t event, const struct model_event *info);

/* A line that every snapshot carries from now on: what the user should know. */
void model_note(struct model *model, const char *text);

/* Counting begins at `now_ns`: the first interval is measured from here. */
void model_start(struct model *model, uint64_t now_ns);

/* A record: the sink of the decoder. */
void model_record(struct model *model, uint32_t slot, uint32_t event, const struct record *record);

/*
 * The growth of the count in a sample since the sample before of the same fd; 0 if it has none.  For a
 * source without counters, to be called before model_record().
 */
uint64_t model_growth(const struct model *model, uint32_t slot, uint32_t event,
		      const struct record *record);

/* Skip a sample: its count is not in the weight of the next one. */
void model_leave_out(struct model *model, uint32_t slot, uint32_t event,
		     const struct record *record);

/* model_record() as a sink for the decoder; valid as long as the model. */
struct record_sink model_sink(struct model *model);

/*
 * The counters of one CPU, [n] by event number, as they were at `read_ns`.  `has_records`: every
 * record that they counted, and that was written, has come through model_record().
 */
void model_counts(struct model *model, uint32_t slot, const struct count *counts, size_t n,
		  uint64_t read_ns, bool has_records);

/* The ring of one CPU: its size, and how often it made no sense. */
void model_ring(struct model *model, uint32_t slot, uint64_t bytes, uint64_t corrupt);

/* How far what is known of a CPU is from the end of the interval that is built next. */
void model_cpu_answer(struct model *model, uint32_t slot, enum cpu_answer answer);

/* Whether a CPU is online. */
void model_cpu_online(struct model *model, uint32_t slot, bool is_online);

/* What an event lost on a CPU by the kernel's own count, from the start. */
uint64_t model_lost(const struct model *model, uint32_t event, uint32_t slot);

/* Begin all totals at zero again. */
void model_zero(struct model *model);

/* Whether some sample hit an address of the kernel: symbols would have something to name. */
bool model_has_addresses(const struct model *model);

/* Close the interval, and build its snapshot, which the caller owns. */
struct snapshot *model_tick(struct model *model, const struct model_tick *tick);

#endif
