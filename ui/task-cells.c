/* SPDX-License-Identifier: MIT */
#include "ui/task-cells.h"

#include "base/fmt.h"
#include "base/text.h"
#include "ui/event-cells.h"
#include "ui/event-interest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define AFTER_MAX  32
#define QUIET_CPU  0.0005 /* of a CPU: shown as 0.0 % */
#define NAME_BYTES 96

/* `name`, cut so that `after` fits; after the last cell. */
static int draw_with(const char *name, const char *after, const struct pen *pen)
{
	char safe[NAME_BYTES];
	struct pen first = *pen, rest = *pen;
	int most = pen->width - (int)text_width(after);

	text_safe(safe, sizeof(safe), name, strlen(name));
	int cells = (int)text_width(safe);
	first.width = cells < most ? cells : most > 0 ? most : 0;
	draw_left(&first, name);
	rest.x += first.width;
	rest.width -= first.width;
	draw_left(&rest, after);
	return first.width + (int)text_width(after);
}

static void put_several(double born, uint64_t ntasks, bool is_ascii, char after[AFTER_MAX])
{
	const char *times = is_ascii ? "x" : "×";
	char number[FMT_MAX];

	if (born > 0)
		snprintf(after, AFTER_MAX, " %s%s/s", times, fmt_rate(number, born));
	else if (ntasks > 0)
		snprintf(after, AFTER_MAX, " %s%s", times, fmt_count(number, ntasks));
	else
		snprintf(after, AFTER_MAX, " %s", times);
}

int task_draw_who(const char *comm, int32_t tid, double born, const struct pen *pen)
{
	char after[AFTER_MAX];

	if (tid >= 0)
		snprintf(after, sizeof(after), " %d", tid);
	else
		put_several(born, 0, pen->is_ascii, after);
	return draw_with(comm[0] ? comm : "?", after, pen);
}

static void put_process(const struct snap_task *task, bool is_ascii, char after[AFTER_MAX])
{
	char number[FMT_MAX];

	snprintf(after, AFTER_MAX, " %d %s%s%s", task->pid, is_ascii ? "x" : "×",
		 fmt_count(number, task->ntasks), task->is_self ? " self" : "");
}

int task_draw_name(const struct snapshot *snap, const struct snap_task *task, const struct pen *pen)
{
	char name[NAME_BYTES], after[AFTER_MAX] = "";

	task_name(snap, task, name, sizeof(name));
	if (task->is_process)
		put_process(task, pen->is_ascii, after);
	else if (task->tid > 0)
		snprintf(after, sizeof(after), " %d%s", task->tid, task->is_self ? " self" : "");
	else if (task->tid < 0 && task->comm[0] && task != &snap->rest)
		put_several(task->born, task->ntasks, pen->is_ascii, after);
	return draw_with(name, after, pen);
}

void task_rest_name(const struct snap_task *rest, char *out, size_t room)
{
	if (rest->ntasks > 0)
		snprintf(out, room, "other %llu tasks", (unsigned long long)rest->ntasks);
	else
		snprintf(out, room, "others");
}

void task_draw_rest_name(const struct snap_task *rest, const struct pen *pen)
{
	char name[NAME_BYTES];

	task_rest_name(rest, name, sizeof(name));
	draw_left(pen, name);
}

void task_name(const struct snapshot *snap, const struct snap_task *task, char *out, size_t room)
{
	if (task == &snap->rest)
		task_rest_name(task, out, room);
	else if (task->tid == 0)
		snprintf(out, room, "idle");
	else
		snprintf(out, room, "%s", task->comm[0] ? task->comm : "?");
}

uint64_t task_row_id(const struct snap_task *task)
{
	if (task->tid < 0 && task->comm[0] && !task->is_process)
		return event_id(task->comm) ^ (uint64_t)(uint32_t)task->ppid << 32;
	return (uint64_t)(uint32_t)task->pid << 32 | (uint32_t)task->tid;
}

uint64_t task_row_id_of_process(int32_t pid)
{
	return (uint64_t)(uint32_t)pid << 32 | UINT32_MAX;
}

bool task_is_child_of(const struct snap_task *task, const struct snap_task *parent)
{
	return task->tid < 0 && task->ppid > 0 && task->ppid == parent->pid &&
	       (parent->pid == parent->tid || parent->is_process);
}

void task_draw_id(const struct pen *pen, int32_t id)
{
	char digits[16];

	if (id < 0) {
		draw_unknown(pen);
		return;
	}
	snprintf(digits, sizeof(digits), "%d", id);
	draw_right(pen, digits);
}

bool task_rate_is_known(const struct snap_task_event *of)
{
	return !of->is_estimated || of->samples > 0;
}

void task_draw_rate(const struct snapshot *snap, const struct snap_task_event *of,
		    const struct pen *pen)
{
	if (!task_rate_is_known(of))
		draw_unknown(pen);
	else
		event_put_rate(&snap->events[of->event], of->rate,
			       event_mark_samples(of->is_estimated, of->samples), pen);
}

void task_draw_total(const struct snapshot *snap, const struct snap_task_event *of,
		     const struct pen *pen)
{
	event_put_total(&snap->events[of->event], of->total,
			of->is_total_estimated ? MARK_ESTIMATE : MARK_NONE, pen);
}

double task_share(const struct snapshot *snap, const struct snap_task_event *of)
{
	double whole = snap->events[of->event].rate;

	return whole > 0 && of->rate >= 0 ? fmin(of->rate / whole, 1) : RATE_UNKNOWN;
}

void task_draw_share(const struct snapshot *snap, const struct snap_task_event *of,
		     const struct pen *pen)
{
	if (event_mark_samples(of->is_estimated, of->samples) != MARK_ROUGH)
		draw_share(pen, task_share(snap, of), MARK_NONE);
}

double task_event_work(const struct snapshot *snap, const struct snap_task_event *of)
{
	return event_work(&snap->events[of->event], of->rate);
}

const struct snap_task_event *task_top_event(const struct snapshot *snap,
					     const struct snap_task *task)
{
	const struct snap_task_event *best = NULL;
	double most = -1;

	for (size_t i = 0; i < task->nevents; i++) {
		const struct snap_task_event *of = &task->events[i];

		if (snap_event_is_clock(&snap->events[of->event]))
			continue;
		double work = task_event_work(snap, of);
		if (!best || work > most || (work == most && of->total > best->total)) {
			best = of;
			most = work;
		}
	}
	return best;
}

bool task_row_is_quiet(const struct snap_task *task)
{
	if (task->recent_cpu >= QUIET_CPU || task->on_cpu >= QUIET_CPU || task->switch_rate > 0)
		return false;
	for (size_t i = 0; i < task->nevents; i++) {
		if (task->events[i].count > 0)
			return false;
	}
	return true;
}
