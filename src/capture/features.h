/* SPDX-License-Identifier: MIT */
/*
 * features - which newer parts of perf_event_attr this kernel accepts.
 *
 * Unknown flag and format bits inside a known attr size give EINVAL, so each is tried once, at
 * start, on a dummy event of our own thread (which needs no rights); refused ones are not used.
 * Everything else that we use is in all supported kernels (5.4 and newer).
 */
#ifndef CAPTURE_FEATURES_H
#define CAPTURE_FEATURES_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>

struct features {
	bool has_perf; /* a dummy event can be opened; else errno_perf says why not */
	int errno_perf;
	bool has_format_lost;	 /* 6.0: exact losses */
	bool has_clockid;	 /* 4.1: timestamps on CLOCK_MONOTONIC */
	bool has_context_switch; /* 4.3: switch records */
	bool has_comm_exec;	 /* 3.16: an exec is distinguished from a rename */
};

/* Probe the kernel: opens and closes a few dummy events of this thread, without any rights. */
void features_probe(struct features *features);

/* The same with `takes` in place of the kernel (tests): whether an event opens, else errno. */
void features_probe_by(struct features *features,
		       bool (*takes)(const struct perf_event_attr *attr));

/* A feature, for --doctor. */
struct feature {
	const char *name;    /* as in perf_event_attr */
	const char *since;   /* the version of Linux */
	const char *without; /* the effect of its absence */
	bool is_there;
};

/* The feature at index `number`, or false past the end. */
bool features_get(const struct features *features, size_t number, struct feature *feature);

#endif
