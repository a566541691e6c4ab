/* SPDX-License-Identifier: MIT */
/*
 * evset - the set of events: each is open on every CPU, with one ring per CPU.
 *
 * Each CPU (slot) has a ring, owned by a dummy event with the COMM, FORK and EXIT records; a second
 * dummy has the switch records; all other events of that CPU write into the same ring
 * (PERF_EVENT_IOC_SET_OUTPUT).  So lost side-band records are counted for the dummies, not as lost
 * samples of an event.
 *
 * An event is open on all CPUs or on none; one that cannot be opened keeps its number, with the
 * reason.  Events are numbered from 0 in the order in which they were added and keep that number;
 * the two dummies come first.
 *
 * Used by one thread at a time: main until the threads run, then the control (decoder) thread.
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
#define EVSET_FIRST  2u /* the first event that was requested */

struct evset;

enum evset_state {
	EVSET_ON,
	EVSET_OFF,
	EVSET_FAILED,
	EVSET_LATER, /* not opened yet: evset_switch_on() is to follow */
};

struct evset_event {
	struct event_spec spec; /* as it was opened */
	char *asked;		/* the name as requested; spec.name can differ after opening */
	enum evset_state state;
	char *reason; /* why it failed, or a note; or NULL */
	struct perf_event_attr attr;
	enum attr_sampling sampling; /* as it was opened */
	uint64_t rate;		     /* period, or samples a second; ATTR_ALL */
	uint64_t shortest;	     /* ATTR_PACED: the shortest period; 0: 1 */
	bool is_verified;	     /* its samples have what verify.h needs */
	uint32_t generation;	     /* incremented at every reopening */
	bool is_filter_refused;	     /* the kernel refused spec.filter */
	bool is_apart;		     /* the kernel refused it in its group */
	bool has_group;		     /* its samples have the counts of its group, {}:S */
	bool is_read;		     /* it has no samples but those of the first of its {}:S */
	uint64_t *ids;		     /* [slots * targets] kernel ids, 0 where not open */
};

/*
 * The default size of a CPU's ring, in bytes of data.  It depends on the right of `access` or of
 * this process to lock memory, and on the number of CPUs.
 */
size_t evset_ring_bytes(const struct access *access, size_t cpus);

struct evset_config {
	struct cpulist cpus; /* borrowed: the slots */
	const pid_t *pids;   /* borrowed: tasks to watch, or NULL for all tasks on the CPUs */
	size_t npids;
	int cgroup_fd;		 /* borrowed: the folder of the cgroup to watch, or -1 */
	bool is_inherited;	 /* watch their future children too */
	bool is_enabled_on_exec; /* counting starts when the (only) task calls exec */
	enum attr_sampling sampling;
	uint64_t rate;	     /* period, or Hz */
	uint64_t clock_rate; /* Hz of clocks, and of hardware events unless sampled by period */
	bool is_governed;    /* those by period or frequency are paced, where that can be */
	bool is_forced;	     /* clocks may sample faster than ATTR_CLOCK_MAX */
	bool is_verified;    /* count and losses in each sample, to verify them; not of tasks */
	bool has_chains;     /* the call chain in each sample */
	bool has_fields;     /* a tracepoint's fields in each sample; else in wakeups' only */
	uint16_t max_stack;  /* addresses of a chain; 0: kernel.perf_event_max_stack */
	size_t pages;	     /* data pages of each ring; 0: evset_ring_bytes() */
	bool has_switches;   /* collect switch records */
	bool is_strict;	     /* do not replace cycles by a clock */
	size_t capacity;     /* most events, the dummies included */
	size_t spare;	     /* of these, for events added later */
	const struct features *features; /* borrowed */
	const struct access *access;	 /* borrowed */
};

/*
 * Create a set, with rings.  If no ring is allowed, this is not an error: then events are counted
 * only, or fail with their reasons; *reason says why (the caller frees), or is NULL.  Returns NULL
 * and ENOMEM.
 */
struct evset *evset_new(const struct evset_config *config, char **reason);

/* Close all fds and free; NULL is allowed.  The kernel needs about 19 ms to close a tracepoint. */
void evset_free(struct evset *set);

