/* SPDX-License-Identifier: MIT */
/*
 * Stream: the records themselves, one by one, the newest at the bottom.
 */
#include "ui/view.h"

#include "ui/task-cells.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define NSEC_PER_SEC  1000000000
#define NSEC_PER_USEC 1000
#define TIME_MAX      32

/* The rows are the records of all pages, whose numbers have no gaps. */
static const struct snap_record *record_at(const void *data, size_t row)
{
	const struct snapshot *snap = ((const struct view *)data)->snap;
	uint64_t number = snap->pages[0]->first + row;
	size_t low = 0, high = snap->npages;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (snap->pages[middle]->first <= number)
			low = middle;
		else
			high = middle;
	}
	return &snap->pages[low]->records[number - snap->pages[low]->first];
}

static size_t rows(const void *data)
{
	const struct snapshot *snap = ((const struct view *)data)->snap;

	if (!snap || !snap->npages)
		return 0;
	const struct snap_page *last = snap->pages[snap->npages - 1];
	return (size_t)(last->first + last->count - snap->pages[0]->first);
}

static uint64_t id(const void *data, size_t row)
{
	return ((const struct view *)data)->snap->pages[0]->first + row;
}

static void text(const void *data, size_t row, char *out, size_t room)
{
	const struct snap_record *record = record_at(data, row);

	snprintf(out, room, "%s %d %s %s", record->comm, record->tid, record->event, record->text);
}

/* --- cells ------------------------------------------------------------------------------------ */

static const char *print_time(const struct snap_record *record, char out[TIME_MAX])
{
	time_t seconds = (time_t)(record->wall_ns / NSEC_PER_SEC);
	int usec = (int)(record->wall_ns % NSEC_PER_SEC / NSEC_PER_USEC);
	struct tm at;

	out[0] = '\0';
	if (record->wall_ns >= 0 && localtime_r(&seconds, &at))
		snprintf(out, TIME_MAX, "%02d:%02d:%02d.%06d", at.tm_hour, at.tm_min, at.tm_sec,
			 usec);
	return out;
}

static void draw_time_of(const void *data, size_t row, const struct pen *pen)
{
	const struct pen dim = draw_in_role(pen, ROLE_DIM);
	char out[TIME_MAX];

	draw_left(&dim, print_time(record_at(data, row), out));
}

static double time_of(const void *data, size_t row)
{
	return (double)record_at(data, row)->wall_ns;
}

static double cpu_of(const void *data, size_t row)
{
	return record_at(data, row)->cpu;
}

static void draw_cpu_of(const void *data, size_t row, const struct pen *pen)
{
	task_draw_id(pen, record_at(data, row)->cpu);
}

static const char *comm_of(const void *data, size_t row)
{
	return record_at(data, row)->comm;
}

static void draw_task_of(const void *data, size_t row, const struct pen *pen)
{
	const struct snap_record *record = record_at(data, row);

	if (record->tid >= 0)
		draw_left(pen, record->comm[0] ? record->comm : "?");
}

static double tid_of(const void *data, size_t row)
{
	return record_at(data, row)->tid;
}

static void draw_tid_of(const void *data, size_t row, const struct pen *pen)
{
	task_draw_id(pen, record_at(data, row)->tid);
}

static const char *event_of(const void *data, size_t row)
{
	return record_at(data, row)->event;
}

static enum role role_of(const struct snap_record *record)
{
	switch (record->kind) {
	case SNAP_LOST:
	case SNAP_THROTTLE:
		return ROLE_BAD;
	case SNAP_LEFT_OUT:
		return ROLE_DIM;
	default:
		return ROLE_TEXT;
	}
}

static void draw_event_of(const void *data, size_t row, const struct pen *pen)
{
	const struct snap_record *record = record_at(data, row);
	const struct pen own = draw_in_role(pen, role_of(record));

	draw_middle(&own, record->event);
}

static double count_of(const void *data, size_t row)
{
	return (double)record_at(data, row)->count;
}

static void draw_count_of(const void *data, size_t row, const struct pen *pen)
{
	const struct snap_record *record = record_at(data, row);

	if (record->kind != SNAP_SAMPLE || record->count == 0)
		draw_unknown(pen);
	else if (record->is_clock)
		draw_time(pen, record->count, MARK_NONE);
	else
		draw_count(pen, record->count, MARK_NONE);
}

static const char *fields_of(const void *data, size_t row)
{
	return record_at(data, row)->text;
}

static void draw_fields_of(const void *data, size_t row, const struct pen *pen)
{
	const struct snap_record *record = record_at(data, row);
	const struct pen own = draw_in_role(pen, role_of(record));

	draw_left(&own, record->text);
}

static const struct column columns[] = {
	{ "time", "TIME", 8, 15, .draw = draw_time_of, .number = time_of },
	{ "cpu", "CPU", 3, 3, .drop = 2, .draw = draw_cpu_of, .number = cpu_of },
	{ "task", "TASK", 8, 15, .draw = draw_task_of, .text = comm_of },
	{ "tid", "TID", 7, 7, .drop = 1, .draw = draw_tid_of, .number = tid_of },
	{ "event", "EVENT", 8, 20, .most = 36, .draw = draw_event_of, .text = event_of },
	{ "count", "FOR", 6, 6, .drop = 3, .draw = draw_count_of, .number = count_of },
	{ "fields", "FIELDS", 8, 20, .most = 400, .draw = draw_fields_of, .text = fields_of },
};

static const struct table_ops table = {
	.columns = columns,
	.ncolumns = sizeof(columns) / sizeof(columns[0]),
	.rows = rows,
	.id = id,
	.text = text,
	.is_log = true,
	.empty = "no record yet: they are kept from when this view is first shown",
};

/* --- the view --------------------------------------------------------------------------------- */

/* The event of the selected record, if it still has a row. */
static uint32_t event_index(const struct view *view)
{
	size_t row = table_row(&view->table);

	if (row == TABLE_NO_ROW)
		return VIEW_NO_EVENT;
	const char *name = record_at(view, row)->event;
	for (uint32_t i = 0; i < view->snap->nevents; i++)
		if (strcmp(view->snap->events[i].name, name) == 0)
			return i;
	return VIEW_NO_EVENT;
}

static bool can_enter(const struct view *view)
{
	return event_index(view) != VIEW_NO_EVENT;
}

static const enum action hints[] = { ACTION_FILTER, ACTION_FREEZE, ACTION_END, ACTION_SAVE,
				     ACTION_NONE };

const struct view_ops *view_stream(void)
{
	static const struct view_ops ops = {
		.name = "stream",
		.title = "Stream",
		.size = sizeof(struct view),
		.table = &table,
		.hints = hints,
		.has_stream = true,
		.enter = "event",
		.can_enter = can_enter,
		.into = view_into_event,
		.event = event_index,
	};

	return &ops;
}
