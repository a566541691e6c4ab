/* SPDX-License-Identifier: MIT */
/*
 * build - the tables of the model into a snapshot, once a tick.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "model/tables.h"

/* What one building needs at hand. */
struct build {
	struct model *model;
	struct snapshot *snap;
	const struct model_tick *tick;
};

/* --- events --------------------------------------------------------------------------------- */

static struct books since_zero(const struct cell *cell, uint64_t now_ns)
{
	uint64_t throttled = cell_throttled_ns(cell, now_ns);

	return (struct books){
		.total = cell->now.total - cell->zero.total,
		.lost = cell->now.lost - cell->zero.lost,
		.sampled = cell->now.sampled - cell->zero.sampled,
		.weight = cell->now.weight - cell->zero.weight,
		.throttles = cell->now.throttles - cell->zero.throttles,
		.throttled_ns = throttled > cell->zero.throttled_ns ?
					throttled - cell->zero.throttled_ns :
					0,
	};
}

static bool was_throttled(const struct cell *cell)
{
	/* Now, or begun in this interval, or ended in it. */
	return cell->throttled_since_ns != 0 || cell->now.throttles != cell->tick.throttles ||
	       cell->now.throttled_ns != cell->tick.throttled_ns;
}

/*
 * From the start of the run, whatever was zeroed in between.  While events come
 * in, some are counted that are still on their way: only at rest must it be equal.
 */
static bool is_balanced(const struct build *build, const struct cell *cell, bool is_whole)
{
	uint64_t known = cell->now.sampled + cell->now.lost;

	if (build->model->config.has_lost && build->tick->is_final && is_whole)
		return known == cell->now.total;
	return known <= cell->now.total;
}

static enum cpu_answer answer_of(const struct model *model, uint32_t slot)
{
	return model->cpus[slot].is_online ? model->cpus[slot].answer : CPU_ANSWERED;
}

/* At rest, or when more was sampled and lost than was counted: then it is known to be broken. */
static bool is_balance_checked(const struct build *build, const struct snap_event *event)
{
	return (build->tick->is_final && !event->is_behind) || !event->is_balanced;
}

/*
 * The time that an event was enabled, and of it the time that it was counting, by readings of its
 * CPUs that began and ended within these moments.
 */
struct times {
	uint64_t enabled_ns, running_ns;
	uint64_t first_begin_ns, last_begin_ns;
	uint64_t first_end_ns, last_end_ns;
};

static void widen(uint64_t moment_ns, uint64_t *first_ns, uint64_t *last_ns)
{
	if (*first_ns == 0 || moment_ns < *first_ns)
		*first_ns = moment_ns;
	if (moment_ns > *last_ns)
		*last_ns = moment_ns;
}

/*
 * What a cell's times grew by since `then`, at `begin_ns`.  An event of a task has an fd a CPU, each
 * enabled whenever the task runs and counting only while it runs there: together they count all the
 * time.
 */
static void add_times(const struct build *build, const struct cell *cell, const struct books *then,
		      uint64_t begin_ns, struct times *sum)
{
	uint64_t enabled_ns = cell->now.enabled_ns - then->enabled_ns;

	if (cell->read_ns <= begin_ns)
		return; /* its CPU was not read: it is offline, or silent */
	sum->running_ns += cell->now.running_ns - then->running_ns;
	if (!build->model->config.is_task_bound)
		sum->enabled_ns += enabled_ns;
	else if (enabled_ns > sum->enabled_ns)
		sum->enabled_ns = enabled_ns;
	widen(begin_ns, &sum->first_begin_ns, &sum->last_begin_ns);
	widen(cell->read_ns, &sum->first_end_ns, &sum->last_end_ns);
}

/* What a task's CPUs may lack because they were read at different moments: on each CPU one can run. */
static uint64_t skew_ns(const struct build *build, const struct times *times)
{
	if (!build->model->config.is_task_bound)
		return 0;
	return (times->last_begin_ns - times->first_begin_ns + times->last_end_ns -
		times->first_end_ns) *
	       build->model->ncpus;
}

/* run > enabled has been seen (jimblandy/perf-event #65): clamped. */
static double share_running(const struct build *build, const struct times *times)
{
	uint64_t running_ns = times->running_ns + skew_ns(build, times);

	if (times->enabled_ns == 0 || running_ns >= times->enabled_ns)
		return 1;
	return (double)times->running_ns / (double)times->enabled_ns;
}

