/* SPDX-License-Identifier: MIT */
/*
 * symbol-table - a table of an event's symbols, with their shares of its samples.
 */
#ifndef UI_SYMBOL_TABLE_H
#define UI_SYMBOL_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "model/snapshot.h"
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

/* Of a struct symbol_list. */
const struct table_ops *symbol_table(void);

#endif
