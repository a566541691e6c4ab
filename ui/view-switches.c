/* SPDX-License-Identifier: MIT */
/*
 * Switches: how often each task leaves its CPU, how long it runs at a time and waits for its next
 * turn, and who preempts it.
 *
 *     all tasks   slice 3.9ms (99%: 5.8ms)   wait 21us (99%: 4.4ms, longest 8.0ms)
 *       TASK         ▾SWITCH/s  PREEMPT/s   SLICE    WAIT  WAIT99  PREEMPTED BY
 *     ▸ nginx 1203       8.11k          4    11us     3us    41us  load 8450
 *       load 8450        7.90k        301   102us    12us   4.0ms  nginx 1203
 *     nginx 1203   slice 4.1us ▁▂▇▅▂▁ 262us
 *                  wait  1.0us ▁▂▇▅▂▁    ▁▁ 8.4ms
 *     cpu0   nnnnnnnnllllnnnn····nnnnllll
 *
 * The figures of slices and waits are of the last 10 to 20 seconds.
 */
#include "ui/view.h"

#include "base/fmt.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "ui/task-cells.h"
#include "ui/task-sum.h"
#include "ui/timeline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ABOVE	      2 /* lines over the table */
#define LINES_LEAST   6 /* on fewer lines the table is alone */
#define SPANS_LINES   2
#define ROWS_ENOUGH   9
#define TIMELINE_MOST 17
#define LABEL_CELLS   26

struct switches_view {
	struct view view;
	const struct snap_task **tasks; /* [ntasks + 1] the rows, and the sum of those marked */
	size_t ntasks;
	struct task_sum sum;
	enum mark mark;
};

static const struct switches_view *self_of(const void *data)
{
	return data;
}

static const struct snap_task *task_at(const void *data, size_t row)
{
	return self_of(data)->tasks[row];
}

static size_t rows(const void *data)
{
	return self_of(data)->ntasks;
}

static uint64_t id(const void *data, size_t row)
{
	return task_row_id(task_at(data, row));
}

static const char *preempter(const void *data, size_t row)
{
	const struct snap_task *task = task_at(data, row);

	return task->npreempters ? task->preempters[0].comm : "";
}

static void text(const void *data, size_t row, char *out, size_t room)
{
	const struct snap_task *task = task_at(data, row);
	char name[128];

	task_name(self_of(data)->view.snap, task, name, sizeof(name));
	snprintf(out, room, "%s %d %d %s", name, task->pid, task->tid, preempter(data, row));
}

static bool is_rest(const void *data, size_t row)
{
	return task_at(data, row) == &self_of(data)->view.snap->rest;
}

static bool is_quiet(const void *data, size_t row)
{
	const struct snap_task *task = task_at(data, row);

	return task->switch_rate <= 0 && task->slice.count == 0 && task->wait.count == 0;
}

/* --- columns ---------------------------------------------------------------------------------- */

static const char *comm(const void *data, size_t row)
{
	return task_at(data, row)->comm;
}

static void draw_comm(const void *data, size_t row, const struct pen *pen)
{
	const struct snap_task *task = task_at(data, row);
	struct pen copy = *pen;

	copy.role = task->is_self || is_rest(data, row) ? ROLE_DIM : pen->role;
	task_draw_name(self_of(data)->view.snap, task, &copy);
}

static double switch_rate(const void *data, size_t row)
{
	return task_at(data, row)->switch_rate;
}

static void draw_switch_rate(const void *data, size_t row, const struct pen *pen)
{
	draw_rate(pen, switch_rate(data, row), self_of(data)->mark);
}

static double preempt_rate(const void *data, size_t row)
{
	return task_at(data, row)->preempt_rate;
}

static void draw_preempt_rate(const void *data, size_t row, const struct pen *pen)
{
	draw_rate(pen, preempt_rate(data, row), self_of(data)->mark);
}

static void draw_preempter(const void *data, size_t row, const struct pen *pen)
{
	const struct snap_task *task = task_at(data, row);

	if (task->npreempters)
		task_draw_who(task->preempters[0].comm, task->preempters[0].tid, RATE_UNKNOWN, pen);
}

#define NS_OF_SECOND 1e9

/* The columns of one time each: its number in seconds, and its cell. */
#define TIME_COLUMN(name, member)                                                         \
	static double name(const void *data, size_t row)                                  \
	{                                                                                 \
		return task_at(data, row)->member;                                        \
	}                                                                                 \
                                                                                          \
	static void draw_##name(const void *data, size_t row, const struct pen *pen)      \
	{                                                                                 \
		draw_time_rate(pen, task_at(data, row)->member *NS_OF_SECOND, MARK_NONE); \
	}

TIME_COLUMN(slice_half, slice.p50)
TIME_COLUMN(slice_most, slice.p99)
TIME_COLUMN(slice_longest, slice.max)
TIME_COLUMN(wait_half, wait.p50)
TIME_COLUMN(wait_most, wait.p99)
TIME_COLUMN(wait_longest, wait.max)