static void build_shares(const struct build *build, uint32_t number, struct snap_event *out)
{
	const struct model *model = build->model;
	struct times interval = { 0 }, whole = { 0 };

	for (uint32_t slot = 0; slot < model->ncpus; slot++) {
		const struct cell *cell = model_cell(model, number, slot);

		add_times(build, cell, &cell->tick, cell->tick_read_ns, &interval);
		add_times(build, cell, &cell->zero, model->zero_ns, &whole);
	}
	out->running = share_running(build, &interval);
	out->whole_running = share_running(build, &whole);
}

static void build_event_cpu(const struct build *build, uint32_t slot, const struct cell *cell,
			    struct snap_event_cpu *out)
{
	struct books books = since_zero(cell, build->tick->now_ns);

	out->rate = cell_rate(cell);
	out->count = cell_delta(cell);
	out->total = books.total;
	out->sampled = books.sampled;
	out->lost = books.lost;
	out->throttles = books.throttles;
	out->is_throttled = was_throttled(cell);
	out->is_balanced = is_balanced(build, cell, answer_of(build->model, slot) == CPU_ANSWERED);
}

static void add_cpu(struct snap_event *event, const struct snap_event_cpu *cpu)
{
	event->count += cpu->count;
	event->total += cpu->total;
	event->sampled += cpu->sampled;
	event->lost += cpu->lost;
	event->throttles += cpu->throttles;
	event->is_throttled |= cpu->is_throttled;
	event->is_balanced &= cpu->is_balanced;
	if (cpu->rate >= 0)
		event->rate = (event->rate >= 0 ? event->rate : 0) + cpu->rate;
}

static const char *last_fields(const struct build *build, uint32_t number)
{
	const struct model_resolver *resolver = &build->model->resolver;
	const struct model_row *row = &build->model->rows[number];
	char text[1024];

	if (row->last_size == 0 || resolver->fields == NULL ||
	    !resolver->fields(resolver->ctx, number, row->last_raw, row->last_size, text,
			      sizeof(text)))
		return NULL;
	return snap_strdup(build->snap, text);
}

static const float *copy_trend(const struct build *build, const struct trend *trend, size_t *count)
{
	float values[TREND_SECONDS];

	*count = trend_copy(trend, values);
	if (*count == 0)
		return NULL;

	float *copy = snap_alloc(build->snap, *count, sizeof(*copy));
	memcpy(copy, values, *count * sizeof(*copy));
	return copy;
}

static void describe_event(const struct build *build, const struct model_row *row,
			   struct snap_event *out)
{
	out->name = snap_strdup(build->snap, row->name);
	out->asked = snap_strdup(build->snap, row->asked);
	out->kind = snap_strdup(build->snap, row->kind);
	out->unit = snap_strdup(build->snap, row->unit);
	out->reason = row->reason != NULL ? snap_strdup(build->snap, row->reason) : NULL;
	out->filter = row->filter != NULL ? snap_strdup(build->snap, row->filter) : NULL;
	out->state = row->state;
	out->sampling = row->sampling;
	out->period = row->rate;
	out->rate = RATE_UNKNOWN;
	out->rate_before = row->rate_before;
	out->running = out->whole_running = 1;
	out->is_lost_exact = build->model->config.has_lost;
	out->is_balance_known = row->sampling == SAMPLING_PERIOD && row->rate == 1 &&
				!row->is_clock && row->was_open;
	out->is_balanced = true;
}

/*
 * The kernel's adaptive period lags behind bursts, and the samples' weights with
 * it; the count is exact.  So samples say who had which share, and the count says
 * of how much.
 */
static void scale_samples(struct model_row *row, const struct snap_event *event,
			  uint64_t interval_weight)
{
	bool is_freq = row->sampling == SAMPLING_FREQ;

	row->scale_interval =
		is_freq && interval_weight > 0 ? (double)event->count / (double)interval_weight : 1;
	row->scale_total =
		is_freq && event->weight > 0 ? (double)event->total / (double)event->weight : 1;
}

/* The whole reaches to the last reading of the counters: a decoder that is behind takes no part in a rate. */
static void stretch_whole(const struct build *build, uint64_t read_ns)
{
	uint64_t zero_ns = build->model->zero_ns;
	double seconds = read_ns > zero_ns ? (double)(read_ns - zero_ns) / 1e9 : 0;

	if (seconds > build->snap->whole_s)
		build->snap->whole_s = seconds;
}

