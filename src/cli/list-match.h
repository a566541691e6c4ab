/* SPDX-License-Identifier: MIT */
/*
 * list-match - which events --list shows: a class, a glob, or a part of the name.
 *
 * A class is perf list's word for a kind ("hw", "sw", "cache", "tracepoint", "pmu") or the kind's own
 * name.  What has a *, ? or [ is a glob for the whole name; anything else may stand anywhere in it,
 * in either case.  "tracepoint:" before either, as in bpftrace, keeps to the tracepoints.
 */
#ifndef CLI_LIST_MATCH_H
#define CLI_LIST_MATCH_H

#include <stdbool.h>

#include "event/inventory.h"

/* Whether the event's name, or its other name, matches; NULL matches all. */
bool list_matches(const char *pattern, const struct inventory_event *event);

/* Whether the pattern stands for the whole kind: then its open-ended forms are shown, too. */
bool list_matches_kind(const char *pattern, enum event_kind kind);

#endif
