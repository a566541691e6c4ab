/* SPDX-License-Identifier: MIT */
/*
 * The lines around the rows: the views, the message or a note, and the keys that
 * work here.
 */
#include "base/text.h"
#include "ui/keys.h"
#include "ui/state.h"
#include "ui/task-cells.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The cells from x to `end` of the pen's line. */
static void mark(const struct pen *pen, int x, int end, enum spot_kind kind, long value)
{
	struct rect at = { .x = x, .y = pen->y, .width = end - x, .height = 1 };

	spots_mark(&pen->canvas->spots, &(struct spot){ .at = at, .kind = kind, .value = value });
}

/* --- views ------------------------------------------------------------------------------------ */

#define TAB_GAP	     2
#define FILTER_LEAST 16 /* cells for a filter beside the views */

static int tabs_width(const struct ui *ui)
{
	int width = 0;

	for (size_t i = 0; i < UI_VIEWS; i++)
		width += 2 + (int)text_width(ui->views[i]->ops->title) + (i ? TAB_GAP : 0);
	return width;
}

static int draw_tabs(const struct ui *ui, const struct pen *pen)
{
	int x = pen->x;

	for (size_t i = 0; i < UI_VIEWS; i++) {
		bool is_here = i == ui->at;

		x += i ? TAB_GAP : 0;
		int from = x;
		x = canvas_printf(pen->canvas, x, pen->y, -1, ROLE_KEY, "%zu", i + 1) + 1;
		x = canvas_put(pen->canvas, x, pen->y, -1, is_here ? ROLE_SELECTED : ROLE_DIM,
			       ui->views[i]->ops->title);
		mark(pen, from, x, SPOT_VIEW, (long)i);
	}
	return x;
}

/* Of the path to the view on top, from 0 to ui->nover. */
static const char *crumb_at(const struct ui *ui, size_t at)
{
	return at == 0 ? ui->views[ui->at]->ops->title : view_crumb(ui->over[at - 1]);
}

static int crumb_width(const struct ui *ui, size_t at)
{
	const char *crumb = crumb_at(ui, at);
	char safe[4 * VIEW_CRUMB_MAX];

	text_safe(safe, sizeof(safe), crumb, strlen(crumb));
	return (int)text_width(safe);
}

static int crumbs_width(const struct ui *ui, size_t from)
{
	int width = from > 0 ? 1 : -3;

	for (size_t i = from; i <= ui->nover; i++)
		width += 3 + crumb_width(ui, i);
	return width;
}

/* "Events › sched:sched_switch › Help"; of a path that is too long, the end. */
static int draw_crumbs(const struct ui *ui, const struct pen *pen)
{
	struct pen at = *pen;
	size_t from = 0;

	while (from < ui->nover && crumbs_width(ui, from) > pen->width)
		from++;
	at.role = ROLE_DIM;
	if (from > 0) {
		draw_left(&at, pen->is_ascii ? "~" : "…");
		at.x++;
	}
	for (size_t i = from; i <= ui->nover && at.x < pen->x + pen->width; i++) {
		if (i > 0)
			at.x = canvas_printf(pen->canvas, at.x, pen->y, pen->x + pen->width - at.x,
					     ROLE_DIM, " %s ",
					     draw_glyph(GLYPH_INTO, pen->is_ascii));
		at.width = pen->x + pen->width - at.x;
		at.role = i == ui->nover ? ROLE_HEAD : ROLE_DIM;
		draw_left(&at, crumb_at(ui, i));
		int end = at.x + crumb_width(ui, i);
		mark(pen, at.x, end, SPOT_CRUMB, (long)i);
		at.x = end;
	}
	return at.x;
}

/* What of the table's state is shown: each higher level is shorter. */
enum state_level { STATE_ALL, STATE_NO_PLACE, STATE_FILTER, STATE_LEVELS };

