/* SPDX-License-Identifier: MIT */
#include "ui/table-inside.h"

#include <math.h>

static const struct column *column_at(const void *data, size_t column)
{
	return &((const struct table *)data)->columns[column];
}

static const char *name_of(const void *data, size_t column)
{
	return column_at(data, column)->name;
}

static enum filter_kind kind_of(const void *data, size_t at)
{
	const struct column *column = column_at(data, at);

	if (column->text != NULL)
		return FILTER_WORDS;
	if (!column_is_number(column))
		return FILTER_NONE;
	return column->is_share ? FILTER_SHARE : FILTER_NUMBER;
}

static double number_of(const void *data, size_t row, size_t at)
{
	const struct table *table = data;
	const struct column *column = column_at(data, at);
	double number;

	if (column->value != NULL)
		number = column->value(table->data, row);
	else if (column->draw == NULL)
		number = table->ops->number_alike(table->data, row, column);
	else
		number = column->number(table->data, row);
	return isfinite(number) && (number >= 0 || column->is_signed) ? number : (double)NAN;
}

static const char *words_of(const void *data, size_t row, size_t at)
{
	return column_at(data, at)->text(((const struct table *)data)->data, row);
}

static void text_of(const void *data, size_t row, char *out, size_t room)
{
	const struct table *table = data;

	table->ops->text(table->data, row, out, room);
}

struct filter_rows table_filter_rows(const struct table *table)
{
	return (struct filter_rows){
		.data = table,
		.ncolumns = table->ncolumns,
		.name = name_of,
		.kind = kind_of,
		.number = number_of,
		.words = words_of,
		.text = text_of,
	};
}
