/* SPDX-License-Identifier: MIT */
/*
 * model - tables filled from records and counts; each tick builds a snapshot of them.
 *
 * Used by the decoder thread only: no locks, no fds, no curses.  Events are identified by number
 * (capture/evset.h), CPUs by slot.
 *
 * Totals, rates and losses come from the kernel's counts, which are exact even when rings overflow.
 * Tasks, symbols and fields come from records.
 */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpulist.h"
#include "base/topology.h"
#include "capture/count.h"
#include "decode/record.h"
#include "model/maps.h"
#include "model/snapshot.h"

struct model;

/* Which rows of tasks and symbols a snapshot has. */
struct model_keep {
	size_t top;   /* so many tasks, and so many symbols */
	bool of_each; /* as many of the kernel as of user code: a screen may hide either */
	bool no_kernel, no_user; /* leave these symbols out */
};

struct model_config {
	const struct cpulist *cpus; /* borrowed: the slots */
	size_t capacity;	    /* most events, the side-band's two included */
	uint32_t owner, switches;   /* numbers of the side-band's events */
	uint32_t first;		    /* of the events that have rows; snapshots count from here */
	struct model_keep keep;
	bool has_self;	    /* list our own threads among the tasks */
	int32_t self_pid;   /* negative: of a file, in which no task is ours */
	double sample_ns;   /* what the kernel spends on a sample; 0: not known */
	bool has_lost;	    /* the kernel counts losses exactly */
	bool has_verify;    /* check samples (verify.h); events and CPUs must not grow then */
	bool has_switches;  /* switch records are collected */
	bool keeps_names;   /* a renamed thread, or a reused tid, gets a new row */
	bool is_task_bound; /* events are of tasks: an fd counts while its task is on its CPU */
	const char *host, *kernel; /* copied */
};

/* An event's properties and state; all strings are copied. */
struct model_event {
	const char *name, *kind, *unit;
	const char *asked; /* the name as requested; NULL: as `name` */
	enum event_state state;
	const char *reason; /* or NULL */
	const char *filter; /* or NULL */
	enum sampling sampling;
	uint64_t rate;	      /* period or Hz */
	bool is_limited;      /* it has fewer samples than it was opened for: the budget's limit */
	bool has_periods;     /* samples without a count weigh their records' periods, not `rate` */
	bool has_code;	      /* its samples say where they were: it has symbols */
	bool is_symbol_event; /* the symbols of a snapshot are its: of one event */
	bool is_verified;     /* its samples have what verify.h needs */
	double hit_ns;	      /* what the kernel spends on each occurrence, without a sample */
	uint32_t wakes_at; /* where in its raw data is the tid of the task that it wakes; 0: none */
	uint32_t group;	   /* the number of its {}, from 1, which are in a row; 0: none */
	bool may_be_multiplexed; /* else its times enabled and running are ignored */
	bool is_of_samples; /* its count is that of its samples, so that there is nothing to check it with */
	bool lacks_lost; /* and does not have yet what is lost */
	bool is_removed; /* it has no row in snapshots; its totals are kept */
};

/* What a snapshot shows besides the tables. */
struct model_tick {
	uint64_t now_ns; /* CLOCK_MONOTONIC */
	int64_t wall_ns; /* since 1970; not a double, which has only every 238th ns */
	double target_s; /* the requested interval */
	bool is_final;
	long long max_sample_rate, cpu_time_max_percent;
	uint64_t rings_bytes;
	uint64_t queue_peak, blocks;
	uint64_t cpu_ns, rss_bytes; /* our own: since the start, at present */
	double budget;		    /* of what we cost, in CPU seconds per second; 0: none */
	double sample_limit;	    /* samples a second of an event and CPU; -1: none */
	uint64_t unknown_records;
};

#define TASK_COMMAND_BYTES 1024 /* of longer command lines the beginning */
#define TASK_CGROUP_BYTES  512

#define TASK_ABOVE_MOST 16

/* What /proc says of a task. */
struct task_facts {
	int32_t ppid;	 /* 0: unknown */
	char parent[16]; /* the name of that task; TASK_COMM_LEN of the kernel */
	/* The parent's parent, and so on [nabove]. */
	struct task_above {
		int32_t pid;
		char comm[16];
	} above[TASK_ABOVE_MOST];
	size_t nabove;
	bool is_line_whole; /* the last of these has no parent, or is gone; else it is unknown */
	char command[TASK_COMMAND_BYTES]; /* arguments with blanks between; "": a kernel thread */
	char cgroup[TASK_CGROUP_BYTES];
};

/* A place in user code, and the name of its function. */
struct code_name {
	const struct code_file *file;
	uint64_t offset;    /* in the file */
	const char *symbol; /* NULL: unknown; valid until the snapshot is built */
};

/* What is mapped in a process. */
struct process_maps {
	int32_t pid;
	bool is_read;		      /* false: not yet, ask again at a later tick */
	uint64_t time_ns;	      /* CLOCK_MONOTONIC; it is not older */
	const struct record_map *all; /* [count]; valid until the next call */
	size_t count;		      /* 0: it is gone, or may not be read */
};

