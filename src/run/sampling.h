/* SPDX-License-Identifier: MIT */
/*
 * sampling - how events are sampled, by the options and the kernel's limits.
 */
#ifndef RUN_SAMPLING_H
#define RUN_SAMPLING_H

#include "capture/evset.h"
#include "cli/options.h"

/*
 * Set the members of `config` that say how often events are sampled, what is in their samples, and how
 * large the rings are: 0, or the exit status after one line on stderr.
 */
int sampling_choose(const struct options *options, struct evset_config *config);

/* What all this may cost, in CPU seconds per second. */
double sampling_budget(const struct options *options);

#endif
