/* SPDX-License-Identifier: MIT */
#include "model/tasks.h"

#include <stdlib.h>
#include <string.h>

#include "base/apart.h"
#include "base/xalloc.h"
#include "model/spans.h"

/* Rows are in `all`; `index` is a hash table by tid (open addressing, at most half full). */
struct tasks {
	struct task **all;
	size_t count, room;
	uint32_t *index; /* position in `all` plus one; 0: empty */
	size_t mask;
	struct task *last; /* the one found last: most often also the next one; NULL: not known */
};

struct tasks *tasks_new(void)
{
	struct tasks *tasks = xcalloc(1, sizeof(*tasks));

	tasks->mask = 1023;
	tasks->index = xcalloc(tasks->mask + 1, sizeof(*tasks->index));
	return tasks;
}

static void forget_facts(struct task *task)
{
	free(task->command);
	free(task->cgroup);
	task->command = task->cgroup = NULL;
	task->parent[0] = '\0';
	task->facts_ns = 0;
}

static void task_free(struct task *task)
{
	forget_facts(task);
	task_free_events(task);
	free(task->spans);
	free(task);
}

void tasks_free(struct tasks *tasks)
{
	if (tasks == NULL)
		return;

	for (size_t i = 0; i < tasks->count; i++)
		task_free(tasks->all[i]);
	free(tasks->all);
	free(tasks->index);
	free(tasks);
}

static size_t place(const struct tasks *tasks, int32_t tid)
{
	return ((uint32_t)tid * 0x9e3779b1u >> 8) & tasks->mask;
}

/* The tid's position in the index, or the empty one where it belongs. */
static size_t locate(const struct tasks *tasks, int32_t tid)
{
	size_t at = place(tasks, tid);

	while (tasks->index[at] != 0 && tasks->all[tasks->index[at] - 1]->tid != tid)
		at = (at + 1) & tasks->mask;
	return at;
}

static void rebuild_index(struct tasks *tasks)
{
	while (tasks->count * 2 >= tasks->mask + 1)
		tasks->mask = tasks->mask * 2 + 1;
	free(tasks->index);
	tasks->index = xcalloc(tasks->mask + 1, sizeof(*tasks->index));
	for (size_t i = 0; i < tasks->count; i++)
		tasks->index[locate(tasks, tasks->all[i]->tid)] = (uint32_t)i + 1;
}

struct task *tasks_find(const struct tasks *tasks, int32_t tid)
{
	size_t at = locate(tasks, tid);

	return tasks->index[at] != 0 ? tasks->all[tasks->index[at] - 1] : NULL;
}

/* Append a row and index it by its tid, in place of an older row of the same tid. */
static struct task *append(struct tasks *tasks, int32_t pid, int32_t tid)
{
	if (tasks->count == tasks->room) {
		tasks->room = tasks->room == 0 ? 256 : tasks->room * 2;
		tasks->all = xreallocarray(tasks->all, tasks->room, sizeof(struct task *));
	}

	struct task *task = xcalloc(1, sizeof(*task));
	task->pid = pid;
	task->tid = tid;
	tasks->all[tasks->count++] = tasks->last = task;
	if (tasks->count * 2 >= tasks->mask + 1)
		rebuild_index(tasks); /* of rows with the same tid the last one is indexed */
	else
		tasks->index[locate(tasks, tid)] = (uint32_t)tasks->count;
	return task;
}

static struct task *get_others(struct tasks *tasks)
{
	struct task *others = tasks_find(tasks, TASK_OTHERS);

	if (others != NULL)
		return others;
	others = append(tasks, TASK_OTHERS, TASK_OTHERS);
	task_set_comm(others, "others", strlen("others"));
	others->is_sought = true;
	return others;
}

static APART struct task *get_other(struct tasks *tasks, int32_t pid, int32_t tid)
{
	struct task *task = tasks_find(tasks, tid);
	if (task == NULL && tasks->count >= TASKS_ROOM)
		return get_others(tasks);
	if (task == NULL)
		return append(tasks, pid, tid);
	tasks->last = task;
	return task;
}

struct task *tasks_get(struct tasks *tasks, int32_t pid, int32_t tid)
{
	if (tasks->last != NULL && tasks->last->tid == tid)
		return tasks->last;
	return get_other(tasks, pid, tid);
}

struct task *tasks_renew(struct tasks *tasks, struct task *task)
{
	if (tasks->count >= TASKS_ROOM)
		return task;
	task->is_exited = true;

	struct task *renewed = append(tasks, task->pid, task->tid);
	memcpy(renewed->comm, task->comm, sizeof(renewed->comm));
	renewed->is_sought = task->is_sought;
	renewed->on_since_ns = task->on_since_ns;
	renewed->on_slot = task->on_slot;
	return renewed;
}

void task_set_comm(struct task *task, const char *name, size_t len)
{
	if (len >= sizeof(task->comm))
		len = sizeof(task->comm) - 1;
	memcpy(task->comm, name, len);
	task->comm[len] = '\0';
	forget_facts(task);
}

/* --- a task's events -------------------------------------------------------------------------- */

/* More events than this have a hash table. */
#define EVENTS_FEW 8

/* The event's position in the hash table, or the empty one where it belongs. */
static uint32_t *position_of(const struct task *task, uint32_t event)
{
	/* Numbers of events are small and follow each other: they need no hashing. */
	uint32_t at = event & task->positions_mask;

	while (task->positions[at] != 0 && task->events[task->positions[at] - 1].event != event)
		at = (at + 1) & task->positions_mask;
	return &task->positions[at];
}

