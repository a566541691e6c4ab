/* SPDX-License-Identifier: MIT */
/*
 * cost - what the kernel spends on our events: an estimate, from the time that a sample takes on this
 * machine.
 *
 * Page faults of this thread are timed with and without an event that samples each of them.  What a
 * hit without a sample costs is too little to be measured that way; by doc/performance.md it is a fixed
 * part of a sample's cost, by the kind of event.
 */
#ifndef CAPTURE_COST_H
#define CAPTURE_COST_H

#include <stdbool.h>

#include "capture/access.h"
#include "capture/features.h"
#include "event/event.h"

/*
 * What a sample costs beyond its hit, in ns; `has_chains`: with its call chain.  It is measured in
 * 2 ms of CPU time.  A typical value where the kernel refuses such events, or where the times make
 * no sense.
 */
double cost_of_sample(const struct access *access, const struct features *features,
		      bool has_chains);

/* What a hit of this event costs, in ns: 0 where it is counted by hardware, or is no occurrence. */
double cost_of_hit(const struct event_spec *spec, double sample_ns);

#endif
