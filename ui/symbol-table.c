/* SPDX-License-Identifier: MIT */
#include "ui/symbol-table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/event-cells.h"
#include "ui/keys.h"

#define SYMBOL "SYMBOL"

void symbol_list_set(struct symbol_list *list, const struct snap_symbol *symbols, size_t count)
{
	list->symbols = symbols;
	list->count = count;
	list->largest = 0;
	for (size_t i = 0; i < count; i++)
		list->largest = fmax(list->largest, symbols[i].share);
}

const struct snap_symbol *symbol_list_at(const struct symbol_list *list, size_t row)
{
	return row < list->count ? &list->symbols[row] : &list->sum;
}

bool symbol_list_action(struct symbol_list *list, enum action action)
{
	if (action != ACTION_HIDE_KERNEL && action != ACTION_HIDE_USER)
		return false;
	list->no_kernel = action == ACTION_HIDE_KERNEL && !list->no_kernel;
	list->no_user = action == ACTION_HIDE_USER && !list->no_user;
	return true;
}

const enum action *symbol_toggles(void)
{
	static const enum action toggles[] = { ACTION_HIDE_KERNEL, ACTION_HIDE_USER, ACTION_NONE };

	return toggles;
}

bool symbol_list_is_on(const struct symbol_list *list, enum action toggle)
{
	return toggle == ACTION_HIDE_KERNEL ? list->no_kernel : list->no_user;
}

static const struct snap_symbol *symbol_at(const void *data, size_t row)
{
	return symbol_list_at(data, row);
}

static size_t rows(const void *data)
{
	return ((const struct symbol_list *)data)->count;
}

static uint64_t id(const void *data, size_t row)
{
	const struct snap_symbol *symbol = symbol_at(data, row);

	return event_id(symbol->symbol) * 31 + event_id(symbol->module);
}

static void text(const void *data, size_t row, char *out, size_t room)
{
	const struct snap_symbol *symbol = symbol_at(data, row);

	snprintf(out, room, "%s %s", symbol->symbol, symbol->module);
}

static bool is_hidden(const void *data, size_t row)
{
	const struct symbol_list *list = data;

	return symbol_at(data, row)->is_user ? list->no_user : list->no_kernel;
}

static const char *symbol_name(const void *data, size_t row)
{
	return symbol_at(data, row)->symbol;
}

/* "SYMBOL  kernel hidden (K)" */
static void draw_title(const void *data, const struct pen *pen)
{
	const struct symbol_list *list = data;
	enum action shows = list->no_kernel ? ACTION_HIDE_KERNEL : ACTION_HIDE_USER;
	char key[KEY_NAME_MAX], words[KEY_NAME_MAX + 48];
	struct pen beside = draw_in_role(pen, ROLE_DIM);

	draw_left(pen, SYMBOL);
	beside.x += (int)strlen(SYMBOL) + 2;
	beside.width -= (int)strlen(SYMBOL) + 2;
	if (beside.width <= 0 || (!list->no_kernel && !list->no_user))
		return;
	keys_first_name(pen->canvas->keys, shows, key);
	snprintf(words, sizeof(words), key[0] ? "%s hidden (%s)" : "%s hidden",
		 list->no_kernel ? "kernel" : "user code", key);
	draw_left(&beside, words);
}

static void draw_symbol(const void *data, size_t row, const struct pen *pen)
{
	draw_left(pen, symbol_at(data, row)->symbol);
}

static double share(const void *data, size_t row)
{
	return symbol_at(data, row)->share;
}

static void draw_share_of(const void *data, size_t row, const struct pen *pen)
{
	draw_share(pen, symbol_at(data, row)->share, MARK_NONE);
}

/* The longest is the largest share: at 12 % of full length bars could not be compared. */
static void draw_bar_of(const void *data, size_t row, const struct pen *pen)
{
	const struct symbol_list *list = data;
	struct pen bar = *pen;

	bar.role = ROLE_HEAT2;
	if (symbol_at(data, row)->share > 0)
		draw_bar(&bar, symbol_at(data, row)->share / list->largest);
}

static const char *module(const void *data, size_t row)
{
	return symbol_at(data, row)->module;
}

static void draw_module(const void *data, size_t row, const struct pen *pen)
{
	draw_left(pen, symbol_at(data, row)->module);
}

static const struct column columns[] = {
	{ "symbol", SYMBOL, 3, 24, .most = 60, .draw = draw_symbol, .text = symbol_name,
	  .head = draw_title },
	{ "share", "SHARE", 6, 6, .draw = draw_share_of, .number = share, .is_share = true },
	{ "bar", "", 10, 10, .most = 40, .drop = 2, .draw = draw_bar_of },
	{ "module", "MODULE", 10, 12, .most = 24, .drop = 1, .draw = draw_module, .text = module },
};

static void sum(void *data, const size_t *marked, size_t count)
{
	struct symbol_list *list = data;

	list->sum = (struct snap_symbol){ .symbol = "", .module = "" };
	for (size_t i = 0; i < count; i++)
		list->sum.share += symbol_at(data, marked[i])->share;
}

const struct table_ops *symbol_table(void)
{
	static const struct table_ops table = {
		.columns = columns,
		.ncolumns = sizeof(columns) / sizeof(columns[0]),
		.rows = rows,
		.id = id,
		.text = text,
		.is_hidden = is_hidden,
		.sum = sum,
		.all_hidden = "no symbol of the kind that is shown",
		.empty = "no sample yet: symbols come from samples that have an address",
	};

	return &table;
}
