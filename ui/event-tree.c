/* SPDX-License-Identifier: MIT */
#include "ui/event-tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/* By name, then by number. */
static int compare_events(const void *a, const void *b, void *arg)
{
	const struct machine_events *events = arg;
	size_t one = *(const size_t *)a, other = *(const size_t *)b;
	int order = strcmp(events->all[one].name, events->all[other].name);

	return order ? order : (one > other) - (one < other);
}

static void find_groups(struct event_tree *tree)
{
	const struct machine_event *all = tree->events->all;

	for (size_t i = 0; i < tree->events->count; i++) {
		if (i == 0 || strcmp(all[i].group, all[i - 1].group) != 0) {
			tree->groups = xreallocarray(tree->groups, tree->ngroups + 1,
						     sizeof(*tree->groups));
			tree->groups[tree->ngroups++] = (struct event_group){ .first = i };
		}
		tree->groups[tree->ngroups - 1].count++;
	}
}

static void fill(struct event_tree *tree)
{
	tree->nlines = 0;
	for (size_t i = 0; i < tree->ngroups; i++) {
		const struct event_group *group = &tree->groups[i];

		tree->lines[tree->nlines++] = (struct event_leaf){ true, i };
		for (size_t k = 0; group->is_open && k < group->count; k++)
			tree->lines[tree->nlines++] =
				(struct event_leaf){ false, group->first + k };
	}
}

void event_tree_init(struct event_tree *tree, const struct machine_events *events)
{
	*tree = (struct event_tree){ .events = events };
	tree->sorted = xcalloc(events->count, sizeof(*tree->sorted));
	tree->watched = xcalloc(events->count, sizeof(*tree->watched));
	for (size_t i = 0; i < events->count; i++) {
		tree->sorted[i] = i;
		tree->watched[i] = NOT_WATCHED;
	}
	if (events->count)
		qsort_r(tree->sorted, events->count, sizeof(*tree->sorted), compare_events,
			(void *)events);
	find_groups(tree);
	tree->lines = xcalloc(events->count + tree->ngroups, sizeof(*tree->lines));
	fill(tree);
}

void event_tree_fini(struct event_tree *tree)
{
	free(tree->sorted);
	free(tree->watched);
	free(tree->groups);
	free(tree->lines);
}

static void watch(struct event_tree *tree, const char *name, uint32_t index)
{
	const struct machine_event *all = tree->events->all;
	size_t low = 0, high = tree->events->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(all[tree->sorted[middle]].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < tree->events->count && strcmp(all[tree->sorted[low]].name, name) == 0)
		tree->watched[tree->sorted[low]] = index;
}

void event_tree_watch(struct event_tree *tree, const struct snapshot *snap)
{
	for (size_t i = 0; i < tree->events->count; i++)
		tree->watched[i] = NOT_WATCHED;
	/* Of several with one name, the first. */
	for (size_t i = snap->nevents; i-- > 0;)
		watch(tree, snap->events[i].asked, (uint32_t)i);
}

void event_tree_open(struct event_tree *tree, size_t group, bool is_open)
{
	tree->groups[group].is_open = is_open;
	fill(tree);
}

size_t event_tree_group(const struct event_tree *tree, struct event_leaf leaf)
{
	size_t at = 0;

	if (leaf.is_group)
		return leaf.at;
	while (leaf.at >= tree->groups[at].first + tree->groups[at].count)
		at++;
	return at;
}

const struct machine_event *event_tree_event(const struct event_tree *tree, struct event_leaf leaf)
{
	return &tree->events->all[leaf.is_group ? tree->groups[leaf.at].first : leaf.at];
}
