/* SPDX-License-Identifier: MIT */
/*
 * evset-inside - private to the files of evset:
 *
 *     evset.c        the set: creation, events on and off, CPUs going offline and online
 *     evset-open.c   opens an event; if the kernel refuses, tries again with fewer features
 *     evset-fds.c    its fds: one for each CPU and target
 *     evset-groups.c the leaders of {}: groups that the kernel schedules together; and of bundles, which
 *                    are read together
 *     evset-rings.c  the rings and their owner
 *     evset-print.c  --dump-attr
 *
 * A slot is the index of a CPU in config.cpus; a target is the index of a task in config.pids, or 0
 * for all tasks together; a number is an event's.
 */
#ifndef CAPTURE_EVSET_INSIDE_H
#define CAPTURE_EVSET_INSIDE_H

#include "capture/evset.h"
#include "event/why.h"

struct group;

/* Where an event is opened, as perf_event_open(2) takes it. */
struct reach {
	pid_t pid; /* or the folder of a cgroup */
	int cpu;
	unsigned long flags;
};

struct slot {
	int cpu;
	struct ring *ring; /* NULL: none */
	int ring_fd;	   /* the owner's, borrowed from the counters; -1: none */
	struct counters *counters;
	uint32_t generation; /* incremented each time that the CPU comes online again */
};

struct evset {
	struct evset_config config;
	size_t targets;
	bool has_rings;
	size_t pages;		    /* data pages of each ring */
	struct slot *slots;	    /* [config.cpus.count] */
	struct evset_event *events; /* [config.capacity] */
	size_t count;
	struct group *groups; /* [ngroups] */
	size_t ngroups;
	uint32_t pace_limit; /* of evset_limit_pace() */
};

/* --- evset-fds.c ---------------------------------------------------------------------------- */

/* The task of a target, as perf_event_open(2) takes it; -1: all. */
int evset_target_pid(const struct evset *set, size_t target);

/* Where the kernel's id of an event's fd is stored, by slot and target. */
uint64_t *evset_id_at(const struct evset *set, struct evset_event *event, size_t slot,
		      size_t target);

/* Open an event on a CPU for all targets: how many, or -1 and place->error, some possibly open. */
int evset_open_on_slot(struct evset *set, uint32_t number, size_t slot, struct why_place *place);

/* Open an event on all CPUs or on none: 0, or -1 and place->error. */
int evset_open_everywhere(struct evset *set, uint32_t number, struct why_place *place);

/* Close one fd; close all fds of an event. */
void evset_close_fd(const struct evset *set, int fd);
void evset_close_event(struct evset *set, uint32_t number);

/* Tell the slot's reader the pace of an event, with the set's limit. */
void evset_set_pace(const struct evset *set, uint32_t number, size_t slot);

/* Let the fd write into the slot's ring; without a ring it only counts.  0, or -1 and errno. */
int evset_join_ring(const struct slot *slot, int fd);

/* --- evset-groups.c ------------------------------------------------------------------------- */

/*
 * Whether it is opened as a member of its group, and was not refused as one: it takes a counter, or
 * the first of its {}:S samples for it.
 */
bool evset_is_member(const struct evset_event *event);

/* Whether it samples for its {}:S. */
bool evset_is_sampler(const struct evset *set, uint32_t number);

/* Why its {}:S is sampled as any {}; NULL: it is not, or another event of the {} has the reason. */
const char *evset_why_no_sampler(const struct evset *set, uint32_t number);

/* Whether another event, which is on, samples for it. */
bool evset_can_be_read(const struct evset *set, uint32_t number);

/* The fd of the leader of a member's group or bundle, opened if it is not yet; or -1 and errno. */
int evset_leader(struct evset *set, uint32_t number, size_t slot, size_t target,
		 const struct reach *reach);

/*
 * Whether it is opened as a member of a bundle: its counts are read together with others' (counters.h).
 * With ATTR_COUNT on the whole machine, tracepoints are.
 */
bool evset_is_bundled(const struct evset *set, uint32_t number);

/* The number of leaders on each CPU for bundles of so many events. */
size_t evset_bundles(const struct evset *set, size_t events);

/* Enable the leaders of a CPU, or of an event: the members that are not off count from now on. */
void evset_enable_leaders(const struct evset *set, size_t slot);
void evset_enable_leaders_of(const struct evset *set, uint32_t number);

/* Close the leaders of a CPU, when its other events are closed. */
void evset_close_leaders(struct evset *set, size_t slot);

/* Close all leaders, or with a closer hand them over; free the groups. */
void evset_free_groups(struct evset *set, struct closer *closer);

/* --- evset-open.c --------------------------------------------------------------------------- */

/* Append an event, without a check for room; opens nothing. */
struct evset_event *evset_new_event(struct evset *set, const struct event_spec *spec);

/* Set the reason to what is known before the event is opened: its note. */
void evset_begin_reason(struct evset_event *event);

/* Open an event everywhere: sets its state to ON, or to FAILED with the reason. */
void evset_open_event(struct evset *set, uint32_t number);

/* The number of fds with all events open, for the message that the limit is too low. */
size_t evset_fds_need(const struct evset *set);

/* --- evset-rings.c -------------------------------------------------------------------------- */

/* Add both dummies and open them with their rings, if allowed; *reason is as in evset_new(). */
void evset_open_rings(struct evset *set, char **reason);

/* Open the owner and its ring on a CPU that came online again: 0, or -1. */
int evset_open_slot_ring(struct evset *set, size_t slot, struct why_place *place);

#endif
