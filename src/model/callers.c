/* SPDX-License-Identifier: MIT */
#include "model/callers.h"

#include <stdlib.h>

#include "base/xalloc.h"

#define NONE UINT32_MAX

struct node {
	uint32_t name;
	uint32_t parent, next, first; /* indexes; next: with the same parent; first: its child */
	double weight;
};

struct callers {
	struct node *nodes; /* the roots first */
	size_t count, room;
};

struct callers *callers_new(size_t count)
{
	struct callers *callers = xcalloc(1, sizeof(*callers));

	callers->room = count + 64;
	callers->nodes = xcalloc(callers->room, sizeof(*callers->nodes));
	for (size_t i = 0; i < count; i++)
		callers->nodes[i] = (struct node){ .parent = NONE, .next = NONE, .first = NONE };
	callers->count = count;
	return callers;
}

void callers_free(struct callers *callers)
{
	if (callers == NULL)
		return;

	free(callers->nodes);
	free(callers);
}

static uint32_t child_of(struct callers *callers, uint32_t parent, uint32_t name)
{
	for (uint32_t at = callers->nodes[parent].first; at != NONE; at = callers->nodes[at].next) {
		if (callers->nodes[at].name == name)
			return at;
	}
	if (callers->count == callers->room) {
		callers->room *= 2;
		callers->nodes =
			xreallocarray(callers->nodes, callers->room, sizeof(*callers->nodes));
	}

	uint32_t child = (uint32_t)callers->count++;
	callers->nodes[child] = (struct node){ .name = name,
					       .parent = parent,
					       .next = callers->nodes[parent].first,
					       .first = NONE };
	callers->nodes[parent].first = child;
	return child;
}

void callers_add(struct callers *callers, size_t root, const uint32_t *names, size_t n,
		 double weight)
{
	uint32_t at = (uint32_t)root;

	for (size_t i = 0; i < n; i++) {
		at = child_of(callers, at, names[i]);
		callers->nodes[at].weight += weight;
	}
}

/* --- listing -------------------------------------------------------------------------------- */

static int by_weight(const void *a, const void *b)
{
	const struct node *left = *(struct node *const *)a, *right = *(struct node *const *)b;

	if (left->weight != right->weight)
		return left->weight > right->weight ? -1 : 1;
	return left->name < right->name ? -1 : left->name > right->name;
}

/* Keep the children of a node that are heavy enough, the heaviest first. */
static void sort_children(struct callers *callers, uint32_t parent, double least)
{
	struct node *nodes = callers->nodes;
	struct node **children;
	size_t count = 0, kept = 0;

	for (uint32_t at = nodes[parent].first; at != NONE; at = nodes[at].next)
		count++;
	children = xcalloc(count + 1, sizeof(struct node *));
	for (uint32_t at = nodes[parent].first; at != NONE; at = nodes[at].next) {
		if (nodes[at].weight >= least)
			children[kept++] = &nodes[at];
	}
	qsort(children, kept, sizeof(struct node *), by_weight);
	nodes[parent].first = kept > 0 ? (uint32_t)(children[0] - nodes) : NONE;
	for (size_t i = 0; i < kept; i++)
		children[i]->next = i + 1 < kept ? (uint32_t)(children[i + 1] - nodes) : NONE;
	free(children);
}

/* The node after `at` in the order of the list, and its depth; NONE after the last one. */
static uint32_t next_of(const struct callers *callers, uint32_t at, uint32_t *depth)
{
	if (callers->nodes[at].first != NONE) {
		++*depth;
		return callers->nodes[at].first;
	}
	while (*depth > 0 && callers->nodes[at].next == NONE) {
		at = callers->nodes[at].parent;
		--*depth;
	}
	return *depth > 0 ? callers->nodes[at].next : NONE;
}

size_t callers_list(struct callers *callers, size_t root, double least, struct caller **out)
{
	struct caller *list = NULL;
	size_t count = 0, room = 0;
	uint32_t at = (uint32_t)root, depth = 0;

	for (;;) {
		sort_children(callers, at, least);
		at = next_of(callers, at, &depth);
		if (at == NONE)
			break;
		if (count == room) {
			room = room == 0 ? 32 : room * 2;
			list = xreallocarray(list, room, sizeof(*list));
		}
		list[count++] = (struct caller){ callers->nodes[at].name, depth,
						 callers->nodes[at].weight };
	}
	*out = list;
	return count;
}