/* Sort, filter and which rows are on the screen; that there is no filter is said where there is room. */
static void table_state(const struct table *table, enum state_level level, char *out, size_t room)
{
	const char *filter = table_filter_text(table);
	char sort[64], place[64] = "", text[FILTER_MAX + 160];
	bool is_filtered = filter[0], has_place = level == STATE_ALL;

	table_sort_text(table, sort, sizeof(sort));
	if (!is_filtered)
		has_place = level <= STATE_NO_PLACE;
	if (table->nscroll > table->page && has_place)
		snprintf(place, sizeof(place), "   %zu-%zu of %zu", table->top + 1,
			 table->top + table->page, table->nscroll);
	if (level == STATE_FILTER && is_filtered)
		sort[0] = '\0';
	snprintf(text, sizeof(text), "%s%s%s%s%s%s", sort[0] ? "   sort: " : "", sort,
		 is_filtered ? "   filter: " : "", filter,
		 !is_filtered && level == STATE_ALL ? "   filter: (none)" : "", place);
	text_safe(out, room, text + strspn(text, " "), strlen(text + strspn(text, " ")));
}

void tabs_draw(const struct ui *ui, const struct pen *pen)
{
	const struct table *table = &ui_top(ui)->table;
	char state[FILTER_MAX * 4];
	int filter = table_filter_text(table)[0] ? FILTER_LEAST : 0;
	bool is_wide = !ui->nover && tabs_width(ui) + filter <= pen->width;
	int x = is_wide ? draw_tabs(ui, pen) : draw_crumbs(ui, pen);
	struct pen right = *pen;

	right.x = x + TAB_GAP;
	right.width = pen->x + pen->width - right.x;
	right.role = table_filter_text(table)[0] ? ROLE_WARN : ROLE_DIM;
	for (enum state_level level = STATE_ALL; level < STATE_LEVELS; level++) {
		table_state(table, level, state, sizeof(state));
		int width = (int)text_width(state), end = right.x + right.width;

		if (width <= right.width) {
			draw_right(&right, state);
			mark(pen, end - width, end, SPOT_KEY, keys_first(&ui->keys, ACTION_FILTER));
			return;
		}
	}
	if (right.role == ROLE_WARN && right.width >= 8)
		draw_left(&right, state);
}

/* --- busy tasks ------------------------------------------------------------------------------- */

#define BUSY_MOST  16
#define BUSY_LEAST 0.005 /* of a CPU */
#define BUSY_NAME  26	 /* cells at most */

/* The busiest tasks, by the last seconds: into `out`, the first the busiest. */
static size_t find_busy(const struct snapshot *snap, const struct snap_task *out[BUSY_MOST])
{
	size_t count = 0;

	for (size_t i = 0; i < snap->ntasks; i++) {
		const struct snap_task *task = &snap->tasks[i];
		size_t at = count;

		if (task->tid == 0 || task->is_self || !(task->recent_cpu >= BUSY_LEAST))
			continue;
		while (at > 0 && out[at - 1]->recent_cpu < task->recent_cpu)
			at--;
		if (at == BUSY_MOST)
			continue;
		count += count < BUSY_MOST;
		memmove(&out[at + 1], &out[at],
			(count - 1 - at) * sizeof(const struct snap_task *));
		out[at] = task;
	}
	return count;
}

/* "dd 812 98%", and of short-lived tasks whose they are; nothing and 0 when there is no room. */
static int draw_busy_task(const struct snapshot *snap, const struct snap_task *task, struct pen pen)
{
	char after[64];
	int width = pen.width;

	snprintf(after, sizeof(after), " %ld%%", lround(fmin(task->recent_cpu, 1e6) * 100));
	if (task->tid < 0 && task->ppid > 0)
		snprintf(after + strlen(after), sizeof(after) - strlen(after), " (of %d)",
			 (int)task->ppid);
	if (width < 12 + (int)strlen(after))
		return 0;
	pen.width = width - (int)strlen(after);
	pen.width = pen.width > BUSY_NAME ? BUSY_NAME : pen.width;
	int cells = task_draw_name(snap, task, &pen);
	pen.role = ROLE_STRONG;
	pen.x += cells;
	pen.width = width - cells;
	draw_left(&pen, after);
	return cells + (int)strlen(after) + 2;
}

