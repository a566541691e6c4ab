/* SPDX-License-Identifier: MIT */
/*
 * Help: the notes of this run, every key, made from the table of actions, what the marks mean, and the
 * mouse.
 */
#include "ui/view.h"

#include "base/text.h"
#include "ui/keys.h"

#include <stdio.h>
#include <string.h>

#define KEYS_WIDTH     14
#define LINE_MAX_BYTES 1024

struct help_view {
	struct view view;
	const struct keymap *keys; /* borrowed */
	int width;		   /* of the last drawing: notes are wrapped to it */
};

struct term {
	const char *term, *ascii, *words;
};

static const struct term marks[] = {
	{ "~", "~", "an estimate: not every event was sampled" },
	{ "≥", ">=", "a lower bound: throttled, or with losses that are not counted" },
	{ "!", "!", "the books do not balance: total is not sampled + lost" },
	{ "↓", "v", "fewer samples than wanted, to keep the budget" },
	{ "–", "-", "not known, or not applicable; never shown as 0" },
	{ "SEEN", "SEEN", "how many of an event's occurrences are sampled: all, or 1/n" },
	{ "{1}", "{1}", "the first event of a group; of the others, how many for each of it" },
	{ "THR", "THR", "times that the kernel stopped an event for a while" },
};

static const struct term clicks[] = {
	{ "on a row", "on a row", "Select it; the selected row: Enter" },
	{ "on a title", "on a title", "Sort by that column; again: reverse the order" },
	{ "on others", "on others",
	  "Tabs, the path, the filter, keys at the bottom: what they say" },
	{ "wheel", "wheel", "Rows up and down" },
	{ "Shift", "Shift", "With it most terminals select text; or press M" },
};

static const struct {
	const char *title;
	const struct term *terms;
	size_t count;
} glossaries[] = {
	{ "Marks", marks, sizeof(marks) / sizeof(marks[0]) },
	{ "Mouse", clicks, sizeof(clicks) / sizeof(clicks[0]) },
};

#define GLOSSARY_COUNT (sizeof(glossaries) / sizeof(glossaries[0]))

/* One line of help: a title, a key, a term or a piece of a note. */
struct line {
	const char *title; /* else NULL */
	enum action action;
	const struct term *term;
	size_t note;  /* + 1; 0: none */
	size_t piece; /* which line of the note */
};

static bool begins_group(int action)
{
	return action == ACTION_NONE + 1 ||
	       strcmp(action_info((enum action)action)->group,
		      action_info((enum action)(action - 1))->group) != 0;
}

static int words_width(const struct help_view *self)
{
	int width = self->width - TABLE_MARGIN - KEYS_WIDTH - TABLE_GAP;

	return width > 20 ? width : 20;
}

/* Line number `piece` of a note: false when it has fewer lines. */
static bool note_piece(const struct help_view *self, const struct line *line, char *out,
		       size_t room)
{
	const char *note = self->view.snap->notes[line->note - 1];
	char safe[LINE_MAX_BYTES];
	const char *at = safe;

	text_safe(safe, sizeof(safe), note, strlen(note));
	for (size_t i = 0; i < line->piece; i++) {
		at += draw_line_length(at, words_width(self));
		at += strspn(at, " ");
	}
	snprintf(out, room, "%.*s", (int)draw_line_length(at, words_width(self)), at);
	return *at;
}

static bool walk_notes(const struct help_view *self, size_t *row, struct line *line)
{
	size_t notes = self->view.snap ? self->view.snap->nnotes : 0;
	char piece[LINE_MAX_BYTES];

	*line = (struct line){ .title = "Notes" };
	if (notes && (*row)-- == 0)
		return true;
	for (size_t i = 1; i <= notes; i++) {
		*line = (struct line){ .note = i };
		for (; note_piece(self, line, piece, sizeof(piece)); line->piece++)
			if ((*row)-- == 0)
				return true;
	}
	return false;
}

static bool walk_glossary(size_t number, size_t *row, struct line *line)
{
	*line = (struct line){ .title = glossaries[number].title };
	if ((*row)-- == 0)
		return true;
	for (size_t i = 0; i < glossaries[number].count; i++) {
		*line = (struct line){ .term = &glossaries[number].terms[i] };
		if ((*row)-- == 0)
			return true;
	}
	return false;
}

