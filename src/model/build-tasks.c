/* SPDX-License-Identifier: MIT */
#include "model/build-inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/* --- tasks ---------------------------------------------------------------------------------- */

/* A task and its sort keys, scaled like its figures: rows are sorted by what they show. */
struct ranked {
	struct task *task;
	double occurrences, clock_ns;
};

static struct ranked rank_task(const struct build *build, struct task *task)
{
	struct ranked ranked = { .task = task };

	for (uint32_t i = 0; i < task->nevents; i++) {
		const struct task_event *counted = &task->events[i];
		const struct model_row *row = &build->model->rows[counted->event];
		double weight = build->tick->is_final ?
					(double)counted->total.weight * row->scale_total :
					(double)counted->interval.weight * row->scale_interval;

		if (row->is_clock)
			ranked.clock_ns += weight;
		else
			ranked.occurrences += weight;
	}
	return ranked;
}

static int by_rank(const void *a, const void *b)
{
	const struct ranked *left = a, *right = b;

	if (left->occurrences != right->occurrences)
		return left->occurrences > right->occurrences ? -1 : 1;
	if (left->clock_ns != right->clock_ns)
		return left->clock_ns > right->clock_ns ? -1 : 1;
	if (left->task->switches != right->task->switches)
		return left->task->switches > right->task->switches ? -1 : 1;
	return left->task->tid < right->task->tid ? -1 : left->task->tid > right->task->tid;
}

static void seek_comm(const struct build *build, struct task *task)
{
	const struct model_resolver *resolver = &build->model->resolver;
	char name[TASK_COMM_BYTES];

	if (task->comm[0] != '\0' || task->is_sought)
		return;
	task->is_sought = true;
	if (task->tid == 0)
		task_set_comm(task, "swapper", strlen("swapper"));
	else if (resolver->comm != NULL &&
		 resolver->comm(resolver->ctx, task->tid, name, sizeof(name)))
		task_set_comm(task, name, strlen(name));
}

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

	for (uint32_t i = 0; i < task->nevents; i++) {
		const struct task_event *counted = &task->events[i];
		const struct model_row *row = &model->rows[counted->event];
		double interval = (double)counted->interval.weight * row->scale_interval;

		events[i].event = counted->event - model->config.first;
		events[i].total = whole((double)counted->total.weight * row->scale_total);
		events[i].count = whole(interval);
		events[i].samples = counted->interval.samples;
		events[i].is_estimated = !row->is_whole_interval;
		events[i].is_total_estimated = !row->is_whole_total;
		events[i].rate = seconds > 0 ? interval / seconds : RATE_UNKNOWN;
		if (!row->is_clock)
			*sum += interval;
		if (events[i].count > 0 && events[i].is_estimated)
			out->is_estimated = true;
	}
	out->events = events;
	out->nevents = task->nevents;
}

static void build_task(const struct build *build, struct task *task, struct snap_task *out)
{
	const struct model *model = build->model;
	double seconds = build->snap->interval_s;
	bool has_switches = model->config.has_switches && seconds > 0;
	double sum = 0;

	seek_comm(build, task);
	out->pid = task->pid;
	out->tid = task->tid;
	out->comm = snap_strdup(build->snap, task->comm);
	out->is_self = task->pid == model->config.self_pid;
	out->switch_rate = has_switches ? (double)task->switches / seconds : RATE_UNKNOWN;
	out->on_cpu = has_switches ? (double)task->on_cpu_ns / 1e9 / seconds : RATE_UNKNOWN;
	/* It can exceed 1 a little: interval ends and record times are read separately. */
	if (out->on_cpu > 1)
		out->on_cpu = 1;
	out->voluntary = task->voluntary;
	out->involuntary = task->involuntary;
	build_task_events(build, task, out, &sum);
	out->rate = seconds > 0 ? sum / seconds : RATE_UNKNOWN;
}