static void build_event_cpus(const struct build *build, uint32_t number, struct snap_event *out)
{
	struct model *model = build->model;
	struct snap_event_cpu *cpus = snap_alloc(build->snap, model->ncpus, sizeof(*cpus));
	uint64_t interval_weight = 0;

	for (uint32_t slot = 0; slot < model->ncpus; slot++) {
		const struct cell *cell = model_cell(model, number, slot);
		struct books books = since_zero(cell, build->tick->now_ns);

		build_event_cpu(build, slot, cell, &cpus[slot]);
		add_cpu(out, &cpus[slot]);
		stretch_whole(build, cell->read_ns);
		out->weight += books.weight;
		out->throttled_s += (double)books.throttled_ns / 1e9;
		interval_weight += cell->now.weight - cell->tick.weight;
		out->has_silent_cpu |= answer_of(model, slot) == CPU_SILENT;
		out->is_behind |= answer_of(model, slot) != CPU_ANSWERED;
		/* What is throttled away is neither sampled nor lost by any count of the kernel's. */
		if (cell->now.throttles > 0)
			out->is_balance_known = false;
	}
	out->cpus = cpus;
	if (model->rows[number].may_be_multiplexed)
		build_shares(build, number, out);
	out->is_balance_known &= is_balance_checked(build, out);
	scale_samples(&model->rows[number], out, interval_weight);
}

static void build_event(const struct build *build, uint32_t number, struct snap_event *out)
{
	struct model_row *row = &build->model->rows[number];

	describe_event(build, row, out);
	if (row->was_open)
		build_event_cpus(build, number, out);
	/* Multiplexed: what was counted stands for all of the time.  With nothing counted nothing is known. */
	if (out->running < 1 && out->rate >= 0)
		out->rate = out->running > 0 ? out->rate / out->running : RATE_UNKNOWN;
	/* Without PERF_FORMAT_LOST the loss is what is missing, once all has come to rest. */
	if (!out->is_lost_exact && build->tick->is_final && out->is_balance_known &&
	    out->total > out->sampled)
		out->lost = out->total - out->sampled;
	if (row->state != EVENT_STATE_ON)
		out->rate = RATE_UNKNOWN;
	trend_add(&row->trend, out->rate, build->snap->interval_s);
	out->trend = copy_trend(build, &row->trend, &out->ntrend);
	out->last = last_fields(build, number);
	row->rate_before = out->rate;
	row->is_last_wanted = true;
}

static void sum_event(struct snapshot *snap, const struct snap_event *event, bool is_clock)
{
	if (event->rate >= 0 && !is_clock)
		snap->rate = (snap->rate >= 0 ? snap->rate : 0) + event->rate;
	snap->lost += event->lost;
	snap->throttles += event->throttles;
	snap->is_balance_known |= event->is_balance_known;
	if (event->is_balance_known && !event->is_balanced)
		snap->is_balanced = false;
}

static void build_events(const struct build *build)
{
	struct model *model = build->model;
	struct snapshot *snap = build->snap;
	size_t count = model->nrows > model->config.first ? model->nrows - model->config.first : 0;
	struct snap_event *events = snap_alloc(snap, count, sizeof(*events));

	snap->rate = RATE_UNKNOWN;
	snap->is_balanced = true;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t number = model->config.first + i;

		build_event(build, number, &events[i]);
		sum_event(snap, &events[i], model->rows[number].is_clock);
		if (model->rows[number].has_ip && snap->symbol_event == NULL &&
		    events[i].state == EVENT_STATE_ON)
			snap->symbol_event = events[i].name;
	}
	snap->events = events;
	snap->nevents = count;
}

static void build_throttled(const struct build *build)
{
	const struct model *model = build->model;
	struct snapshot *snap = build->snap;
	struct snap_throttle_now *now =
		snap_alloc(snap, snap->nevents * model->ncpus, sizeof(*now));

	for (uint32_t i = 0; i < snap->nevents; i++) {
		for (uint32_t slot = 0; slot < model->ncpus; slot++) {
			uint64_t since =
				model_cell(model, model->config.first + i, slot)->throttled_since_ns;

			if (since == 0 || since > build->tick->now_ns)
				continue;
			now[snap->nthrottled++] = (struct snap_throttle_now){
				i, slot, (double)(build->tick->now_ns - since) / 1e9
			};
		}
	}
	snap->throttled = now;
}

/* --- CPUs and switches ---------------------------------------------------------------------- */

