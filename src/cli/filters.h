/* SPDX-License-Identifier: MIT */
/*
 * filters - each --filter, checked and given to the events of the -e before it.
 */
#ifndef CLI_FILTERS_H
#define CLI_FILTERS_H

#include <stddef.h>

#include "capture/access.h"
#include "cli/options.h"
#include "event/event.h"

/*
 * The filters of the -e with this number, whose events stand in `list` from `first` on: each event
 * gets them (spec.filter), and-ed, or a fault, which is also said on stderr, with its place.
 */
void filters_apply(const struct options *options, size_t number, struct event_list *list,
		   size_t first, const struct access *access);

#endif