void busy_draw(const struct ui *ui, const struct pen *pen)
{
	const struct snap_task *busy[BUSY_MOST];
	size_t count = find_busy(ui->shown, busy);
	struct pen at = *pen;
	int used;

	at.role = ROLE_HEAD;
	draw_left(&at, count > 0 ? "busy now" : "busy now  nobody");
	at.role = ROLE_TEXT;
	at.x += 10;
	at.width -= 10;
	for (size_t i = 0; i < count; i++) {
		used = draw_busy_task(ui->shown, busy[i], at);
		if (used == 0)
			break;
		at.x += used;
		at.width -= used;
	}
}

/* --- messages --------------------------------------------------------------------------------- */

static void draw_prompt(const struct ui *ui, const struct pen *pen)
{
	const char *error = ui->prompt_error;
	struct pen line = *pen, wrong = *pen;
	int cells = (int)text_width(error);

	if (error[0] && pen->width >= 40) {
		wrong.width = cells < pen->width / 2 ? cells : pen->width / 2;
		wrong.x = pen->x + pen->width - wrong.width;
		wrong.role = ROLE_BAD;
		draw_left(&wrong, error);
		line.width -= wrong.width + 2;
	}
	prompt_draw(&ui->prompt, &line);
}

bool message_draw(const struct ui *ui, const struct pen *pen)
{
	struct pen at = *pen;

	if (prompt_is_open(&ui->prompt)) {
		draw_prompt(ui, pen);
		return true;
	}
	if (!ui->message[0])
		return false;
	at.role = ui->is_error ? ROLE_BAD : ROLE_STRONG;
	draw_left(&at, ui->message);
	return true;
}

void note_draw(const struct ui *ui, const struct pen *pen, size_t at, size_t shown)
{
	const struct snapshot *snap = ui->shown;
	struct pen rest = *pen;
	char more[64] = "";

	rest.role = ROLE_WARN;
	if (at + 1 == shown && snap->nnotes > shown && pen->width >= 40)
		snprintf(more, sizeof(more), "  (%zu more: ?)", snap->nnotes - shown);
	rest.width -= (int)strlen(more);
	draw_left(&rest, snap->notes[at]);
	rest.x += rest.width;
	rest.width = (int)strlen(more);
	draw_left(&rest, more);
}

/* --- keys ------------------------------------------------------------------------------------- */

#define HINTS_MOST 16
#define HINT_GAP   3
#define HINT_KEYS  4 /* that share a label */

struct hint {
	int32_t keys[HINT_KEYS]; /* [nkeys] */
	size_t nkeys;
	const char *label;
};

struct hints {
	struct hint list[HINTS_MOST];
	size_t count;
};

/* Adjacent keys with the same label share it: "< > sort". */
static void add_hint(const struct ui *ui, struct hints *hints, enum action action,
		     const char *label)
{
	int32_t key = keys_first(&ui->keys, action);
	struct hint *last = hints->count ? &hints->list[hints->count - 1] : NULL;

	if (key == KEYS_NONE)
		return;
	label = label ? label : action_info(action)->label;
	if (last && strcmp(last->label, label) == 0 && last->nkeys < HINT_KEYS) {
		last->keys[last->nkeys++] = key;
		return;
	}
	if (hints->count < HINTS_MOST)
		hints->list[hints->count++] = (struct hint){ { key }, 1, label };
}

static int hint_width(const struct hint *hint)
{
	size_t width = text_width(hint->label);
	char name[KEY_NAME_MAX];

	for (size_t i = 0; i < hint->nkeys; i++)
		width += text_width(keys_name(hint->keys[i], name)) + 1;
	return (int)width;
}

