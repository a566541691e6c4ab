/* SPDX-License-Identifier: MIT */
/*
 * features - which newer parts of perf_event_attr this kernel takes.
 *
 * New flag and format bits inside a known attr size give EINVAL, so each is
 * tried once, at start, on a dummy event of our own thread (which needs no
 * rights); what is refused is left out from then on.  Everything else that we
 * use is in every kernel that we run on (5.4 and newer).
 */
#ifndef CAPTURE_FEATURES_H
#define CAPTURE_FEATURES_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>

struct features {
	bool has_perf; /* perf_event_open exists; else errno_perf says why not */
	int errno_perf;
	bool has_format_lost;	 /* 6.0: exact losses */
	bool has_clockid;	 /* 4.1: timestamps on CLOCK_MONOTONIC */
	bool has_context_switch; /* 4.3: switch records */
	bool has_comm_exec;	 /* 3.16: an exec told from a thread that renames itself */
};

/* Ask the kernel: opens and closes a few dummy events of this thread, which takes no rights. */
void features_probe(struct features *features);

/* The same by another's word (tests): whether the kernel opens an event with this attr; else errno. */
void features_probe_by(struct features *features,
		       bool (*takes)(const struct perf_event_attr *attr));

/* One of them, for --doctor. */
struct feature {
	const char *name;    /* as in perf_event_attr */
	const char *since;   /* the version of Linux */
	const char *without; /* what is worse without it */
	bool is_there;
};

/* The number-th, or false behind the last. */
bool features_get(const struct features *features, size_t number, struct feature *feature);

#endif
