/* SPDX-License-Identifier: MIT */
/*
 * evset - the events that are open: every event on every CPU, one ring a CPU.
 *
 * Each CPU (slot) has a ring, owned by a dummy event that also carries the
 * names and lives of tasks; a second dummy carries switch records, and every
 * other event of that CPU writes into the same ring (PERF_EVENT_IOC_SET_OUTPUT).
 * Side-band records that are lost are then charged to nobody's samples.
 *
 * An event is open on all CPUs or on none; one that cannot be opened keeps its
 * number, with the reason.  Events are numbered from 0 in the order in which
 * they were added and keep that number; the two dummies come first.
 *
 * Used by one thread at a time: main until the threads run, then the control
 * (decoder) thread.
 */
#ifndef CAPTURE_EVSET_H
#define CAPTURE_EVSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/cpulist.h"
#include "base/strbuf.h"
#include "capture/access.h"
#include "capture/attr.h"
#include "capture/closer.h"
#include "capture/counters.h"
#include "capture/ring.h"
#include "event/event.h"

#define EVSET_OWNER  0u /* the dummy that owns the rings */
#define EVSET_SWITCH 1u /* the dummy with the switch records */
#define EVSET_FIRST  2u /* the first event that somebody asked for */

struct evset;

enum evset_state { EVSET_ON, EVSET_OFF, EVSET_FAILED };

struct evset_event {
	struct event_spec spec; /* as it was opened */
	char *asked;		/* the name as it was asked for: spec.name may say less, or other */
	enum evset_state state;
	char *reason; /* why it failed, or a note; or NULL */
	struct perf_event_attr attr;
	enum attr_sampling sampling; /* as it was opened */
	uint64_t rate;		     /* period, or samples a second */
	uint32_t generation;	     /* grows with every reopening */
	bool is_filter_refused;	     /* the kernel did not take spec.filter */
	uint64_t *ids;		     /* [slots * targets] kernel ids, 0 where not open */
};

/*
 * The bytes of data of a CPU's ring when none are asked for: by the rights that `access`, or else
 * this process, has to lock memory, and by the number of CPUs.
 */
size_t evset_ring_bytes(const struct access *access, size_t cpus);

struct evset_config {
	struct cpulist cpus; /* borrowed: the slots */
	const pid_t *pids;   /* borrowed: tasks to watch, or NULL for everything on the CPUs */
	size_t npids;
	int cgroup_fd;		 /* borrowed: the folder of the cgroup to watch, or -1 */
	bool is_inherited;	 /* their future children too */
	bool is_enabled_on_exec; /* start when the (one) task calls exec */
	enum attr_sampling sampling;
	uint64_t rate;	     /* period, or Hz */
	uint64_t clock_rate; /* Hz of clock and cycle events, unless sampling by period */
	size_t pages;	     /* data pages of each ring; 0: sized to the machine */
	bool has_switches;   /* collect switch records */
	bool is_strict;	     /* cycles are cycles: no clock stands in for them */
	size_t capacity;     /* how many events there may ever be, the dummies included */
	const struct features *features; /* borrowed */
	const struct access *access;	 /* borrowed */
};

/*
 * Make it, with rings.  A machine that allows no ring is no error: then events
 * are counted only, or fail with their reasons; *reason says why (allocated, or
 * NULL).  Returns NULL and errno only when memory or fds are gone.
 */
struct evset *evset_new(const struct evset_config *config, char **reason);

/* Close all, at once; NULL is allowed.  Closing a tracepoint takes the kernel some 19 ms each. */
void evset_free(struct evset *set);

/* Add an event and open it everywhere (not yet enabled); a failure is its state.  The number. */
uint32_t evset_add(struct evset *set, const struct event_spec *spec);

/* Let all open events run.  With is_enabled_on_exec it is the exec that starts them. */
void evset_enable_all(struct evset *set);

/* Open an event that is off again, running at once: its new generation, or a failed state. */
void evset_switch_on(struct evset *set, uint32_t number);

/* Disable an event.  Its fds stay readable until evset_retire(), so that the last counts are not lost. */
void evset_switch_off(struct evset *set, uint32_t number);

/* Hand over the fds of an event that is off, after every reader's next mark, to be closed elsewhere. */
void evset_retire(struct evset *set, uint32_t number, struct closer *closer);

/*
 * Give it another filter, or none (NULL); `text` is copied, and was checked (fieldfilter.h).  The
 * kernel takes one filter for each fd, once: an event that is on is switched off, its fds go to
 * the closer, and it is opened again as a new generation.  What it counted since the last marks is
 * lost, unless the caller switched it off and waited for marks before.
 */
void evset_set_filter(struct evset *set, uint32_t number, const char *text, struct closer *closer);

/*
 * A CPU went offline: its events are off for good (kernel/events/core.c, perf_event_exit_cpu); close
 * them, once the reader of the slot has ended.
 */
void evset_close_slot(struct evset *set, size_t slot);

/* It came back: open all that is on there again, running at once, with new ids.  0, or -1 with none open. */
int evset_open_slot(struct evset *set, size_t slot);

/* Whether the CPU of the slot was there when its events were opened. */
bool evset_is_slot_open(const struct evset *set, size_t slot);

/* Events added, the dummies included; room for so many; one of them, valid as long as the set. */
size_t evset_count(const struct evset *set);
size_t evset_capacity(const struct evset *set);
const struct evset_event *evset_event(const struct evset *set, uint32_t number);

/* The CPUs by slot, the targets of each event (tasks, or one for all), and what each slot has. */
size_t evset_slots(const struct evset *set);
size_t evset_targets(const struct evset *set);
int evset_cpu(const struct evset *set, size_t slot);
struct ring *evset_ring(const struct evset *set, size_t slot); /* NULL: none here */
struct counters *evset_counters(const struct evset *set, size_t slot);

/* --dump-attr: the attr of each event as the kernel took it, its filter, and where it is open. */
void evset_print_attrs(const struct evset *set, struct strbuf *out);

#endif
