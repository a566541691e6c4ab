/* SPDX-License-Identifier: MIT */
/*
 * view-tasks-inside - what view-tasks.c and view-tasks-table.c (its rows and columns) share.
 */
#ifndef UI_VIEW_TASKS_INSIDE_H
#define UI_VIEW_TASKS_INSIDE_H

#include "ui/task-rates.h"
#include "ui/task-rows.h"
#include "ui/view.h"

struct tasks_view {
	struct view view;
	struct task_rows list;
	struct task_rates rates;
	enum mark switches_mark, on_cpu_mark;
};

/* What the table's callbacks get as their data. */
static inline const struct tasks_view *tasks_view_of(const void *data)
{
	return data;
}

/* The table of tasks; its data is the view. */
const struct table_ops *tasks_table(void);

/* Its columns with the rates of events among them. */
const struct task_columns *tasks_table_rates(void);

#endif
