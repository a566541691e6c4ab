/* SPDX-License-Identifier: MIT */
#include "model/build-inside.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/* A task younger than this is short-lived so far, and part of a fold. */
#define YOUNG_NS (2 * 1000000000ull)

/* A task that is on a CPU more than this has a row, whatever --top is. */
#define BUSY_SHARE 0.01

struct rows {
	struct build_row *all;
	size_t count;
};

/* --- which rows there are --------------------------------------------------------------------- */

static bool is_short_lived(const struct task *task, uint64_t now_ns)
{
	return task->is_exited || (task->born_ns != 0 && now_ns < task->born_ns + YOUNG_NS);
}

static void fold_tasks(const struct build *build)
{
	const struct model *model = build->model;
	struct task *const *tasks = tasks_all(model->tasks);
	size_t count = tasks_count(model->tasks);

	for (size_t i = 0; i < count; i++) {
		bool is_short = is_short_lived(tasks[i], build->tick->now_ns);

		if (tasks[i]->is_folded && !is_short)
			folds_leave(model->folds, tasks[i]);
		tasks[i]->is_folded = is_short;
	}
	folds_begin(model->folds);
	for (size_t i = 0; i < count; i++) {
		if (tasks[i]->is_folded)
			folds_add(model->folds, tasks[i]);
		task_fade(tasks[i], build->fade);
	}
	folds_end(model->folds, build->fade);
}

/* At the end every fold is shown; before, those that had a task in this interval or just before it. */
static bool is_fold_shown(const struct build *build, const struct fold *fold)
{
	if (fold->ntasks == 1 && !fold->has_ended)
		return false; /* its only task has a row */
	return fold->ntasks > 0 ||
	       (fold->has_ended && (build->tick->is_final || !fold_is_quiet(fold)));
}

static bool is_task_shown(const struct build *build, const struct task *task)
{
	const struct fold *fold;

	if (!task->is_folded)
		return true;
	fold = folds_find(build->model->folds, task);
	return fold->ntasks == 1 && !fold->has_ended;
}

static struct build_row rank_row(const struct build *build, struct task *task)
{
	struct build_row row = { .task = task, .ntasks = 1 };

	for (uint32_t i = 0; i < task->nevents; i++) {
		const struct task_event *counted = &task->events[i];
		const struct model_row *of = &build->model->rows[counted->event];
		double weight = build->tick->is_final ?
					(double)counted->total * of->scale_total :
					(double)counted->interval.weight * of->scale_interval;

		if (of->is_clock)
			row.clock_ns += weight;
		else
			row.occurrences += weight;
	}
	return row;
}

static struct rows rows_new(const struct build *build)
{
	const struct model *model = build->model;
	size_t nfolds, ntasks = tasks_count(model->tasks);
	struct fold *const *folds = folds_all(model->folds, &nfolds);
	struct rows rows = { xcalloc(ntasks + nfolds + 1, sizeof(*rows.all)), 0 };

	for (size_t i = 0; i < ntasks; i++) {
		struct task *task = tasks_all(model->tasks)[i];

		if (is_task_shown(build, task))
			rows.all[rows.count++] = rank_row(build, task);
	}
	for (size_t i = 0; i < nfolds; i++) {
		if (!is_fold_shown(build, folds[i]))
			continue;
		rows.all[rows.count] = rank_row(build, &folds[i]->sum);
		rows.all[rows.count].ntasks = folds[i]->nactive;
		rows.all[rows.count++].nborn = folds[i]->nborn;
	}
	return rows;
}

/* Scaled as its figures are, so that the order is that of the figures. */
int build_by_rank(const void *a, const void *b)
{
	const struct build_row *left = a, *right = b;

	if (left->occurrences != right->occurrences)
		return left->occurrences > right->occurrences ? -1 : 1;
	if (left->clock_ns != right->clock_ns)
		return left->clock_ns > right->clock_ns ? -1 : 1;
	if (left->task->switches != right->task->switches)
		return left->task->switches > right->task->switches ? -1 : 1;
	return left->task->tid < right->task->tid ? -1 : left->task->tid > right->task->tid;
}