/* Called while a snapshot is built; they keep libraries and files out of the model. */
struct model_resolver {
	void *ctx;
	/* A kernel address: its symbol and module, or NULL; valid until the snapshot is built. */
	const char *(*symbol)(void *ctx, uint64_t address, const char **module);
	/* Set what is mapped in processes [count]; NULL: only records tell.  It waits only shortly. */
	void (*mappings)(void *ctx, struct process_maps *processes, size_t count);
	/* Set the symbols of places [count], which are ordered by file and offset. */
	void (*code)(void *ctx, struct code_name *places, size_t count);
	/* A sample's raw bytes as text, into `out`: false when they cannot be decoded. */
	bool (*fields)(void *ctx, uint32_t event, const unsigned char *raw, size_t size, char *out,
		       size_t room);
	/* The name of a task without a COMM record, into `out`: false when the task is gone. */
	bool (*comm)(void *ctx, int32_t tid, char *out, size_t room);
	/*
	 * What is known of a task of this name ("": any), into `facts`; nothing of one that is gone
	 * or has another name.  False: not yet, ask again at a later tick.  It does not wait.
	 */
	bool (*facts)(void *ctx, int32_t tid, const char *comm, struct task_facts *facts);
	/* Where the CPUs [count] are, into `places`; NULL: unknown.  Again when CPUs come or go. */
	void (*places)(void *ctx, const int *cpus, size_t count, struct cpu_place *places);
};

/* Empty tables; never NULL. */
struct model *model_new(const struct model_config *config, const struct model_resolver *resolver);
void model_free(struct model *model);

/*
 * Grow to more events or CPUs; `cpus` begins with the present ones.  For files, whose events and
 * CPUs become known while they are read.  Fewer events or CPUs than present: ignored.
 */
void model_grow(struct model *model, size_t capacity, const struct cpulist *cpus);

/*
 * Set or change an event's properties and state; `event` < capacity.  The rate of one that comes
 * later than model_start() is that of its time in the interval (cells.h).
 */
void model_set_event(struct model *model, uint32_t event, const struct model_event *info);

/* Add a line for the user to this and all further snapshots; copied. */
void model_note(struct model *model, const char *text);

/* Counting begins at `now_ns`: start of the run, the totals and the first interval. */
void model_start(struct model *model, uint64_t now_ns);

/* Whether records of this type are counted by CPU; the others are of tasks, or of the machine. */
bool model_is_of_cpu(uint32_t type);

/* Add a record of `event` on the CPU `slot`; MODEL_NO_SLOT is allowed unless model_is_of_cpu(). */
#define MODEL_NO_SLOT UINT32_MAX
void model_record(struct model *model, uint32_t slot, uint32_t event, const struct record *record);

/*
 * The growth of a sample's count since the last sample: all of it if that has another fd, 0 if the
 * sample has no count.  For a source without counters; call it before model_record().
 */
uint64_t model_growth(const struct model *model, uint32_t slot, uint32_t event,
		      const struct record *record);

/*
 * The count in the last sample that had one, which model_growth() starts from.  A file's event can
 * have several fds on a CPU: its source sets it to the last one of the fd whose sample is next.
 */
struct sample_count *model_last_sample(struct model *model, uint32_t slot, uint32_t event);

/* Skip a sample: its part of the count is then not in the weight of the next one. */
void model_leave_out(struct model *model, uint32_t slot, uint32_t event,
		     const struct record *record);

/* Keep records from now on, as many as can be shown, for snapshots' pages; until the end. */
void model_stream(struct model *model);

/*
 * What counters came with.  At a mark all records of what they counted were passed to model_record(),
 * except lost ones.
 */
enum model_mark {
	MARK_NONE,    /* no mark: some of these records may still come */
	MARK_LATE,    /* a mark whose tick ended without it */
	MARK_IN_TIME, /* the mark of this interval: records that follow are of the next one */
};

/* Add the counters of one CPU, [n] by event number, as read at `read_ns`. */
void model_counts(struct model *model, uint32_t slot, const struct count *counts, size_t n,
		  uint64_t read_ns, enum model_mark mark);

/* The tick that asked for the marks so far does not end: what came after them is of this interval. */
void model_go_on(struct model *model);

/* Set a ring's size in bytes, and how often its contents were corrupt, since the start. */
void model_ring(struct model *model, uint32_t slot, uint64_t bytes, uint64_t corrupt);

/* Set what is known of a CPU at the end of the current interval. */
void model_cpu_answer(struct model *model, uint32_t slot, enum cpu_answer answer);

/* Set whether a CPU is online. */
void model_cpu_online(struct model *model, uint32_t slot, bool is_online);

/* Samples of an event lost on a CPU, by the kernel's count, since the start. */
uint64_t model_lost(const struct model *model, uint32_t event, uint32_t slot);

/* Takes a thread's name, valid during the call. */
typedef void model_name_fn(void *ctx, int32_t pid, int32_t tid, const char *name);

/* Call it for each thread with a row, also those that ended in this interval. */
void model_each_name(const struct model *model, model_name_fn *take, void *ctx);

/* maps_each() of what is known of processes' code. */
void model_each_maps(const struct model *model, maps_fn *take, void *ctx);

/* Reset all totals to 0. */
void model_zero(struct model *model);

/* Whether there are samples to show as symbols, of kernel or user code. */
bool model_has_chains(const struct model *model);

/* End the interval and build its snapshot; the caller owns it. */
struct snapshot *model_tick(struct model *model, const struct model_tick *tick);

#endif
