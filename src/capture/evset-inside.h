/* SPDX-License-Identifier: MIT */
/*
 * evset-inside - what the files of evset share, for them alone.
 *
 *     evset.c        the set: making it, events on and off, CPUs that come and go
 *     evset-open.c   one event, negotiated: what the kernel refuses is asked for again with less
 *     evset-fds.c    its fds: one for each CPU and target
 *     evset-rings.c  the rings and their owner
 *     evset-print.c  --dump-attr
 *
 * A slot is a CPU by its index in config.cpus; a target is a task by its index in config.pids, or the
 * one target 0 that stands for all tasks; a number is an event's.
 */
#ifndef CAPTURE_EVSET_INSIDE_H
#define CAPTURE_EVSET_INSIDE_H

#include "capture/evset.h"
#include "event/why.h"

struct slot {
	int cpu;
	struct ring *ring; /* NULL: none */
	int ring_fd;	   /* the owner's, borrowed from the counters; -1: none */
	struct counters *counters;
	uint32_t generation; /* grows each time that the CPU comes back */
};

struct evset {
	struct evset_config config;
	size_t targets;
	bool has_rings;
	size_t pages;		    /* of each ring that there is */
	struct slot *slots;	    /* [config.cpus.count] */
	struct evset_event *events; /* [config.capacity] */
	size_t count;
};

/* --- evset-fds.c ---------------------------------------------------------------------------- */

/* The task of a target, as perf_event_open(2) takes it; -1: all. */
int evset_target_pid(const struct evset *set, size_t target);

/* Where the kernel's id of an event on a slot and for a target stands. */
uint64_t *evset_id_at(const struct evset *set, struct evset_event *event, size_t slot,
		      size_t target);

/* Open it for every target on one CPU: how many, or -1 and place->error with nothing closed yet. */
int evset_open_on_slot(struct evset *set, uint32_t number, size_t slot, struct why_place *place);

/* On all CPUs or on none: 0, or -1 and place->error. */
int evset_open_everywhere(struct evset *set, uint32_t number, struct why_place *place);

/* Close one fd; what is open of an event, everywhere. */
void evset_close_fd(const struct evset *set, int fd);
void evset_close_event(struct evset *set, uint32_t number);

/* Samples of the fd go into the slot's ring; where there is none it only counts.  0, or -1 and errno. */
int evset_join_ring(const struct slot *slot, int fd);

/* --- evset-open.c --------------------------------------------------------------------------- */

/* Put it behind the others, which is not checked for room; opens nothing. */
struct evset_event *evset_new_event(struct evset *set, const struct event_spec *spec);

/* What is to be said of it before it is opened; forgets what was said. */
void evset_begin_reason(struct evset_event *event);

/* Open it everywhere: its state is ON, or FAILED with the reason. */
void evset_open_event(struct evset *set, uint32_t number);

/* How many fds the set has with every event open, for the message that the limit is too low. */
size_t evset_fds_need(const struct evset *set);

/* --- evset-rings.c -------------------------------------------------------------------------- */

/* Add both dummies and open what the kernel lets us; *reason is as in evset_new(). */
void evset_open_rings(struct evset *set, char **reason);

/* The owner and its ring on a CPU that came back: 0, or -1. */
int evset_open_slot_ring(struct evset *set, size_t slot, struct why_place *place);

#endif
