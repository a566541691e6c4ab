/* SPDX-License-Identifier: MIT */
/*
 * table-inside - what the files of the table share:
 *
 *     table.c        the cursor and the actions
 *     table-order.c  which rows there are, and their order
 *     table-tree.c   rows that stand below others
 *     table-filter.c its rows and columns as a filter sees them
 *     table-marks.c  rows that are marked, and their sum
 *     table-columns.c  which columns the user has chosen
 *     table-draw.c   columns and drawing
 */
#ifndef UI_TABLE_INSIDE_H
#define UI_TABLE_INSIDE_H

#include "ui/table.h"

/* Valid as long as the table. */
struct filter_rows table_filter_rows(const struct table *table);

/* The places of its columns from left to right: how many; `out` has room for all. */
size_t table_places(const struct table *table, size_t *out);

/* Whether the columns that are chosen are not in the order of ops. */
bool table_is_reordered(const struct table *table);

/* Filter, fold and sort the rows of the data into table->order. */
void table_order(struct table *table);

/* Put table->order, which is sorted, in the order of the tree, and fill table->branches. */
void table_order_tree(struct table *table);

/* Whether this row of the data is marked. */
bool table_is_marked(const struct table *table, size_t row);

/* Count the marked rows of the data, and have their sum made: after data or marks have changed. */
void table_sum_up(struct table *table);

/* "3 marked", or "2 of 3 marked" when the data do not have all of them. */
void table_marks_text(const struct table *table, char *out, size_t room);

#endif
