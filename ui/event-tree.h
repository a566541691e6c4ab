/* SPDX-License-Identifier: MIT */
/*
 * event-tree - the events of this machine in their groups, which are open or closed; and which of the
 * events are watched.
 */
#ifndef UI_EVENT_TREE_H
#define UI_EVENT_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/snapshot.h"
#include "ui/machine-events.h"

#define NOT_WATCHED UINT32_MAX

struct event_group {
	size_t first, count; /* of the machine's events */
	bool is_open;
};

/* A line of the tree. */
struct event_leaf {
	bool is_group;
	size_t at; /* of the groups, or of the machine's events */
};

struct event_tree {
	const struct machine_events *events; /* borrowed */
	size_t *sorted;			     /* [events->count] by name */
	uint32_t *watched; /* [events->count] index into the snapshot's events, or NOT_WATCHED */
	struct event_group *groups; /* [ngroups] */
	size_t ngroups;
	struct event_leaf *lines; /* [nlines] the groups, and the events of those that are open */
	size_t nlines;
};

/* All groups closed, nothing watched. */
void event_tree_init(struct event_tree *tree, const struct machine_events *events);
void event_tree_fini(struct event_tree *tree);

/* Find the snapshot's events, by the names as they were requested. */
void event_tree_watch(struct event_tree *tree, const struct snapshot *snap);

/* Open or close a group. */
void event_tree_open(struct event_tree *tree, size_t group, bool is_open);

/* The group that a line is, or is in; its event, for a group the first one. */
size_t event_tree_group(const struct event_tree *tree, struct event_leaf leaf);
const struct machine_event *event_tree_event(const struct event_tree *tree, struct event_leaf leaf);

#endif
