/* SPDX-License-Identifier: MIT */
#include "ui/timeline.h"

#include "base/fmt.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "ui/task-cells.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LABEL_CELLS 7
#define LEAST_CELLS 10 /* below this there is nothing to see */
#define LETTERS	    24 /* runners with a letter of their own: those with the most time */
#define OTHER	    '+'
#define HEATS	    (ROLE_HEAT5 - ROLE_HEAT1 + 1) /* colours; letters tell all apart */
#define SHORT	    50				  /* percent of a slot: below, its letter is dim */

struct letter {
	uint16_t runner;  /* index into the snapshot's */
	uint64_t percent; /* sum over the slots that are shown */
	char letter;	  /* or '\0' */
	enum role role;
};

struct letters {
	struct letter *all; /* [nrunners] by time, the most first */
	size_t count;	    /* of those with any */
	struct letter **of; /* [nrunners] in the order of the snapshot */
};

/* --- letters ---------------------------------------------------------------------------------- */

static int by_time(const void *a, const void *b)
{
	const struct letter *left = a, *right = b;

	if (left->percent != right->percent)
		return left->percent > right->percent ? -1 : 1;
	return left->runner < right->runner ? -1 : left->runner > right->runner;
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The first of its name that is free, or any other. */
static char free_letter(const char *comm, const char *used)
{
	static const char all[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	const char *other = all;

	for (; *comm; comm++) {
		if (is_letter(*comm) && !strchr(used, *comm))
			return *comm;
	}
	while (strchr(used, *other)) /* there are more than LETTERS */
		other++;
	return *other;
}

/* By tid, so that letters stay the same while the tasks do; short-lived ones take what is left. */
static bool is_before(const struct snap_runner *a, const struct snap_runner *b)
{
	return (uint32_t)a->tid < (uint32_t)b->tid;
}

/* The first of [count] without a letter; NULL: all have one. */
static struct letter *next_letter(const struct snapshot *snap, struct letter *all, size_t count)
{
	struct letter *next = NULL;

	for (size_t i = 0; i < count; i++) {
		if (!all[i].letter && (!next || is_before(&snap->runners[all[i].runner],
							  &snap->runners[next->runner])))
			next = &all[i];
	}
	return next;
}

static void give_letters(const struct snapshot *snap, struct letters *letters)
{
	size_t count = letters->count < LETTERS ? letters->count : LETTERS, given = 0;
	char used[LETTERS + 1] = "";
	struct letter *next;

	while ((next = next_letter(snap, letters->all, count))) {
		next->letter = free_letter(snap->runners[next->runner].comm, used);
		next->role = (enum role)(ROLE_HEAT1 + given % HEATS);
		used[given++] = next->letter;
	}
}

static struct letters make_letters(const struct snapshot *snap, size_t shown)
{
	struct letters letters = {
		.all = xcalloc(snap->nrunners + 1, sizeof(*letters.all)),
		.of = xcalloc(snap->nrunners + 1, sizeof(struct letter *)),
	};

	for (size_t i = 0; i < snap->nrunners; i++)
		letters.all[i].runner = (uint16_t)i;
	for (size_t cpu = 0; cpu < snap->ncpus; cpu++) {
		for (size_t i = SNAP_SLOTS - shown; snap->cpus[cpu].slots && i < SNAP_SLOTS; i++) {
			const struct snap_slot *slot = &snap->cpus[cpu].slots[i];

			if (slot->runner >= SNAP_RUNNER_FIRST)
				letters.all[slot->runner - SNAP_RUNNER_FIRST].percent +=
					slot->percent;
		}
	}
	qsort(letters.all, snap->nrunners, sizeof(*letters.all), by_time);
	for (size_t i = 0; i < snap->nrunners; i++) {
		letters.of[letters.all[i].runner] = &letters.all[i];
		letters.count += letters.all[i].percent > 0;
	}
	give_letters(snap, &letters);
	return letters;
}

static void free_letters(struct letters *letters)
{
	free(letters->all);
	free(letters->of);
}

/* --- drawing ---------------------------------------------------------------------------------- */

static bool is_of(const struct snap_runner *runner, const struct snap_task *task)
{
	if (runner->tid >= 0 || task->tid >= 0)
		return runner->tid == task->tid;
	return strcmp(runner->comm, task->comm) == 0;
}

static void draw_slot(const struct snapshot *snap, const struct letters *letters,
		      const struct snap_slot *slot, const struct snap_task *selected,
		      const struct pen *pen)
{
	const char *idle = pen->is_ascii ? "." : "·";
	struct pen cell = draw_in_role(pen, ROLE_DIM);

	if (slot->runner == SNAP_RUNNER_UNKNOWN)
		return;
	if (slot->runner == SNAP_RUNNER_IDLE) {
		draw_left(&cell, idle);
		return;
	}

	size_t runner = slot->runner - SNAP_RUNNER_FIRST;
	const struct letter *letter = letters->of[runner];
	if (letter->letter && slot->percent >= SHORT)
		cell.role = letter->role;
	if (selected && is_of(&snap->runners[runner], selected))
		cell.role = ROLE_SELECTED;
	draw_left(&cell, (char[]){ letter->letter ? letter->letter : OTHER, '\0' });
}

static void draw_row(const struct snapshot *snap, const struct letters *letters, size_t cpu,
		     size_t shown, const struct snap_task *selected, const struct pen *pen)
{
	char label[16], number[CPU_TEXT_MAX];
	struct pen cell = draw_in_role(pen, ROLE_DIM);

	snprintf(label, sizeof(label), "cpu%s", snap_cpu_text(snap->cpus[cpu].id, number));
	cell.width = LABEL_CELLS - 1;
	draw_left(&cell, label);
	cell.width = 1;
	cell.x += LABEL_CELLS;
	for (size_t i = SNAP_SLOTS - shown; snap->cpus[cpu].slots && i < SNAP_SLOTS; i++) {
		draw_slot(snap, letters, &snap->cpus[cpu].slots[i], selected, &cell);
		cell.x++;
	}
}

/* "n nginx 1203  l load 8450", as many as fit. */
static void draw_legend(const struct snapshot *snap, const struct letters *letters,
			const struct pen *pen)
{
	struct pen at = *pen, key;
	char text[FMT_MAX + 32], slot[FMT_MAX];
	int end = pen->x + pen->width;

	fmt_ns(slot, (uint64_t)(snap->slot_s * 1e9));
	snprintf(text, sizeof(text), "a cell is %s", slot);
	at.role = ROLE_DIM;
	draw_left(&at, text);
	at.role = ROLE_TEXT;
	at.x += (int)text_width(text) + 2;
	for (size_t i = 0; i < letters->count && letters->all[i].letter && at.x + 8 < end; i++) {
		const struct letter *letter = &letters->all[i];
		const struct snap_runner *runner = &snap->runners[letter->runner];

		key = draw_in_role(&at, letter->role);
		key.width = 1;
		draw_left(&key, (char[]){ letter->letter, '\0' });
		at.x += 2;
		at.width = end - at.x;
		at.x += task_draw_who(runner->comm, runner->tid, RATE_UNKNOWN, &at) + 2;
		at.width = end - at.x;
	}
}

int timeline_lines(const struct snapshot *snap, int most)
{
	size_t cpus = snap_online(snap);

	if (snap->nrunners == 0 || most < 2)
		return 0;
	return cpus < (size_t)most ? (int)cpus + 1 : most;
}

void timeline_draw(const struct snapshot *snap, const struct snap_task *selected, int lines,
		   const struct pen *pen)
{
	int room = pen->width - LABEL_CELLS;
	size_t shown = room > SNAP_SLOTS ? SNAP_SLOTS : room > 0 ? (size_t)room : 0;
	struct pen row = *pen;
	int last = pen->y + lines - 1;

	if (room < LEAST_CELLS || lines < 2)
		return;

	struct letters letters = make_letters(snap, shown);
	for (size_t cpu = 0; cpu < snap->ncpus && row.y < last; cpu++) {
		if (!snap->cpus[cpu].is_online)
			continue;
		draw_row(snap, &letters, cpu, shown, selected, &row);
		row.y++;
	}
	row.y = last;
	draw_legend(snap, &letters, &row);
	free_letters(&letters);
}