/* At most half full. */
static void rebuild_positions(struct task *task)
{
	uint32_t room = task->positions == NULL ? EVENTS_FEW * 4 : (task->positions_mask + 1) * 2;

	free(task->positions);
	task->positions = xcalloc(room, sizeof(*task->positions));
	task->positions_mask = room - 1;
	for (uint32_t i = 0; i < task->nevents; i++)
		*position_of(task, task->events[i].event) = i + 1;
}

/* The event's index in `events`, or nevents. */
static uint32_t find_event(const struct task *task, uint32_t event)
{
	uint32_t at = 0;

	if (task->positions != NULL) {
		at = *position_of(task, event);
		return at != 0 ? at - 1 : task->nevents;
	}
	while (at < task->nevents && task->events[at].event != event)
		at++;
	return at;
}

static void append_event(struct task *task, uint32_t event)
{
	task->events = xreallocarray(task->events, task->nevents + 1, sizeof(*task->events));
	task->events[task->nevents++] = (struct task_event){ .event = event };
	if (task->positions != NULL)
		*position_of(task, event) = task->nevents;
	if (task->positions == NULL ? task->nevents > EVENTS_FEW :
				      task->nevents * 2 > task->positions_mask)
		rebuild_positions(task);
}

struct task_event *task_find_event(struct task *task, uint32_t event)
{
	task->last = find_event(task, event);
	if (task->last == task->nevents)
		append_event(task, event);
	return &task->events[task->last];
}

void task_clear_events(struct task *task)
{
	task->nevents = task->last = 0;
	if (task->positions != NULL)
		memset(task->positions, 0, (task->positions_mask + 1) * sizeof(*task->positions));
}

void task_free_events(struct task *task)
{
	free(task->positions);
	free(task->events);
}

static void share_add(struct task_share *sum, const struct task_share *share)
{
	sum->weight += share->weight;
	sum->samples += share->samples;
}

void task_add(struct task *sum, const struct task *task)
{
	sum->switches += task->switches;
	sum->preempted += task->preempted;
	sum->on_cpu_ns += task->on_cpu_ns;
	sum->voluntary += task->voluntary;
	sum->involuntary += task->involuntary;
	for (uint32_t i = 0; i < task->nevents; i++) {
		struct task_event *event = task_event_of(sum, task->events[i].event);

		event->total += task->events[i].total;
		share_add(&event->interval, &task->events[i].interval);
	}
}

void task_fade(struct task *task, double fade)
{
	task->recent_cpu = task->recent_cpu * fade + (double)task->on_cpu_ns / 1e9;
	for (uint32_t i = 0; i < task->nevents; i++) {
		struct task_event *event = &task->events[i];

		event->recent = event->recent * fade + (double)event->interval.weight;
		event->recent_samples =
			event->recent_samples * fade + (double)event->interval.samples;
	}
}

void tasks_go_on(struct tasks *tasks)
{
	for (size_t i = 0; i < tasks->count; i++) {
		struct task *task = tasks->all[i];

		if (!task->is_next_busy)
			continue;
		for (uint32_t k = 0; k < task->nevents; k++) {
			share_add(&task->events[k].interval, &task->events[k].next);
			task->events[k].next = (struct task_share){ 0 };
		}
		task->is_next_busy = false;
	}
}

size_t tasks_count(const struct tasks *tasks)
{
	return tasks->count;
}

struct task *const *tasks_all(const struct tasks *tasks)
{
	return tasks->all;
}

bool task_is_quiet(const struct task *task)
{
	return !task->is_busy && task->switches == 0 && task->on_cpu_ns == 0;
}

static void clear_interval(struct task *task)
{
	for (uint32_t i = 0; i < task->nevents; i++) {
		task->events[i].interval = task->events[i].next;
		task->events[i].next = (struct task_share){ 0 };
	}
	task->is_busy = task->is_next_busy;
	task->is_next_busy = false;
	task->switches = task->preempted = 0;
	task->on_cpu_ns = 0;
	task->is_new = false;
}

void tasks_sweep(struct tasks *tasks, void (*forget)(void *ctx, const struct task *task), void *ctx)
{
	bool is_crowded = tasks->count > TASKS_MAX;
	size_t kept = 0;

	tasks->last = NULL;
	for (size_t i = 0; i < tasks->count; i++) {
		struct task *task = tasks->all[i];

		/* An exited task that was busy in this interval is kept for one more. */
		if (task_is_quiet(task) && (task->is_exited || is_crowded)) {
			forget(ctx, task);
			task_free(task);
			continue;
		}
		clear_interval(task);
		tasks->all[kept++] = task;
	}
	if (kept != tasks->count) {
		tasks->count = kept;
		rebuild_index(tasks);
	}
}

void tasks_age(struct tasks *tasks)
{
	for (size_t i = 0; i < tasks->count; i++)
		spans_age(&tasks->all[i]->spans);
}

void tasks_zero(struct tasks *tasks)
{
	for (size_t i = 0; i < tasks->count; i++) {
		struct task *task = tasks->all[i];

		for (uint32_t k = 0; k < task->nevents; k++)
			task->events[k].total = 0;
		task->voluntary = 0;
		task->involuntary = 0;
		free(task->spans);
		task->spans = NULL;
	}
}
