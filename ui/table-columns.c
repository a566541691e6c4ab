/* SPDX-License-Identifier: MIT */
/*
 * Which columns the user has chosen, and their order from left to right.
 */
#include "ui/table-inside.h"

#include "base/strbuf.h"
#include "base/text.h"
#include "base/xalloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEPARATORS ", \t"

/* --- order ------------------------------------------------------------------------------------ */

/* The same one of its ops and of table_set_columns(); an event may have a column's name. */
static bool is_same(const struct column *a, const struct column *b)
{
	return a->draw == b->draw && a->figure == b->figure && strcmp(a->name, b->name) == 0;
}

/* Where a column of its ops is among those it has now; ncolumns: nowhere. */
static size_t place_now(const struct table *table, const struct column *own)
{
	size_t at = 0;

	while (at < table->ncolumns && !is_same(&table->columns[at], own))
		at++;
	return at;
}

static bool is_own(const struct table *table, const struct column *column)
{
	for (size_t i = 0; i < table->ops->ncolumns; i++) {
		if (is_same(&table->ops->columns[i], column))
			return true;
	}
	return false;
}

/* Columns that cannot be chosen, as those of events; together. */
struct others {
	size_t first, end;
};

static struct others find_others(const struct table *table)
{
	struct others others = { 0, table->ncolumns };

	if (table->columns == table->ops->columns)
		return (struct others){ table->ncolumns, table->ncolumns };
	while (others.first < others.end && is_own(table, &table->columns[others.first]))
		others.first++;
	while (others.end > others.first && is_own(table, &table->columns[others.end - 1]))
		others.end--;
	return others;
}

static size_t add_others(struct others *others, size_t *out, size_t count)
{
	while (others->first < others->end)
		out[count++] = others->first++;
	return count;
}

static bool is_wanted(const struct table *table, const struct column *column)
{
	return column->is_wanted == NULL || column->is_wanted(table->data);
}

/* The others stay before the first chosen one that is after them in the view's own order. */
size_t table_places(const struct table *table, size_t *out)
{
	size_t count = 0;

	if (table->chosen == NULL) {
		for (size_t i = 0; i < table->ncolumns; i++)
			if (is_wanted(table, &table->columns[i]))
				out[count++] = i;
		return count;
	}

	struct others others = find_others(table);
	out[count++] = 0;
	for (size_t i = 0; i < table->nchosen; i++) {
		size_t place = place_now(table, &table->ops->columns[table->chosen[i]]);

		if (place >= others.end)
			count = add_others(&others, out, count);
		if (place < table->ncolumns)
			out[count++] = place;
	}
	return add_others(&others, out, count);
}

bool table_is_reordered(const struct table *table)
{
	for (size_t i = 1; table->chosen != NULL && i < table->nchosen; i++) {
		if (table->chosen[i] < table->chosen[i - 1])
			return true;
	}
	return false;
}

/* --- choosing --------------------------------------------------------------------------------- */

/* All after the first, in the view's own order. */
static bool is_default(const struct table *table, const size_t *columns, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (columns[i] != i + 1)
			return false;
	}
	return count + 1 == table->ops->ncolumns;
}

static void choose_default(struct table *table)
{
	free(table->chosen);
	table->chosen = NULL;
	table->nchosen = 0;
}

void table_choose_these(struct table *table, const size_t *columns, size_t count)
{
	choose_default(table);
	if (is_default(table, columns, count))
		return;
	table->chosen = xcalloc(count + 1, sizeof(*columns));
	memcpy(table->chosen, columns, count * sizeof(*columns));
	table->nchosen = count;
}

size_t table_chosen(const struct table *table, size_t *out)
{
	if (table->chosen != NULL) {
		memcpy(out, table->chosen, table->nchosen * sizeof(*out));
		return table->nchosen;
	}
	for (size_t i = 1; i < table->ops->ncolumns; i++)
		out[i - 1] = i;
	return table->ops->ncolumns - 1;
}

/* --- as text ---------------------------------------------------------------------------------- */

/* The column of its ops with this name; ncolumns: none. */
static size_t find_own(const struct table_ops *ops, const char *name, size_t len)
{
	size_t at = 0;

	while (at < ops->ncolumns && (strlen(ops->columns[at].name) != len ||
				      strncmp(ops->columns[at].name, name, len) != 0))
		at++;
	return at;
}

/* "no column 'x'; there are: on-cpu, pid, tid; or default, none" */
static void say_none(const struct table_ops *ops, const char *name, size_t len, char *error,
		     size_t room)
{
	char safe[64];
	struct strbuf text;

	text_safe(safe, sizeof(safe), name, len);
	strbuf_init(&text);
	strbuf_printf(&text, "no column '%s'; there are:", safe);
	for (size_t i = 1; i < ops->ncolumns; i++)
		strbuf_printf(&text, "%s %s", i > 1 ? "," : "", ops->columns[i].name);
	strbuf_puts(&text, "; or default, none");
	snprintf(error, room, "%s", text.text);
	strbuf_fini(&text);
}

/* Whether the next of a list can be this one: else the reason. */
static bool can_follow(const struct table_ops *ops, const size_t *list, size_t count, size_t column,
		       char *error, size_t room)
{
	if (column == 0) {
		snprintf(error, room, "'%s' is always shown, and first: leave it out",
			 ops->columns[0].name);
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		if (list[i] != column)
			continue;
		snprintf(error, room, "'%s' is named twice", ops->columns[column].name);
		return false;
	}
	return true;
}

/* The columns that are named, at most one time each: false and the reason. */
static bool parse(const struct table_ops *ops, const char *names, size_t *list, size_t *count,
		  char *error, size_t room)
{
	*count = 0;
	while (*(names += strspn(names, SEPARATORS)) != '\0') {
		size_t len = strcspn(names, SEPARATORS);
		size_t column = find_own(ops, names, len);

		if (column == ops->ncolumns) {
			say_none(ops, names, len, error, room);
			return false;
		}
		if (!can_follow(ops, list, *count, column, error, room))
			return false;
		list[(*count)++] = column;
		names += len;
	}
	return true;
}

bool table_choose(struct table *table, const char *names, char *error, size_t room)
{
	size_t *list = xcalloc(table->ops->ncolumns, sizeof(*list));
	size_t count = 0;
	bool is_right = true;

	if (strcmp(names, "default") == 0)
		choose_default(table);
	else if (strcmp(names, "none") == 0)
		table_choose_these(table, list, 0);
	else if ((is_right = parse(table->ops, names, list, &count, error, room)))
		table_choose_these(table, list, count);
	free(list);
	return is_right;
}

void table_choice_text(const struct table *table, char *out, size_t room)
{
	size_t len = 0;

	if (table->chosen == NULL) {
		snprintf(out, room, "default");
		return;
	}
	snprintf(out, room, "none");
	for (size_t i = 0; i < table->nchosen && len < room; i++)
		len += (size_t)snprintf(out + len, room - len, "%s%s", i > 0 ? ", " : "",
					table->ops->columns[table->chosen[i]].name);
}
