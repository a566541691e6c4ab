/* SPDX-License-Identifier: MIT */
/*
 * filters - checks each --filter and adds it to the events of the -e before it.
 */
#ifndef CLI_FILTERS_H
#define CLI_FILTERS_H

#include <stddef.h>

#include "capture/access.h"
#include "cli/options.h"
#include "event/event.h"

/*
 * Apply the filters of the -e with this number to its events, in `list` from `first` on: each event
 * gets them and-ed (spec.filter), or a fault, which is also printed to stderr, with its place.
 */
void filters_apply(const struct options *options, size_t number, struct event_list *list,
		   size_t first, const struct access *access);

#endif