/* Walk to line number *row; when there are fewer lines, *row is reduced by their number. */
static bool walk(const struct help_view *self, size_t *row, struct line *line)
{
	if (walk_notes(self, row, line))
		return true;
	for (int action = ACTION_NONE + 1; action < ACTION_COUNT; action++) {
		*line = (struct line){ .title = action_info((enum action)action)->group };
		if (begins_group(action) && (*row)-- == 0)
			return true;
		*line = (struct line){ .action = (enum action)action };
		if ((*row)-- == 0)
			return true;
	}
	for (size_t i = 0; i < GLOSSARY_COUNT; i++)
		if (walk_glossary(i, row, line))
			return true;
	return false;
}

static struct line line_at(const void *data, size_t row)
{
	struct line line;

	walk(data, &row, &line);
	return line;
}

static size_t rows(const void *data)
{
	size_t left = SIZE_MAX;
	struct line line;

	walk(data, &left, &line);
	return SIZE_MAX - left;
}

static uint64_t id(const void *data, size_t row)
{
	(void)data;
	return row;
}

static void text(const void *data, size_t row, char *out, size_t room)
{
	const struct help_view *self = data;
	struct line line = line_at(data, row);
	char keys[64];

	if (line.title)
		snprintf(out, room, "%s", line.title);
	else if (line.note)
		note_piece(data, &line, out, room);
	else if (line.term)
		snprintf(out, room, "%s %s", line.term->term, line.term->words);
	else
		snprintf(out, room, "%s %s", keys_list(self->keys, line.action, keys, sizeof(keys)),
			 action_info(line.action)->help);
}

static void draw_keys(const void *data, size_t row, const struct pen *pen)
{
	const struct help_view *self = data;
	const struct line line = line_at(data, row);
	struct pen copy = *pen;
	char keys[64];

	copy.role = line.title ? ROLE_HEAD : ROLE_KEY;
	if (line.title)
		draw_left(&copy, line.title);
	else if (line.term)
		draw_left(&copy, pen->is_ascii ? line.term->ascii : line.term->term);
	else if (line.action)
		draw_left(&copy, keys_list(self->keys, line.action, keys, sizeof(keys)));
}

static void draw_note(const struct help_view *self, const struct line *line, const struct pen *pen)
{
	char piece[LINE_MAX_BYTES];

	note_piece(self, line, piece, sizeof(piece));
	draw_left(pen, piece);
}

static void draw_words(const void *data, size_t row, const struct pen *pen)
{
	const struct line line = line_at(data, row);

	if (line.note)
		draw_note(data, &line, pen);
	else if (line.term)
		draw_left(pen, line.term->words);
	else if (line.action)
		draw_left(pen, action_info(line.action)->help);
}

static const struct column columns[] = {
	{ "key", "KEY", 6, KEYS_WIDTH, .draw = draw_keys },
	{ "what", "", 4, 20, .most = 400, .draw = draw_words },
};

static const struct table_ops table = {
	.columns = columns,
	.ncolumns = sizeof(columns) / sizeof(columns[0]),
	.rows = rows,
	.id = id,
	.text = text,
};

static void draw_help(struct view *view, struct canvas *canvas, struct rect at)
{
	struct help_view *self = (struct help_view *)view;

	if (self->width != at.width) {
		self->width = at.width;
		table_update(&view->table);
	}
	table_draw(&view->table, canvas, at, view->is_ascii);
}

static const enum action hints[] = { ACTION_FILTER, ACTION_NONE };

const struct view_ops *view_help(void)
{
	static const struct view_ops ops = {
		.name = "help",
		.title = "Help",
		.size = sizeof(struct help_view),
		.table = &table,
		.hints = hints,
		.draw = draw_help,
	};

	return &ops;
}

struct view *view_help_new(const struct keymap *keys, bool is_ascii)
{
	struct view *view = view_new(view_help(), is_ascii);

	((struct help_view *)view)->keys = keys;
	return view;
}
