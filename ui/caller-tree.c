/* SPDX-License-Identifier: MIT */
#include "ui/caller-tree.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "ui/event-cells.h"

static bool is_closed(const struct caller_tree *tree, uint64_t id)
{
	for (size_t i = 0; i < tree->nclosed; i++) {
		if (tree->closed[i] == id)
			return true;
	}
	return false;
}

static uint64_t path_id(uint64_t parent, const struct snap_caller *caller)
{
	return (parent * 31 + event_id(caller->symbol)) * 31 + event_id(caller->module);
}

/* Who called whom: the parent of each is the last one before it that is less deep by one. */
static void find_parents(struct caller_tree *tree)
{
	const struct snap_symbol *symbol = tree->symbol;

	for (size_t i = 0; i < symbol->ncallers; i++) {
		struct caller_line *line = &tree->lines[i];
		size_t parent = i > 0 ? i - 1 : CALLER_NONE;

		while (parent != CALLER_NONE &&
		       symbol->callers[parent].depth >= symbol->callers[i].depth)
			parent = tree->lines[parent].parent;
		*line = (struct caller_line){ .parent = parent };
		line->id = path_id(parent != CALLER_NONE ? tree->lines[parent].id : 0,
				   &symbol->callers[i]);
		line->is_closed = is_closed(tree, line->id);
		if (parent != CALLER_NONE)
			tree->lines[parent].callers++;
	}
}

/*
 * A chain of single callers stays in one column, one step right of the first one, so that it can be told
 * from callers side by side.
 */
static void find_levels(struct caller_tree *tree)
{
	for (size_t i = 0; i < tree->symbol->ncallers; i++) {
		struct caller_line *line = &tree->lines[i];
		const struct caller_line *parent =
			line->parent != CALLER_NONE ? &tree->lines[line->parent] : NULL;

		line->is_first = !parent || parent->callers > 1;
		line->level = parent ? parent->level + (line->is_first || parent->is_first) : 0;
	}
}

static void show_open(struct caller_tree *tree)
{
	uint32_t hidden = UINT32_MAX; /* all that are deeper, below a closed one */

	tree->nshown = 0;
	for (size_t i = 0; i < tree->symbol->ncallers; i++) {
		uint32_t depth = tree->symbol->callers[i].depth;

		if (depth > hidden)
			continue;
		hidden = tree->lines[i].is_closed ? depth : UINT32_MAX;
		tree->shown[tree->nshown++] = i;
	}
}

void caller_tree_set(struct caller_tree *tree, const struct snap_symbol *symbol)
{
	size_t count = symbol ? symbol->ncallers : 0;

	tree->symbol = symbol;
	tree->nshown = 0;
	tree->lines = xreallocarray(tree->lines, count + 1, sizeof(*tree->lines));
	tree->shown = xreallocarray(tree->shown, count + 1, sizeof(*tree->shown));
	if (!symbol)
		return;
	find_parents(tree);
	find_levels(tree);
	show_open(tree);
}

void caller_tree_fini(struct caller_tree *tree)
{
	free(tree->lines);
	free(tree->shown);
	free(tree->closed);
}

static void forget_closed(struct caller_tree *tree, uint64_t id)
{
	size_t kept = 0;

	for (size_t i = 0; i < tree->nclosed; i++) {
		if (tree->closed[i] != id)
			tree->closed[kept++] = tree->closed[i];
	}
	tree->nclosed = kept;
}

void caller_tree_close(struct caller_tree *tree, size_t at, bool is_closed_now)
{
	struct caller_line *line = &tree->lines[at];

	if (line->callers == 0 || line->is_closed == is_closed_now)
		return;
	line->is_closed = is_closed_now;
	if (!is_closed_now) {
		forget_closed(tree, line->id);
	} else {
		tree->closed =
			xreallocarray(tree->closed, tree->nclosed + 1, sizeof(*tree->closed));
		tree->closed[tree->nclosed++] = line->id;
	}
	show_open(tree);
}