/* The exact count of the software event where it is watched; else its records. */
static double switch_rate(const struct build *build, uint32_t slot)
{
	const struct model *model = build->model;
	const struct model_cpu *cpu = &model->cpus[slot];

	for (uint32_t number = model->config.first; number < model->nrows; number++) {
		const struct model_row *row = &model->rows[number];

		if (row->state == EVENT_STATE_ON && strcmp(row->name, "context-switches") == 0)
			return cell_rate(model_cell(model, number, slot));
	}
	if (!model->config.has_switches || build->snap->interval_s <= 0)
		return RATE_UNKNOWN;
	return (double)(cpu->now.out - cpu->tick.out) / build->snap->interval_s;
}

static void build_cpu(const struct build *build, uint32_t slot, struct snap_cpu *out)
{
	const struct model *model = build->model;
	const struct model_cpu *cpu = &model->cpus[slot];

	out->id = model->cpu_ids[slot];
	out->is_online = cpu->is_online;
	out->answer = answer_of(model, slot);
	out->rate = RATE_UNKNOWN;
	for (uint32_t i = 0; i < build->snap->nevents; i++) {
		const struct snap_event *event = &build->snap->events[i];
		const struct snap_event_cpu *here = &event->cpus[slot];

		if (event->cpus == NULL)
			continue;
		out->is_throttled |= here->is_throttled;
		if (event->state == EVENT_STATE_ON && event->unit[0] == '\0' && here->rate >= 0)
			out->rate = (out->rate >= 0 ? out->rate : 0) + here->rate;
	}
	out->switch_rate = switch_rate(build, slot);
	out->voluntary = cpu->now.voluntary - cpu->zero.voluntary;
	out->involuntary = cpu->now.involuntary - cpu->zero.involuntary;
	out->ring_bytes = cpu->ring_bytes;
	out->corrupt = cpu->corrupt;
}

static void build_cpus(const struct build *build)
{
	const struct model *model = build->model;
	struct snapshot *snap = build->snap;
	struct snap_cpu *cpus = snap_alloc(snap, model->ncpus, sizeof(*cpus));

	snap->has_switches = model->config.has_switches;
	snap->switch_rate = RATE_UNKNOWN;
	for (uint32_t slot = 0; slot < model->ncpus; slot++) {
		const struct model_cpu *cpu = &model->cpus[slot];

		build_cpu(build, slot, &cpus[slot]);
		snap->voluntary += cpus[slot].voluntary;
		snap->involuntary += cpus[slot].involuntary;
		snap->switch_count += cpu->now.voluntary + cpu->now.involuntary -
				      cpu->tick.voluntary - cpu->tick.involuntary;
		snap->corrupt += cpu->corrupt;
		if (cpus[slot].switch_rate >= 0)
			snap->switch_rate = (snap->switch_rate >= 0 ? snap->switch_rate : 0) +
					    cpus[slot].switch_rate;
	}
	snap->cpus = cpus;
	snap->ncpus = model->ncpus;
}

/* Who is on a CPU now has been there for a part of this interval. */
static void settle_running(const struct build *build)
{
	const struct model *model = build->model;
	uint64_t now_ns = build->tick->now_ns;

	for (size_t slot = 0; slot < model->ncpus; slot++) {
		struct model_cpu *cpu = &model->cpus[slot];
		struct task *task = cpu->running > 0 ? tasks_find(model->tasks, cpu->running) :
						       NULL;

		if (cpu->running == TID_NONE || now_ns <= cpu->running_since_ns)
			continue;
		if (task != NULL)
			task->on_cpu_ns += now_ns - cpu->running_since_ns;
		cpu->running_since_ns = now_ns;
	}
}

/* --- tasks ---------------------------------------------------------------------------------- */

/* A task and what it is sorted by: scaled as its figures are, so that the order is that of the rows. */
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
					(double)counted->total * row->scale_total :
					(double)counted->interval * row->scale_interval;

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

/* To the nearest; a file's periods may add up to more than there are numbers. */
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
		double interval = (double)counted->interval * row->scale_interval;

		events[i].event = counted->event - model->config.first;
		events[i].total = whole((double)counted->total * row->scale_total);
		events[i].rate = seconds > 0 ? interval / seconds : RATE_UNKNOWN;
		if (!row->is_clock)
			*sum += interval;
		if (row->sampling == SAMPLING_FREQ)
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
	if (out->on_cpu > 1)
		out->on_cpu =
			1; /* the interval's ends and the records' clock are read at two moments */
	out->voluntary = task->voluntary;
	out->involuntary = task->involuntary;
	build_task_events(build, task, out, &sum);
	out->rate = seconds > 0 ? sum / seconds : RATE_UNKNOWN;
}

