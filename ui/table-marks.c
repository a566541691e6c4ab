/* SPDX-License-Identifier: MIT */
/*
 * Rows that are marked, and the line with their sum.
 */
#include "ui/table-inside.h"

#include "base/xalloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where this identity is among the marks, or belongs. */
static size_t place_of(const struct table *table, uint64_t id)
{
	size_t from = 0, to = table->nmarks;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (table->marks[middle] < id)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

static bool has_mark(const struct table *table, uint64_t id)
{
	size_t place = place_of(table, id);

	return place < table->nmarks && table->marks[place] == id;
}

bool table_is_marked(const struct table *table, size_t row)
{
	return table->nmarks > 0 && has_mark(table, table->ops->id(table->data, row));
}

static void toggle_mark(struct table *table, uint64_t id)
{
	size_t place = place_of(table, id), after = table->nmarks - place;

	if (has_mark(table, id)) {
		uint64_t *at = table->marks + place;

		memmove(at, at + 1, (after - 1) * sizeof(*at));
		table->nmarks--;
		return;
	}
	table->marks = xreallocarray(table->marks, table->nmarks + 1, sizeof(*table->marks));
	memmove(table->marks + place + 1, table->marks + place, after * sizeof(*table->marks));
	table->marks[place] = id;
	table->nmarks++;
}

void table_sum_up(struct table *table)
{
	size_t rows, *marked;

	table->nmarked = 0;
	if (table->nmarks == 0)
		return;
	rows = table->ops->rows(table->data);
	marked = xcalloc(rows + 1, sizeof(*marked));
	for (size_t row = 0; row < rows; row++) {
		if (table_is_marked(table, row))
			marked[table->nmarked++] = row;
	}
	if (table->nmarked > 0)
		table->ops->sum(table->data, marked, table->nmarked);
	free(marked);
}

bool table_mark(struct table *table)
{
	size_t row = table_row(table);

	if (table->ops->sum == NULL)
		return false;
	if (row != TABLE_NO_ROW) {
		toggle_mark(table, table->ops->id(table->data, row));
		table_sum_up(table);
	}
	return true;
}

bool table_unmark(struct table *table)
{
	bool had_sum = table->nmarked > 0;

	table->nmarks = table->nmarked = 0;
	return had_sum;
}

void table_marks_text(const struct table *table, char *out, size_t room)
{
	if (table->nmarked >= table->nmarks) /* more: an identity can be that of several rows */
		snprintf(out, room, "%zu marked", table->nmarked);
	else
		snprintf(out, room, "%zu of %zu marked", table->nmarked, table->nmarks);
}