static const struct column columns[] = {
	{ "task", "TASK", 3, 16, .most = 30, .draw = draw_comm, .text = comm },
	{ "switches", "SWITCH/s", 8, 8, .draw = draw_switch_rate, .number = switch_rate },
	{ "preempted", "PREEMPT/s", 9, 9, .drop = 3, .draw = draw_preempt_rate,
	  .number = preempt_rate },
	{ "slice", "SLICE", 6, 6, .drop = 4, .draw = draw_slice_half, .number = slice_half },
	{ "slice99", "SLICE99", 7, 7, .drop = 7, .draw = draw_slice_most, .number = slice_most },
	{ "slicemax", "SLICEMAX", 8, 8, .drop = 8, .draw = draw_slice_longest,
	  .number = slice_longest },
	{ "wait", "WAIT", 6, 6, .drop = 2, .draw = draw_wait_half, .number = wait_half },
	{ "wait99", "WAIT99", 6, 6, .drop = 1, .draw = draw_wait_most, .number = wait_most },
	{ "waitmax", "WAITMAX", 7, 7, .drop = 6, .draw = draw_wait_longest,
	  .number = wait_longest },
	{ "by", "PREEMPTED BY", 12, 15, .most = 30, .drop = 5, .draw = draw_preempter,
	  .text = preempter },
};

static void sum(void *data, const size_t *marked, size_t count)
{
	struct switches_view *self = data;
	const struct snap_task **tasks = xcalloc(count, sizeof(struct snap_task *));

	for (size_t i = 0; i < count; i++)
		tasks[i] = self->tasks[marked[i]];
	task_sum_of(&self->sum, self->view.snap, tasks, count);
	free(tasks);
	self->tasks[self->ntasks] = &self->sum.task;
}

static const struct table_ops table = {
	.columns = columns,
	.ncolumns = sizeof(columns) / sizeof(columns[0]),
	.rows = rows,
	.id = id,
	.text = text,
	.is_last = is_rest,
	.is_quiet = is_quiet,
	.quiet = "tasks without switches",
	.sum = sum,
	.empty = "no switch was seen yet",
};

static void take(struct view *view)
{
	struct switches_view *self = (struct switches_view *)view;
	const struct snapshot *snap = view->snap;

	self->ntasks = 0;
	self->tasks =
		xreallocarray(self->tasks, snap->ntasks + 2, sizeof(const struct snap_task *));
	self->mark = snap_switches_are_at_least(snap) ? MARK_AT_LEAST : MARK_NONE;
	for (size_t i = 0; i < snap->ntasks && snap->has_switches; i++) {
		if (snap->tasks[i].tid != 0)
			self->tasks[self->ntasks++] = &snap->tasks[i];
	}
	if (snap->rest.switch_rate > 0)
		self->tasks[self->ntasks++] = &snap->rest;
	table_update(&view->table);
}

static void fini(struct view *view)
{
	struct switches_view *self = (struct switches_view *)view;

	task_sum_fini(&self->sum);
	free(self->tasks);
}

/* --- the lines around the table --------------------------------------------------------------- */

#define TIME_MOST_S 1e9 /* a saved snapshot can hold any number */

static const char *time_text(double seconds, char out[FMT_MAX])
{
	bool is_known = seconds >= 0 && seconds < TIME_MOST_S;

	return is_known ? fmt_ns(out, (uint64_t)(seconds * NS_OF_SECOND)) : "-";
}

static void draw_sums(const struct snapshot *snap, const struct pen *pen)
{
	char half[FMT_MAX], most[FMT_MAX], wait_half[FMT_MAX], wait_most[FMT_MAX], max[FMT_MAX];
	char words[256];

	snprintf(words, sizeof(words),
		 "all tasks   slice %s (99%%: %s)   wait %s (99%%: %s, longest %s)",
		 time_text(snap->slice.p50, half), time_text(snap->slice.p99, most),
		 time_text(snap->wait.p50, wait_half), time_text(snap->wait.p99, wait_most),
		 time_text(snap->wait.max, max));
	draw_left(pen, words);
}

static void draw_what_is_missing(const struct snapshot *snap, const struct pen *pen)
{
	struct pen dim = draw_in_role(pen, ROLE_DIM);
	const char *words =
		!snap->has_switches ?
			"switch records are not collected here" :
		!snap->has_wakeups ?
			"waits after preemption only: sched:sched_wakeup is not sampled" :
			"wait: from a wakeup or preemption to the next turn";

	draw_left(&dim, words);
}