void build_tasks(const struct build *build)
{
	const struct model *model = build->model;
	struct snapshot *snap = build->snap;
	size_t known = tasks_count(model->tasks);
	struct ranked *sorted = xcalloc(known + 1, sizeof(*sorted));

	for (size_t i = 0; i < known; i++)
		sorted[i] = rank_task(build, tasks_all(model->tasks)[i]);
	qsort(sorted, known, sizeof(*sorted), by_rank);

	size_t count = known < model->config.top ? known : model->config.top;
	struct snap_task *tasks = snap_alloc(snap, count, sizeof(*tasks));
	for (size_t i = 0; i < count; i++)
		build_task(build, sorted[i].task, &tasks[i]);
	free(sorted);
	snap->tasks = tasks;
	snap->ntasks = count;
	snap->ntasks_known = known;
}

/* --- symbols -------------------------------------------------------------------------------- */

struct hit {
	const char *symbol, *module;
	double weight;
};

static struct hit resolve(const struct build *build, const struct address *address)
{
	const struct model *model = build->model;
	const struct model_resolver *resolver = &model->resolver;
	struct hit hit = { .weight = build->tick->is_final ? (double)address->total :
							     address->recent };

	if (address->is_user) {
		const struct task *task = tasks_find(model->tasks, (int32_t)address->ip);

		hit.symbol = task != NULL && task->comm[0] != '\0' ? task->comm : "?";
		hit.module = "[user]";
		return hit;
	}
	hit.symbol = resolver->symbol != NULL ?
			     resolver->symbol(resolver->ctx, address->ip, &hit.module) :
			     NULL;
	if (hit.symbol == NULL) {
		char text[24];

		snprintf(text, sizeof(text), "0x%llx", (unsigned long long)address->ip);
		hit.symbol = snap_strdup(build->snap, text);
		hit.module = "[kernel]";
	}
	return hit;
}

static int by_symbol(const void *a, const void *b)
{
	const struct hit *left = a, *right = b;
	int order = strcmp(left->symbol, right->symbol);

	return order != 0 ? order : strcmp(left->module, right->module);
}

static int by_weight(const void *a, const void *b)
{
	const struct hit *left = a, *right = b;

	if (left->weight != right->weight)
		return left->weight > right->weight ? -1 : 1;
	return by_symbol(a, b);
}

/* Merge the hits of each symbol and sort by weight; returns how many are left. */
static size_t merge_hits(struct hit *hits, size_t count)
{
	size_t kept = 0;

	qsort(hits, count, sizeof(*hits), by_symbol);
	for (size_t i = 0; i < count; i++) {
		if (kept > 0 && by_symbol(&hits[kept - 1], &hits[i]) == 0)
			hits[kept - 1].weight += hits[i].weight;
		else
			hits[kept++] = hits[i];
	}
	qsort(hits, kept, sizeof(*hits), by_weight);
	return kept;
}

void build_symbols(const struct build *build)
{
	const struct model *model = build->model;
	struct snapshot *snap = build->snap;
	const struct address *addresses = addresses_all(model->addresses);
	size_t known = addresses_count(model->addresses), count = 0;
	struct hit *hits = xcalloc(known + 1, sizeof(*hits));
	double sum = 0;

	for (size_t i = 0; i < known; i++) {
		hits[count] = resolve(build, &addresses[i]);
		sum += hits[count].weight;
		if (hits[count].weight > 0)
			count++;
	}
	count = merge_hits(hits, count);
	if (count > model->config.top)
		count = model->config.top;

	struct snap_symbol *symbols = snap_alloc(snap, count, sizeof(*symbols));
	for (size_t i = 0; i < count; i++) {
		symbols[i].symbol = snap_strdup(snap, hits[i].symbol);
		symbols[i].module = snap_strdup(snap, hits[i].module);
		symbols[i].share = hits[i].weight / sum;
	}
	free(hits);
	snap->symbols = symbols;
	snap->nsymbols = count;
}