/* Unmap the rings and free the set; `closer` closes its fds. */
void evset_leave(struct evset *set, struct closer *closer);

/* Add an event and open it everywhere, not enabled; it may be FAILED.  Returns its number. */
uint32_t evset_add(struct evset *set, const struct event_spec *spec);

/* The same without opening it: it is LATER, unless it has a fault or is off. */
uint32_t evset_add_later(struct evset *set, const struct event_spec *spec);

/*
 * Enable the dummy that owns the rings before all others, so that no record of a task is missing while those that
 * run are read from /proc.  With is_enabled_on_exec do nothing.
 */
void evset_enable_owner(struct evset *set);

/* Enable all open events.  With is_enabled_on_exec do nothing: the exec enables them. */
void evset_enable_all(struct evset *set);

/*
 * Switch an event on that is off or LATER, or that did not open: open it if it has no fds, and enable
 * it.  It may fail.
 */
void evset_switch_on(struct evset *set, uint32_t number);

/*
 * The event that samples for this one, the first of its {}:S; or itself.  While that is off, this one
 * does not count either.
 */
uint32_t evset_sampler(const struct evset *set, uint32_t number);

/* Disable an event.  Its fds stay readable until evset_retire(), for the last counts. */
void evset_switch_off(struct evset *set, uint32_t number);

/* Hand over the fds of an event that is off to `closer`; call it after every reader's next mark. */
void evset_retire(struct evset *set, uint32_t number, struct closer *closer);

/*
 * Set an event's filter, or none (NULL); `text` is copied, and was checked (fieldfilter.h).  The
 * kernel accepts one filter per fd, once: an event that is on is switched off, its fds go to
 * `closer`, and it is opened again as a new generation.  Its counts since the last marks are lost,
 * unless the caller switched it off and waited for marks before.
 */
void evset_set_filter(struct evset *set, uint32_t number, const char *text, struct closer *closer);

/* The most samples a second and CPU that a paced event was opened for (ATTR_ALL); 0: none is paced. */
uint32_t evset_pace(const struct evset *set);

/*
 * Let paced events have at most `pace` samples a second and CPU, 0 for none, also those opened or
 * switched on later; EVSET_NO_LIMIT: as many as each was opened for.
 */
#define EVSET_NO_LIMIT UINT32_MAX
void evset_limit_pace(struct evset *set, uint32_t pace);

/* The samples a second (ATTR_ALL: all) or the period of an event now, with that limit. */
uint64_t evset_rate(const struct evset *set, uint32_t number);

/* Whether that limit lessens the samples of an event. */
bool evset_is_limited(const struct evset *set, uint32_t number);

/*
 * Close the events of a CPU that went offline: the kernel has disabled them for good
 * (kernel/events/core.c, perf_event_exit_cpu).  Call it after the slot's reader has ended.
 */
void evset_close_slot(struct evset *set, size_t slot);

/* Reopen and enable the events that are on, on a CPU that came online: 0, or -1 with none open. */
int evset_open_slot(struct evset *set, size_t slot);

/* Whether any event is open on the CPU of the slot. */
bool evset_is_slot_open(const struct evset *set, size_t slot);

/* The number of events, dummies included; the capacity; an event, valid as long as the set. */
size_t evset_count(const struct evset *set);
size_t evset_capacity(const struct evset *set);
const struct evset_event *evset_event(const struct evset *set, uint32_t number);

/* The number of slots; of targets (tasks, or one for all); what each slot has. */
size_t evset_slots(const struct evset *set);
size_t evset_targets(const struct evset *set);
int evset_cpu(const struct evset *set, size_t slot);
struct ring *evset_ring(const struct evset *set, size_t slot); /* NULL: none */
struct counters *evset_counters(const struct evset *set, size_t slot);

/* Whether all tasks are watched, of the CPUs or of a cgroup; whether this one is a target. */
bool evset_watches_all(const struct evset *set);
bool evset_watches(const struct evset *set, pid_t task);

/* Append each event's attr as opened, its filter, and its tasks and CPUs: --dump-attr. */
void evset_print_attrs(const struct evset *set, struct strbuf *out);

#endif
