/* SPDX-License-Identifier: MIT */
#include "output/reopen-inside.h"

static void read_task_events(struct reading *reading, const struct json_value *list,
			     struct snap_task *task)
{
	struct snap_task_event *events =
		snap_alloc(reading->snap, json_count(list), sizeof(*events));

	task->events = events;
	for (const struct json_value *at = json_first(list); at != NULL; at = json_next(at)) {
		struct snap_task_event *event = &events[task->nevents];

		if (!reopen_find_event(reading, json_string(json_get(at, "name"), ""),
				       &event->event))
			continue;
		event->rate = reopen_number(at, "rate");
		event->total = reopen_count(at, "total");
		event->count = reopen_count(at, "count");
		event->samples = reopen_count(at, "samples");
		event->is_estimated = json_bool(json_get(at, "estimated"), true);
		event->is_total_estimated = json_bool(json_get(at, "total_estimated"), true);
		task->nevents++;
	}
}

void reopen_span(struct reading *reading, const struct json_value *from, struct snap_span *span)
{
	uint64_t *octaves = snap_alloc(reading->snap, HISTOGRAM_OCTAVES, sizeof(*octaves));
	const struct json_value *at = json_first(json_get(from, "octaves"));

	reopen_figures(reading, figures_spans(), from, span);
	for (size_t i = 0; i < HISTOGRAM_OCTAVES && at != NULL; i++, at = json_next(at))
		octaves[i] = json_u64(at, 0);
	span->octaves = span->count > 0 ? octaves : NULL;
}

static void read_preempters(struct reading *reading, const struct json_value *list,
			    struct snap_task *task)
{
	struct snap_preempter *preempters =
		snap_alloc(reading->snap, json_count(list), sizeof(*preempters));

	task->preempters = preempters;
	for (const struct json_value *at = json_first(list); at != NULL; at = json_next(at))
		preempters[task->npreempters++] = (struct snap_preempter){
			reopen_text(reading->snap, json_get(at, "comm"), ""),
			reopen_whole(at, "tid", -1),
			reopen_count(at, "count"),
		};
}

static void read_task(struct reading *reading, const struct json_value *from,
		      struct snap_task *task)
{
	reopen_figures(reading, figures_tasks(), from, task);
	const struct json_value *switches = json_get(from, "switches");

	reopen_figures(reading, figures_task_switches(), switches, task);
	reopen_span(reading, json_get(switches, "slice"), &task->slice);
	reopen_span(reading, json_get(switches, "wait"), &task->wait);
	read_preempters(reading, json_get(switches, "preempted_by"), task);
	read_task_events(reading, json_get(from, "events"), task);
	task->recent_cpu = task->on_cpu;
}

static void read_parents(struct reading *reading)
{
	struct snapshot *snap = reading->snap;
	const struct json_value *list = json_get(reading->root, "parents");
	struct snap_parent *parents = snap_alloc(snap, json_count(list), sizeof(*parents));

	for (const struct json_value *at = json_first(list); at != NULL; at = json_next(at))
		reopen_figures(reading, figures_parents(), at, &parents[snap->nparents++]);
	snap->parents = parents;
}

/* The list of this key; their rates are elsewhere. */
static struct snap_task *read_task_list(struct reading *reading, const char *key, size_t *count)
{
	const struct json_value *list = json_get(reading->root, key);
	struct snap_task *tasks = snap_alloc(reading->snap, json_count(list), sizeof(*tasks));

	for (const struct json_value *at = json_first(list); at != NULL; at = json_next(at)) {
		tasks[*count].rate = RATE_UNKNOWN;
		read_task(reading, at, &tasks[(*count)++]);
	}
	return tasks;
}

/* Their shares in the last seconds; files of earlier versions lack them. */
static void read_recent(const struct reading *reading, const char *key, struct snap_task *tasks,
			size_t count)
{
	const struct json_value *list = json_get(reading->saved, key);
	const struct json_value *at = json_first(list);

	for (size_t i = 0; list != NULL && i < count; i++, at = json_next(at))
		tasks[i].recent_cpu = json_number(at, RATE_UNKNOWN);
}

void reopen_tasks(struct reading *reading)
{
	struct snapshot *snap = reading->snap;
	const struct json_value *rate = json_first(json_get(reading->saved, "task_rates"));
	struct snap_task *tasks = read_task_list(reading, "tasks", &snap->ntasks);
	struct snap_task *processes = read_task_list(reading, "processes", &snap->nprocesses);

	snap->tasks = tasks;
	for (size_t i = 0; i < snap->ntasks; i++, rate = json_next(rate))
		tasks[i].rate = json_number(rate, RATE_UNKNOWN);
	read_recent(reading, "task_recent", tasks, snap->ntasks);
	read_recent(reading, "process_recent", processes, snap->nprocesses);
	snap->processes = processes;
	for (size_t i = 0; i < snap->nprocesses; i++)
		processes[i].is_process = true;
	read_task(reading, json_get(reading->root, "rest"), &snap->rest);
	snap->rest.recent_cpu = RATE_UNKNOWN;
	read_parents(reading);
	if (snap->ntasks_known < snap->ntasks)
		snap->ntasks_known = snap->ntasks;
}