bool build_is_kept(const struct build *build, const struct build_row *row, size_t place)
{
	return place < build->model->config.keep.top || row->is_leader || row->is_kept ||
	       row->task->recent_cpu > BUSY_SHARE * build->model->recent_s;
}

/* --- a row's figures ------------------------------------------------------------------------- */

/* Rounded; at most UINT64_MAX, which the sum of a file's periods can exceed. */
static uint64_t whole(double value)
{
	return value < 0x1p64 ? (uint64_t)(value + 0.5) : UINT64_MAX;
}

static void build_task_events(const struct build *build, const struct task *task,
			      struct snap_task *out, double *sum)
{
	const struct model *model = build->model;
	double seconds = build->snap->interval_s;
	struct snap_task_event *events = snap_alloc(build->snap, task->nevents, sizeof(*events));

	out->events = events;
	for (uint32_t i = 0; i < task->nevents; i++) {
		const struct task_event *counted = &task->events[i];
		const struct model_row *row = &model->rows[counted->event];
		double interval = (double)counted->interval.weight * row->scale_interval;
		struct snap_task_event *event = &events[out->nevents];

		if (row->is_removed)
			continue;
		out->nevents++;
		event->event = build->indexes[counted->event];
		event->total = whole((double)counted->total * row->scale_total);
		event->count = whole(interval);
		event->samples = counted->interval.samples;
		event->is_estimated = !row->is_whole_interval;
		event->is_total_estimated = !row->is_whole_total;
		event->rate = seconds > 0 ? interval / seconds : RATE_UNKNOWN;
		if (!row->is_clock)
			*sum += interval;
		if (event->count > 0 && event->is_estimated)
			out->is_estimated = true;
	}
}

static const char *parent_name(const struct build *build, const struct task *task)
{
	const struct task *parent = task->ppid > 0 ? tasks_find(build->model->tasks, task->ppid) :
						     NULL;

	return parent != NULL && parent->tid == task->ppid ? parent->comm : task->parent;
}

void build_row(const struct build *build, const struct build_row *row, const struct spans *spans,
	       struct snap_task *out)
{
	const struct model *model = build->model;
	struct task *task = row->task;
	double seconds = build->snap->interval_s;
	bool has_switches = model->config.has_switches && seconds > 0;
	double sum = 0;

	model_seek_comm(build->model, task);
	model_seek_facts(build->model, task, build->tick->now_ns);
	out->pid = task->pid;
	out->tid = task->tid;
	out->ppid = task->ppid;
	out->parent = snap_strdup(build->snap, parent_name(build, task));
	out->command = snap_strdup(build->snap, task->command != NULL ? task->command : "");
	out->cgroup = snap_strdup(build->snap, task->cgroup != NULL ? task->cgroup : "");
	out->ntasks = row->ntasks;
	out->born = seconds > 0 ? (double)row->nborn / seconds : RATE_UNKNOWN;
	out->comm = snap_strdup(build->snap, task->comm);
	out->is_self = task->pid == model->config.self_pid;
	out->switch_rate = has_switches ? (double)task->switches / seconds : RATE_UNKNOWN;
	out->preempt_rate = has_switches ? (double)task->preempted / seconds : RATE_UNKNOWN;
	out->on_cpu = has_switches ? (double)task->on_cpu_ns / 1e9 / seconds : RATE_UNKNOWN;
	/* Can exceed 1 a little: interval ends and record times are read separately. */
	if (out->on_cpu > 1 && row->ntasks == 1 && task->tid != 0)
		out->on_cpu = 1;
	out->recent_cpu = has_switches && model->recent_s > 0 ? task->recent_cpu / model->recent_s :
								RATE_UNKNOWN;
	out->voluntary = task->voluntary;
	out->involuntary = task->involuntary;
	build_row_spans(build, spans, out);
	build_task_events(build, task, out, &sum);
	out->rate = seconds > 0 ? sum / seconds : RATE_UNKNOWN;
}

/* --- who made most of each event -------------------------------------------------------------- */

