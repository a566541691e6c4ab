/* SPDX-License-Identifier: MIT */
/*
 * features - which newer parts of perf_event_attr this kernel takes.
 *
 * New flag and format bits inside a known attr size give EINVAL, so each is
 * tried once, at start, on a dummy event of our own thread (which needs no
 * rights); what is refused is left out from then on.
 */
#ifndef CAPTURE_FEATURES_H
#define CAPTURE_FEATURES_H

#include <stdbool.h>

struct features {
	bool has_perf;           /* perf_event_open exists; else errno_perf says why not */
	int errno_perf;
	bool has_format_lost;    /* 6.0: exact losses */
	bool has_clockid;        /* 4.1: timestamps on CLOCK_MONOTONIC */
	bool has_context_switch; /* 4.3: switch records */
};

void features_probe(struct features *features);

#endif