static void build_tasks(const struct build *build)
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

/* Put hits of the same symbol together: how many are left. */
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

static void build_symbols(const struct build *build)
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

/* --- the whole ------------------------------------------------------------------------------ */

static void build_self(const struct build *build)
{
	struct model *model = build->model;
	struct snap_self *self = &build->snap->self;
	double seconds = build->snap->interval_s;

	self->cpu = seconds > 0 && model->seq > 0 ?
			    (double)(build->tick->cpu_ns - model->self_cpu_ns) / 1e9 / seconds :
			    RATE_UNKNOWN;
	self->cpu_s = (double)build->tick->cpu_ns / 1e9;
	self->rss = build->tick->rss_bytes;
	self->rings = build->tick->rings_bytes;
	self->queue_peak = build->tick->queue_peak;
	self->blocks = build->tick->blocks;
	model->self_cpu_ns = build->tick->cpu_ns;
}

static void build_head(const struct build *build)
{
	const struct model *model = build->model;
	const struct model_tick *tick = build->tick;
	struct snapshot *snap = build->snap;

	snap->seq = model->seq + 1;
	snap->is_final = tick->is_final;
	snap->time_s = tick->wall_s;
	snap->interval_s = (double)(tick->now_ns - model->tick_ns) / 1e9;
	snap->elapsed_s = (double)(tick->now_ns - model->start_ns) / 1e9;
	snap->target_s = tick->target_s;
	snap->host = snap_strdup(snap, model->host);
	snap->kernel = snap_strdup(snap, model->kernel);
	snap->lost_records = model->lost_records;
	snap->unknown_records = tick->unknown_records;
	snap->max_sample_rate = tick->max_sample_rate;
	snap->cpu_time_max_percent = tick->cpu_time_max_percent;
	for (uint32_t slot = 0; slot < model->ncpus; slot++)
		snap->side_lost += model_cell(model, model->config.owner, slot)->now.lost +
				   model_cell(model, model->config.switches, slot)->now.lost;
}

/* Which CPUs are behind or silent, or NULL. */
static const char *answer_note(const struct build *build, enum cpu_answer answer)
{
	struct snapshot *snap = build->snap;
	const char *note = NULL;
	struct strbuf text;

	strbuf_init(&text);
	for (size_t slot = 0; slot < snap->ncpus; slot++) {
		if (snap->cpus[slot].answer == answer)
			strbuf_printf(&text, "%s%d", text.len > 0 ? "," : "cpu ",
				      snap->cpus[slot].id);
	}
	if (text.len > 0) {
		strbuf_puts(&text,
			    answer == CPU_SILENT ?
				    " did not answer: every sum with it is at least" :
				    " is not decoded to its end: tasks and symbols are at least");
		note = snap_strdup(snap, text.text);
	}
	strbuf_fini(&text);
	return note;
}

static void build_notes(const struct build *build)
{
	const struct model *model = build->model;
	struct snapshot *snap = build->snap;
	const char **notes = snap_alloc(snap, model->nnotes + 2, sizeof(*notes));
	const char *silent = answer_note(build, CPU_SILENT);
	const char *behind = answer_note(build, CPU_BEHIND);

	if (silent != NULL)
		notes[snap->nnotes++] = silent;
	if (behind != NULL)
		notes[snap->nnotes++] = behind;
	for (size_t i = 0; i < model->nnotes; i++)
		notes[snap->nnotes++] = snap_strdup(snap, model->notes[i]);
	snap->notes = notes;
}

static void close_interval(struct model *model, uint64_t now_ns)
{
	for (size_t i = 0; i < model->nrows * model->ncpus; i++)
		cell_close_interval(&model->cells[i]);
	for (size_t i = 0; i < model->ncpus; i++)
		model->cpus[i].tick = model->cpus[i].now;
	tasks_sweep(model->tasks);
	addresses_fade(model->addresses);
	model->tick_ns = now_ns;
	model->seq++;
}

struct snapshot *model_tick(struct model *model, const struct model_tick *tick)
{
	struct snapshot *snap = snapshot_new();
	struct build build = { model, snap, tick };

	build_head(&build);
	build_events(&build);
	build_throttled(&build);
	build_cpus(&build);
	settle_running(&build);
	build_tasks(&build);
	build_symbols(&build);
	build_self(&build);
	build_notes(&build);
	close_interval(model, tick->now_ns);
	return snap;
}
