/* SPDX-License-Identifier: MIT */
#include "ui/table-inside.h"

#include "base/xalloc.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Quiet rows are hidden when there are at least so many. */
#define QUIET_LEAST 3

/* An interest of 2^LEVEL_LEAST or less counts as none. */
#define LEVEL_LEAST -40

/* Powers of two from the middle of its level that an interest must be away to change its level. */
#define LEVEL_SLACK 1.0

/* What a row is sorted by. */
union sort_key {
	double number;
	const char *text;
};

struct sort_item {
	union sort_key key;
	size_t row;
	bool is_last;
};

struct sort_rule {
	bool is_text;
	bool is_falling; /* largest first */
};

/* NaN is the smallest, or the order would depend on the algorithm. */
static int compare_numbers(double a, double b)
{
	if (a != a || b != b)
		return (b != b) - (a != a);
	return (a > b) - (a < b);
}

static int compare_items(const void *one, const void *other, void *by)
{
	const struct sort_item *a = one, *b = other;
	const struct sort_rule *rule = by;
	int order = rule->is_text ? strcmp(a->key.text, b->key.text) :
				    compare_numbers(a->key.number, b->key.number);

	if (a->is_last != b->is_last)
		return a->is_last - b->is_last;
	if (order == 0 || a->is_last) /* stable: equal rows keep their order, reversed or not */
		return (a->row > b->row) - (a->row < b->row);
	return rule->is_falling ? -order : order;
}

/* Sort table->order by items[i].key, which are in the same order. */
static void sort_items(struct table *table, struct sort_item *items, struct sort_rule rule)
{
	const struct table_ops *ops = table->ops;

	for (size_t i = 0; i < table->norder; i++) {
		items[i].row = table->order[i];
		items[i].is_last = ops->is_last != NULL && ops->is_last(table->data, items[i].row);
	}
	qsort_r(items, table->norder, sizeof(*items), compare_items, &rule);
	for (size_t i = 0; i < table->norder; i++)
		table->order[i] = items[i].row;
}

/* --- by a column ------------------------------------------------------------------------------ */

static union sort_key key_of(const struct table *table, const struct column *column, size_t row)
{
	if (column->text != NULL)
		return (union sort_key){ .text = column->text(table->data, row) };
	if (column->draw == NULL)
		return (union sort_key){
			.number = table->ops->number_alike(table->data, row, column),
		};
	return (union sort_key){ .number = column->number(table->data, row) };
}

static void sort_by_column(struct table *table)
{
	const struct column *by = &table->columns[table->sort];
	struct sort_rule rule = { .is_text = by->text != NULL,
				  .is_falling = column_is_number(by) != table->is_reversed };
	struct sort_item *items = xcalloc(table->norder, sizeof(*items));

	for (size_t i = 0; i < table->norder; i++)
		items[i].key = key_of(table, by, table->order[i]);
	sort_items(table, items, rule);
	free(items);
}

/* --- by interest ------------------------------------------------------------------------------ */

static int compare_levels(const void *one, const void *other)
{
	const struct table_level *a = one, *b = other;

	return (a->id > b->id) - (a->id < b->id);
}

static int compare_id(const void *key, const void *entry)
{
	uint64_t id = *(const uint64_t *)key;
	const struct table_level *level = entry;

	return (id > level->id) - (id < level->id);
}

/*
 * The level of an interest, by powers of two.  It stays `before` until the interest is clearly outside
 * of that.
 */
static int level_of(double interest, int before)
{
	double exact = interest > 0 ? fmax(log2(interest), LEVEL_LEAST) : LEVEL_LEAST;

	if (!(interest >= 0))
		return LEVEL_LEAST - 1;
	return fabs(exact - (before + 0.5)) < LEVEL_SLACK ? before : (int)floor(exact);
}

/* Rows of one level stay in the order given, so that it is calm. */
static void sort_by_interest(struct table *table)
{
	struct table_level *levels = xcalloc(table->norder, sizeof(*levels));
	struct sort_item *items = xcalloc(table->norder, sizeof(*items));

	for (size_t i = 0; i < table->norder; i++) {
		uint64_t id = table->ops->id(table->data, table->order[i]);
		double interest = table->ops->interest(table->data, table->order[i]);
		const struct table_level *before = NULL;

		if (table->nlevels > 0)
			before = bsearch(&id, table->levels, table->nlevels, sizeof(*levels),
					 compare_id);
		levels[i].id = id;
		levels[i].level = level_of(interest, before != NULL ? before->level : INT_MIN / 2);
		items[i].key.number = levels[i].level;
	}
	sort_items(table, items, (struct sort_rule){ .is_falling = true });
	free(items);
	qsort(levels, table->norder, sizeof(*levels), compare_levels);
	free(table->levels);
	table->levels = levels;
	table->nlevels = table->norder;
}

/* --- which rows ------------------------------------------------------------------------------- */

static void take_rows(struct table *table)
{
	size_t rows = table->ops->rows(table->data);

	if (rows > table->room) {
		table->order = xreallocarray(table->order, rows, sizeof(*table->order));
		table->room = rows;
	}
	table->norder = 0;
	for (size_t row = 0; row < rows; row++) {
		if (table->ops->is_hidden == NULL || !table->ops->is_hidden(table->data, row))
			table->order[table->norder++] = row;
	}
}

static void filter_rows(struct table *table)
{
	struct filter_rows rows = table_filter_rows(table);
	size_t kept = 0;

	for (size_t i = 0; i < table->norder; i++) {
		if (filter_match(table->filter, &rows, table->order[i]))
			table->order[kept++] = table->order[i];
	}
	table->norder = kept;
}

static bool is_left_out(const struct table *table, size_t row)
{
	bool has_cursor = table->is_placed && table->ops->id(table->data, row) == table->cursor_id;

	return !has_cursor && table->ops->is_quiet(table->data, row);
}

static void hide_quiet(struct table *table)
{
	size_t kept = 0, quiet = 0;

	for (size_t i = 0; i < table->norder; i++)
		quiet += table->ops->is_quiet(table->data, table->order[i]);
	if (quiet < QUIET_LEAST || quiet == table->norder)
		return;
	table->nquiet = table->norder;
	for (size_t i = 0; i < table->norder; i++) {
		if (!is_left_out(table, table->order[i]))
			table->order[kept++] = table->order[i];
	}
	table->norder = kept;
	table->nquiet -= kept;
}

static void reverse_rows(struct table *table)
{
	for (size_t i = 0, j = table->norder; i + 1 < j; i++) {
		size_t row = table->order[--j];

		table->order[j] = table->order[i];
		table->order[i] = row;
	}
}

static size_t count_last(const struct table *table)
{
	size_t count = 0;

	while (table->ops->is_last != NULL && count < table->norder &&
	       table->ops->is_last(table->data, table->order[table->norder - 1 - count]))
		count++;
	return count;
}

void table_order(struct table *table)
{
	bool is_by_column = table->sort != TABLE_SORT_NONE;

	take_rows(table);
	if (!is_by_column && table->ops->interest != NULL && table->norder > 0)
		sort_by_interest(table);
	table->nquiet = 0;
	if (table->filter != NULL)
		filter_rows(table);
	else if (table->ops->is_quiet != NULL && !table->shows_quiet)
		hide_quiet(table);
	if (is_by_column && table->norder > 1)
		sort_by_column(table);
	else if (!is_by_column && table->is_reversed)
		reverse_rows(table);
	if (table->is_tree)
		table_order_tree(table);
	table->nlast = count_last(table);
	table_sum_up(table);
}
