/* SPDX-License-Identifier: MIT */
/*
 * table-inside - what the files of the table share:
 *
 *     table.c        the cursor and the actions
 *     table-order.c  which rows there are, and their order
 *     table-filter.c its rows and columns as a filter sees them
 *     table-draw.c   columns and drawing
 */
#ifndef UI_TABLE_INSIDE_H
#define UI_TABLE_INSIDE_H

#include "ui/table.h"

/* Valid as long as the table. */
struct filter_rows table_filter_rows(const struct table *table);

/* Filter, fold and sort the rows of the data into table->order. */
void table_order(struct table *table);

#endif