/* A click on a key acts as the key, and one on the label as the last of them; the column after it. */
static int draw_hint(const struct pen *pen, int x, const struct hint *hint)
{
	char name[KEY_NAME_MAX];
	int from = x;

	for (size_t i = 0; i < hint->nkeys; i++) {
		from = x;
		x = canvas_put(pen->canvas, x, pen->y, -1, ROLE_KEY,
			       keys_name(hint->keys[i], name)) +
		    1;
		mark(pen, from, x - 1, SPOT_KEY, hint->keys[i]);
	}
	x = canvas_put(pen->canvas, x, pen->y, -1, ROLE_DIM, hint->label);
	mark(pen, from, x, SPOT_KEY, hint->keys[hint->nkeys - 1]);
	return x;
}

static void draw_hints(const struct pen *pen, const struct hints *hints)
{
	int x = pen->x;

	for (size_t i = 0; i < hints->count; i++)
		x = draw_hint(pen, x, &hints->list[i]) + HINT_GAP;
}

static int hints_width(const struct hints *hints)
{
	int total = 0;

	for (size_t i = 0; i < hints->count; i++)
		total += hint_width(&hints->list[i]) + (i ? HINT_GAP : 0);
	return total;
}

static const enum action travels[] = { ACTION_EARLIER, ACTION_LATER, ACTION_GO_TO, ACTION_NONE };

static const char *freeze_label(const struct ui *ui)
{
	if (ui->is_frozen)
		return "go on";
	return ui->hooks.pause ? "pause" : NULL;
}

static void collect(const struct ui *ui, struct hints *hints)
{
	const struct view *top = ui_top(ui);

	if (ui->nover)
		add_hint(ui, hints, ACTION_BACK, NULL);
	for (const enum action *hint = travels; travel_is_offered(ui) && *hint != ACTION_NONE;
	     hint++)
		add_hint(ui, hints, *hint, NULL);
	for (const enum action *hint = top->ops->hints; hint && *hint != ACTION_NONE; hint++) {
		bool is_adding = top->ops->adds && *hint == ACTION_ENTER;

		if (*hint == ACTION_ENTER && top->ops->into && !view_can_enter(top))
			continue;
		add_hint(ui, hints, *hint,
			 is_adding && !view_adds(top) ? "open" :
			 *hint == ACTION_ENTER	      ? top->ops->enter :
			 *hint == ACTION_FREEZE	      ? freeze_label(ui) :
							NULL);
	}
	add_hint(ui, hints, ACTION_HELP, NULL);
	add_hint(ui, hints, ACTION_QUIT, NULL);
}

static void drop_last(struct hints *hints, int width)
{
	while (hints->count > 0 && hints_width(hints) > width)
		hints->count--;
}

/* Drop the view's own keys from the last one on, then quit and help. */
static void shorten(struct hints *hints, int width)
{
	while (hints->count > 2 && hints_width(hints) > width) {
		memmove(&hints->list[hints->count - 3], &hints->list[hints->count - 2],
			2 * sizeof(hints->list[0]));
		hints->count--;
	}
	drop_last(hints, width);
}

static void draw_prompt_keys(const struct ui *ui, const struct pen *pen)
{
	static const char *const enter[] = {
		[ASKING_FILTER] = "keep", [ASKING_INTERVAL] = "set", [ASKING_EVENT] = "add",
		[ASKING_TIME] = "go",	  [ASKING_USER] = "watch",   [ASKING_PROCESS] = "watch",
	};
	struct hints hints = {
		.list = { { { KEYS_ENTER }, 1, enter[ui->asking] },
			  { { KEYS_ESC }, 1, "drop" },
			  { { KEY_CTRL('U') }, 1, "clear" },
			  { { KEY_CTRL('P'), KEY_CTRL('N') }, 2, "earlier" } },
		.count = ui->recall[ui->asking].count > 0 ? 4 : 3,
	};

	drop_last(&hints, pen->width);
	draw_hints(pen, &hints);
}

void keys_draw(const struct ui *ui, const struct pen *pen)
{
	struct hints hints = { .count = 0 };

	if (prompt_is_open(&ui->prompt)) {
		draw_prompt_keys(ui, pen);
		return;
	}
	collect(ui, &hints);
	shorten(&hints, pen->width);
	draw_hints(pen, &hints);
}