/* With less, a task does not stand for its event: most of that is idle's, or of many small tasks. */
#define LEADER_SHARE_MIN 0.05

/* What happened in less time is mostly our own start: the terminal's first output, and its worker. */
#define LEADER_WATCHED_S 0.25

struct leader {
	struct build_row *row; /* NULL: none */
	double recent, samples;
};

/* Idle is none: it is on a CPU for want of a task. */
static struct leader *find_leaders(const struct build *build, const struct rows *rows)
{
	struct leader *leaders = xcalloc(build->model->nrows + 1, sizeof(*leaders));

	for (size_t i = 0; i < rows->count; i++) {
		const struct task *task = rows->all[i].task;

		for (uint32_t k = 0; k < task->nevents && task->tid != 0; k++) {
			const struct task_event *event = &task->events[k];
			struct leader *leader = &leaders[event->event];

			if (event->recent > leader->recent)
				*leader = (struct leader){ &rows->all[i], event->recent,
							   event->recent_samples };
		}
	}
	return leaders;
}

/* In a file nothing is of our start, and after the final tick there is no better answer to wait for. */
static bool is_watched_long_enough(const struct build *build)
{
	return build->model->config.self_pid < 0 || build->snap->is_final ||
	       build->model->recent_s >= LEADER_WATCHED_S;
}

/* Of an event that is not sampled whole, few samples say too little. */
static bool is_known(const struct model_row *row, const struct leader *leader)
{
	return leader->row != NULL && row->state == EVENT_STATE_ON && row->recent > 0 &&
	       leader->recent >= LEADER_SHARE_MIN * row->recent &&
	       (row->is_whole_interval ? leader->recent >= 0.5 : leader->samples >= SAMPLES_ENOUGH);
}

static void build_leader(const struct build *build, const struct model_row *row,
			 struct leader *leader, struct snap_event *out)
{
	const struct task *task;

	out->most_share = out->most_by_born = RATE_UNKNOWN;
	out->most_by_tid = -1;
	if (!is_watched_long_enough(build) || !is_known(row, leader))
		return;
	task = leader->row->task;
	model_seek_comm(build->model, leader->row->task);
	leader->row->is_leader = true;
	out->most_by = snap_strdup(build->snap, task->comm[0] != '\0' ? task->comm : "?");
	out->most_by_tid = task->tid;
	if (task->tid < 0 && build->snap->interval_s > 0)
		out->most_by_born = (double)leader->row->nborn / build->snap->interval_s;
	out->most_share = fmin(1, leader->recent / row->recent);
}

static void build_leaders(const struct build *build, const struct rows *rows)
{
	struct model *model = build->model;
	struct leader *leaders = find_leaders(build, rows);

	for (size_t i = 0; i < build->snap->nevents; i++) {
		struct model_row *row = &model->rows[build->numbers[i]];
		struct snap_event *event = &build->events[i];

		row->recent = row->recent * build->fade + (double)event->count;
		build_leader(build, row, &leaders[build->numbers[i]], event);
	}
	free(leaders);
}

/* --- all -------------------------------------------------------------------------------------- */

/* What is left of `all` without `part`, which may exceed it by rounding. */
static uint64_t left(uint64_t all, uint64_t part)
{
	return part < all ? all - part : 0;
}

