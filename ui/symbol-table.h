/* SPDX-License-Identifier: MIT */
/*
 * symbol-table - a table of an event's symbols, with their shares of its samples.
 */
#ifndef UI_SYMBOL_TABLE_H
#define UI_SYMBOL_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "model/snapshot.h"
#include "ui/action.h"
#include "ui/table.h"

/* What the table shows, its data.  Zeroed: nothing. */
struct symbol_list {
	const struct snap_symbol *symbols; /* [count] borrowed */
	size_t count;
	double largest;		 /* share, also of those that are hidden */
	bool no_kernel, no_user; /* are hidden; not both */
	struct snap_symbol sum;	 /* of those marked */
};

/* Show these, which must outlive the table's next update. */
void symbol_list_set(struct symbol_list *list, const struct snap_symbol *symbols, size_t count);

/* The one in a row; after the last one the sum. */
const struct snap_symbol *symbol_list_at(const struct symbol_list *list, size_t row);

/*
 * ACTION_HIDE_KERNEL and ACTION_HIDE_USER hide symbols, or show them again; hiding one kind shows the
 * other.  After a true one the table needs table_rehide().
 */
bool symbol_list_action(struct symbol_list *list, enum action action);

/* Those two, for view_ops.toggles, and whether one is on. */
const enum action *symbol_toggles(void);
bool symbol_list_is_on(const struct symbol_list *list, enum action toggle);

/* Of a struct symbol_list. */
const struct table_ops *symbol_table(void);

#endif