/* "512ns ▁▂▇▅▂▁ 8.2ms", a cell for each doubling. */
static void draw_octaves(const struct snap_span *span, const struct pen *pen)
{
	double values[HISTOGRAM_OCTAVES], most = 0;
	size_t first = 0, last = HISTOGRAM_OCTAVES - 1;
	char from[FMT_MAX], to[FMT_MAX];
	struct pen at = *pen;

	while (first < last && span->octaves[first] == 0)
		first++;
	while (last > first && span->octaves[last] == 0)
		last--;
	for (size_t i = first; i <= last; i++) {
		values[i - first] = (double)span->octaves[i];
		most = fmax(most, values[i - first]);
	}
	fmt_ns(from, first == 0 ? 0 : 1ull << (HISTOGRAM_LEAST + first - 1));
	fmt_ns(to, 1ull << (HISTOGRAM_LEAST + last));
	draw_left(&at, from);
	at.x += (int)text_width(from) + 1;
	at.width = (int)(last - first) + 1;
	draw_levels(&at, values, last - first + 1, most, false);
	at.x += at.width + 1;
	at.width = pen->x + pen->width - at.x;
	draw_left(&at, to);
}

/* What a histogram takes at most: two times of 7 cells, blanks, and a cell for each doubling. */
#define OCTAVES_CELLS (HISTOGRAM_OCTAVES + 16)

static void draw_span(const char *title, const struct snap_span *span, const struct pen *pen)
{
	int used = (int)text_width(title) + 1;
	struct pen rest = *pen;

	rest.x += used;
	rest.width -= used;
	if (rest.width < OCTAVES_CELLS)
		return;
	draw_left(pen, title);
	if (span->octaves)
		draw_octaves(span, &rest);
	else
		draw_left(&rest, draw_glyph(GLYPH_DASH, pen->is_ascii));
}

/* How long the task's slices and waits were, on two lines. */
static void draw_spans(const struct snapshot *snap, const struct snap_task *task,
		       const struct pen *pen)
{
	struct pen name = *pen, slice = *pen, wait;

	name.width = LABEL_CELLS;
	task_draw_name(snap, task, &name);
	slice.x += LABEL_CELLS + 1;
	slice.width -= LABEL_CELLS + 1;
	wait = slice;
	wait.y++;
	draw_span("slice", &task->slice, &slice);
	draw_span("wait ", &task->wait, &wait);
}

static void draw_around(const struct view *view, int below, int height, struct pen pen)
{
	size_t row = table_row(&view->table);
	const struct snap_task *task = row == TABLE_NO_ROW ? NULL : task_at(view, row);

	draw_sums(view->snap, &pen);
	pen.y++;
	draw_what_is_missing(view->snap, &pen);
	pen.y += height - below - 1;
	if (task)
		draw_spans(view->snap, task, &pen);
	pen.y += SPANS_LINES;
	timeline_draw(view->snap, task, below - SPANS_LINES, &pen);
}

/* Lines under the table, of all `height`; the timeline leaves it enough. */
static int lines_below(const struct view *view, int height)
{
	int rows = table_lines(&view->table), most = height / 3;

	if (rows > ROWS_ENOUGH)
		rows = ROWS_ENOUGH;
	if (most > height - ABOVE - SPANS_LINES - rows)
		most = height - ABOVE - SPANS_LINES - rows;
	if (most > TIMELINE_MOST)
		most = TIMELINE_MOST;
	return SPANS_LINES + timeline_lines(view->snap, most);
}

static void draw_view(struct view *view, struct canvas *canvas, struct rect at)
{
	struct pen pen = { .canvas = canvas,
			   .x = at.x + TABLE_MARGIN,
			   .y = at.y,
			   .width = at.width - TABLE_MARGIN,
			   .is_ascii = view->is_ascii };

	if (view->snap && at.height >= ABOVE + LINES_LEAST + SPANS_LINES) {
		int below = lines_below(view, at.height);

		draw_around(view, below, at.height, pen);
		at.y += ABOVE;
		at.height -= ABOVE + below;
	}
	table_draw(&view->table, canvas, at, view->is_ascii);
}

static int lines(struct view *view, int width)
{
	int wanted = table_lines(&view->table);

	(void)width;
	if (wanted < LINES_LEAST)
		wanted = LINES_LEAST;
	return ABOVE + wanted + (view->snap ? lines_below(view, TIMELINE_MOST * 3) : 0);
}

/* --- the rest --------------------------------------------------------------------------------- */

static const struct snap_task *selected_task(const struct view *view)
{
	size_t row = table_row(&view->table);

	return row == TABLE_NO_ROW ? NULL : task_at(view, row);
}

static struct view *into(struct view *view)
{
	return view_task_new(view->snap, selected_task(view), view->is_ascii);
}

static const enum action hints[] = {
	ACTION_ENTER,  ACTION_FILTER, ACTION_SORT_PREV, ACTION_SORT_NEXT,
	ACTION_FREEZE, ACTION_SAVE,   ACTION_NONE,
};

const struct view_ops *view_switches(void)
{
	static const struct view_ops ops = {
		.name = "switches",
		.title = "Switches",
		.size = sizeof(struct switches_view),
		.table = &table,
		.sort = "switches",
		.hints = hints,
		.enter = "into task",
		.take = take,
		.draw = draw_view,
		.lines = lines,
		.into = into,
		.task = selected_task,
		.fini = fini,
	};

	return &ops;
}
