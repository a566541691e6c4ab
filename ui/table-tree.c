/* SPDX-License-Identifier: MIT */
#include "ui/table-inside.h"

#include "base/xalloc.h"

#include <stdlib.h>

#define NONE	    SIZE_MAX
#define STEP	    2  /* cells of a level, where all fit; else 1 */
#define NAME_LEAST  14 /* cells that are left for the name */
#define LEVELS_MOST 64 /* of which it is known whether they go on below */

/* All by place in the order before. */
struct tree {
	size_t *above;	      /* the place that it stands below; NONE: it is a root */
	size_t *best;	      /* the first place among its own and those below it */
	size_t *first, *next; /* the first below it; the next one below the same */
	size_t root;	      /* the first root */
};

/* The place of the nearest row above that is shown. */
static size_t find_above(const struct table *table, const size_t *places, size_t row)
{
	do
		row = table->ops->above(table->data, row);
	while (row != TABLE_NO_ROW && places[row] == NONE);
	return row == TABLE_NO_ROW ? NONE : places[row];
}

static void find_all_above(const struct table *table, struct tree *tree)
{
	size_t rows = table->ops->rows(table->data);
	size_t *places = xcalloc(rows + 1, sizeof(*places));

	for (size_t row = 0; row < rows; row++)
		places[row] = NONE;
	for (size_t i = 0; i < table->norder; i++)
		places[table->order[i]] = i;
	for (size_t i = 0; i < table->norder; i++)
		tree->above[i] = find_above(table, places, table->order[i]);
	free(places);
}

/* From the first place on, so each is set at most once. */
static void find_best(const struct table *table, struct tree *tree)
{
	for (size_t i = 0; i < table->norder; i++)
		tree->best[i] = i;
	for (size_t i = 0; i < table->norder; i++) {
		for (size_t at = tree->above[i]; at != NONE && tree->best[at] > i;
		     at = tree->above[at])
			tree->best[at] = i;
	}
}

static void link_first(struct tree *tree, size_t at)
{
	size_t above = tree->above[at];
	size_t *first = above == NONE ? &tree->root : &tree->first[above];

	tree->next[at] = *first;
	*first = at;
}

/* Rows of the same best place stand one below the other: no two are below the same row. */
static void link_all(const struct table *table, struct tree *tree)
{
	tree->root = NONE;
	for (size_t i = 0; i < table->norder; i++)
		tree->first[i] = NONE;
	for (size_t i = table->norder; i-- > 0;) {
		for (size_t at = i; at != NONE && tree->best[at] == i; at = tree->above[at])
			link_first(tree, at);
	}
}

/* The level below, and whether this row's own level goes on below it. */
static struct table_branch branch_below(const struct table_branch *above, bool goes_on)
{
	struct table_branch branch = { .depth = above->depth + 1, .goes_on = above->goes_on };

	if (goes_on && above->depth < LEVELS_MOST)
		branch.goes_on |= 1ull << above->depth;
	return branch;
}

/* Each row, then all below it. */
static void write_order(struct table *table, const struct tree *tree, const size_t *before)
{
	size_t at = tree->root, count = 0;

	table->deepest = 0;
	while (at != NONE) {
		size_t above = tree->above[at], row = before[at];
		struct table_branch branch = { 0 };

		if (above != NONE)
			branch = branch_below(&table->branches[before[above]],
					      tree->next[at] != NONE);
		table->branches[row] = branch;
		if (branch.depth > table->deepest)
			table->deepest = branch.depth;
		table->order[count++] = row;
		if (tree->first[at] != NONE) {
			at = tree->first[at];
			continue;
		}
		while (at != NONE && tree->next[at] == NONE)
			at = tree->above[at];
		if (at != NONE)
			at = tree->next[at];
	}
}

void table_order_tree(struct table *table)
{
	size_t count = table->norder, rows = table->ops->rows(table->data);
	size_t *all = xcalloc(count * 5 + 1, sizeof(*all));
	struct tree tree = { .above = all,
			     .best = all + count,
			     .first = all + 2 * count,
			     .next = all + 3 * count };
	size_t *before = all + 4 * count;

	table->branches = xreallocarray(table->branches, rows + 1, sizeof(*table->branches));
	for (size_t i = 0; i < count; i++)
		before[i] = table->order[i];
	find_all_above(table, &tree);
	find_best(table, &tree);
	link_all(table, &tree);
	write_order(table, &tree, before);
	free(all);
}

/* --- drawing ---------------------------------------------------------------------------------- */

int table_draw_branch(const struct table *table, size_t row, const struct pen *pen)
{
	const struct table_branch *branch = &table->branches[row];
	const int room = pen->width > NAME_LEAST ? pen->width - NAME_LEAST : 0;
	const int step = (int)table->deepest * STEP <= room ? STEP : 1;
	const int depth = (int)branch->depth, levels = depth < room / step ? depth : room / step;
	struct pen at = *pen;

	/* Deeper rows than there is room for are all on the last level, below the rules of the first ones. */
	for (int i = 0; i < levels; i++) {
		bool is_own = i == levels - 1;
		int level = is_own ? depth - 1 : i;
		bool goes_on = level < LEVELS_MOST && branch->goes_on >> level & 1;
		enum glyph glyph = !is_own ? GLYPH_RULE : goes_on ? GLYPH_TEE : GLYPH_ELBOW;

		if (is_own || goes_on)
			draw_left(&at, draw_glyph(glyph, pen->is_ascii));
		at.x += step;
		at.width -= step;
	}
	return levels * step;
}