/* Of each event: what was sampled, without what the rows have. */
static void build_rest_events(const struct build *build, struct snap_task *rest)
{
	const struct snapshot *snap = build->snap;
	struct snap_task_event *events = snap_alloc(build->snap, snap->nevents, sizeof(*events));
	double seconds = snap->interval_s;

	for (uint32_t i = 0; i < snap->nevents; i++) {
		const struct snap_event *event = &snap->events[i];
		const struct model_row *row = &build->model->rows[build->numbers[i]];

		events[i].event = i;
		events[i].count = left(event->count, event->unseen);
		events[i].samples = event->sampled_count;
		events[i].total = event->weight < event->total ? event->weight : event->total;
		events[i].is_estimated = !row->is_whole_interval;
		events[i].is_total_estimated = !row->is_whole_total;
	}
	for (size_t i = 0; i < snap->ntasks; i++) {
		for (size_t k = 0; k < snap->tasks[i].nevents; k++) {
			const struct snap_task_event *of = &snap->tasks[i].events[k];
			struct snap_task_event *event = &events[of->event];

			event->count = left(event->count, of->count);
			event->samples = left(event->samples, of->samples);
			event->total = left(event->total, of->total);
		}
	}
	for (uint32_t i = 0; i < snap->nevents; i++) {
		if (events[i].total == 0 && events[i].count == 0)
			continue;
		events[i].rate = seconds > 0 ? (double)events[i].count / seconds : RATE_UNKNOWN;
		if (snap->events[i].unit[0] == '\0' && seconds > 0)
			rest->rate = fmax(rest->rate, 0) + events[i].rate;
		rest->is_estimated |= events[i].count > 0 && events[i].is_estimated;
		events[rest->nevents++] = events[i];
	}
	rest->events = events;
}

/* Switches and time on CPUs, without what the rows have. */
static void build_rest_switches(const struct build *build, struct snap_task *rest)
{
	const struct snapshot *snap = build->snap;

	rest->on_cpu = rest->switch_rate = rest->preempt_rate = RATE_UNKNOWN;
	rest->voluntary = snap->voluntary;
	rest->involuntary = snap->involuntary;
	if (snap->has_switches && snap->interval_s > 0) {
		rest->on_cpu = rest->preempt_rate = 0;
		rest->switch_rate = (double)snap->switch_count / snap->interval_s;
	}
	for (size_t i = 0; i < snap->ncpus && rest->on_cpu >= 0; i++) {
		const struct model_cpu *cpu = &build->model->cpus[i];

		rest->on_cpu += fmax(snap->cpus[i].busy, 0);
		rest->preempt_rate +=
			(double)(cpu->now.involuntary - cpu->tick.involuntary) / snap->interval_s;
	}
	for (size_t i = 0; i < snap->ntasks; i++) {
		const struct snap_task *task = &snap->tasks[i];

		rest->voluntary = left(rest->voluntary, task->voluntary);
		rest->involuntary = left(rest->involuntary, task->involuntary);
		if (rest->on_cpu < 0 || task->tid == 0)
			continue;
		rest->on_cpu = fmax(0, rest->on_cpu - task->on_cpu);
		rest->switch_rate = fmax(0, rest->switch_rate - task->switch_rate);
		rest->preempt_rate = fmax(0, rest->preempt_rate - task->preempt_rate);
	}
	rest->recent_cpu = RATE_UNKNOWN;
}

static void build_rest(const struct build *build, const struct rows *rows)
{
	struct snap_task *rest = &build->snap->rest;

	rest->pid = rest->tid = -1;
	rest->comm = rest->parent = rest->command = rest->cgroup = "";
	rest->rate = rest->born = RATE_UNKNOWN;
	rest->ntasks = rows->count - build->snap->ntasks;
	build_rest_events(build, rest);
	build_rest_switches(build, rest);
}

void build_tasks(const struct build *build)
{
	struct model *model = build->model;
	struct snapshot *snap = build->snap;

	model->recent_s = model->recent_s * build->fade + snap->interval_s;
	fold_tasks(build);
	build_measure_spans(build);

	struct rows rows = rows_new(build);
	build_leaders(build, &rows);
	qsort(rows.all, rows.count, sizeof(*rows.all), build_by_rank);

	struct snap_task *tasks = snap_alloc(snap, rows.count, sizeof(*tasks));
	for (size_t i = 0; i < rows.count; i++) {
		struct build_row *row = &rows.all[i];

		row->is_kept = build_is_kept(build, row, i);
		if (row->is_kept)
			build_row(build, row, build_spans_of(build, row->task),
				  &tasks[snap->ntasks++]);
	}
	snap->tasks = tasks;
	snap->ntasks_known = tasks_count(model->tasks);
	build_rest(build, &rows);
	build_processes(build, rows.all, rows.count);
	free(rows.all);
}
