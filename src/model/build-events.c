/* SPDX-License-Identifier: MIT */
#include "model/build-inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

#define NOTHING(...)

/*
 * A rate is compared with so many seconds before.  A change exceeds so many standard deviations, this
 * share of the rate, and, of occurrences, so many in the interval.
 */
#define CHANGE_SECONDS 10
#define CHANGE_SIGMAS  4
#define CHANGE_SHARE   0.1
#define CHANGE_EVENTS  5

static struct books since_zero(const struct cell *cell, uint64_t now_ns)
{
	uint64_t throttled = cell_throttled_ns(cell, now_ns);
	struct books books = {
		.throttled_ns = throttled > cell->zero.throttled_ns ?
					throttled - cell->zero.throttled_ns :
					0,
	};

#define SINCE_ZERO(member, ...) books.member = cell->now.member - cell->zero.member;
	EVENT_FIGURES(NOTHING, NOTHING, SINCE_ZERO)
#undef SINCE_ZERO
	return books;
}

static bool was_throttled(const struct cell *cell)
{
	/* Throttled now, or throttling began or ended in this interval. */
	return cell->throttled_since_ns != 0 || cell->now.throttles != cell->tick.throttles ||
	       cell->now.throttled_ns != cell->tick.throttled_ns;
}

/*
 * Whether total == sampled + lost since the start of the run, ignoring "zero".  Checked only at the
 * end: it holds only once the event is disabled.  `is_whole`: all records of the CPU were decoded.
 */
static bool is_balanced(const struct build *build, const struct cell *cell, bool is_whole)
{
	uint64_t known = cell->now.sampled + cell->now.lost;

	if (!build->tick->is_final)
		return true;
	if (build->model->config.has_lost && is_whole)
		return known == cell->now.total;
	return known <= cell->now.total;
}

/* At the end, when all CPUs answered, or when samples and losses already exceed the count. */
static bool is_balance_checked(const struct build *build, const struct snap_event *event)
{
	return build->tick->is_final && (!event->is_behind || !event->is_balanced);
}

/*
 * Sums over an event's CPUs: the time that it was enabled, and the part of it that it was counting.
 * Each CPU's time is the difference of two readings; the first and last times of both are kept.
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
 * Add the growth of a cell's times since `then`, which was read at `begin_ns`.  An event of a task
 * has one fd per CPU.  Each is enabled whenever the task runs anywhere, but counts only while it
 * runs on that CPU: so the running times are added, the enabled times are not.
 */
static void add_times(const struct build *build, const struct cell *cell, const struct books *then,
		      uint64_t begin_ns, struct times *sum)
{
	uint64_t enabled_ns = cell->now.enabled_ns - then->enabled_ns;

	if (cell->read_ns <= begin_ns)
		return; /* not read since then: the CPU is offline or silent */
	sum->running_ns += cell->now.running_ns - then->running_ns;
	if (!build->model->config.is_task_bound)
		sum->enabled_ns += enabled_ns;
	else if (enabled_ns > sum->enabled_ns)
		sum->enabled_ns = enabled_ns;
	widen(begin_ns, &sum->first_begin_ns, &sum->last_begin_ns);
	widen(cell->read_ns, &sum->first_end_ns, &sum->last_end_ns);
}

/*
 * The most running time that a task's event can lack because its CPUs were not read at the same
 * time: during the differences one thread can run on each CPU.
 */
static uint64_t skew_ns(const struct build *build, const struct times *times)
{
	if (!build->model->config.is_task_bound)
		return 0;
	return (times->last_begin_ns - times->first_begin_ns + times->last_end_ns -
		times->first_end_ns) *
	       build->model->ncpus;
}

/* At most 1: running > enabled has been reported (jimblandy/perf-event #65). */
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
	out->sampled_count = cell_samples(cell);
	out->lost_count = cell->now.lost - cell->tick.lost;
	out->unseen = cell_weight(cell) < out->count ? out->count - cell_weight(cell) : 0;
	out->throttled_s = (double)books.throttled_ns / 1e9;
	out->throttled_now_s = (double)cell_throttled_now_ns(cell, build->tick->now_ns) / 1e9;
#define FROM_BOOKS(member, ...) out->member = books.member;
	EVENT_FIGURES(NOTHING, NOTHING, FROM_BOOKS)
#undef FROM_BOOKS
	/* Exclude samples written between the reading of the counter and that of the ring. */
	if (!build->tick->is_final && out->lost <= out->total &&
	    out->sampled > out->total - out->lost)
		out->sampled = out->total - out->lost;
	out->is_throttled = was_throttled(cell);
	out->is_balanced =
		is_balanced(build, cell, build_answer(build->model, slot) == CPU_ANSWERED);
}

static void set_sums(struct snap_event *event, const struct snap_event_cpu *sums)
{
#define SET(type, member, ...)	event->member = sums->member;
#define SET_BOOKED(member, ...) event->member = sums->member;
	EVENT_FIGURES(NOTHING, SET, SET_BOOKED)
#undef SET
#undef SET_BOOKED
	event->is_throttled = sums->is_throttled;
	event->is_balanced = sums->is_balanced;
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

static const float *copy_minute(const struct build *build, const struct trend *trend)
{
	float *copy = snap_alloc(build->snap, SNAP_TREND_MAX, sizeof(*copy));
	size_t missing = SNAP_TREND_MAX - trend->count;

	for (size_t i = 0; i < missing; i++)
		copy[i] = (float)RATE_UNKNOWN;
	trend_copy(trend, copy + missing);
	return copy;
}

const float *build_trend(const struct build *build, const struct trend *trend)
{
	const float **flat = &build->flat[trend->zeros];

	if (!trend_is_flat(trend))
		return copy_minute(build, trend);
	if (*flat == NULL)
		*flat = copy_minute(build, trend);
	return *flat;
}

/* Add this interval to the event's trend on each CPU, and copy these. */
static void build_cpu_trends(const struct build *build, struct model_row *row,
			     struct snap_event_cpu *cpus)
{
	size_t ncpus = build->model->ncpus;

	if (row->cpu_trends == NULL)
		row->cpu_trends = xcalloc(ncpus, sizeof(*row->cpu_trends));
	for (size_t slot = 0; slot < ncpus; slot++) {
		trend_add(&row->cpu_trends[slot],
			  row->state == EVENT_STATE_ON ? cpus[slot].rate : RATE_UNKNOWN,
			  build->snap->interval_s);
		cpus[slot].trend = build_trend(build, &row->cpu_trends[slot]);
	}
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
	*(row->sampling == SAMPLING_FREQ ? &out->freq : &out->period) = row->rate;
	out->is_limited = row->is_limited;
	out->group = (int32_t)row->group;
	out->per_first = RATE_UNKNOWN;
	out->rate = RATE_UNKNOWN;
	out->running = out->whole_running = 1;
	out->is_lost_exact = build->model->config.has_lost;
	out->is_balance_known = row->sampling == SAMPLING_PERIOD && row->rate == 1 &&
				!row->has_periods && !row->is_of_samples && !row->is_clock &&
				row->was_open;
	out->is_balanced = true;
}

/* Scales `weight` down to the count; 1 when the count is 0, which can mean not known yet. */
static double scale(uint64_t count, uint64_t weight)
{
	return weight > count && count > 0 ? (double)count / (double)weight : 1;
}

/*
 * The weight of a sample without a count is its period, which can begin before the interval.  If
 * the weights exceed the count, they are scaled down to it.
 */
static void compare_samples(const struct build *build, uint32_t number, struct snap_event *event)
{
	struct model_row *row = &build->model->rows[number];
	uint64_t weight = 0, samples = 0, all_samples = 0;

	for (uint32_t slot = 0; slot < build->model->ncpus; slot++) {
		const struct cell *cell = model_cell(build->model, number, slot);

		weight += cell_weight(cell);
		samples += cell_samples(cell);
		all_samples += cell->now.sampled - cell->zero.sampled;
	}
	event->unseen = weight < event->count ? event->count - weight : 0;
	row->scale_interval = scale(event->count, weight);
	row->scale_total = scale(event->total, event->weight);
	row->is_whole_interval = samples == weight && event->unseen == 0;
	row->is_whole_total = all_samples == event->weight && event->weight >= event->total;
}

/* whole_s ends at the last reading of the counters, as totals do, even if the decoder is behind. */
static void stretch_whole(const struct build *build, uint64_t read_ns)
{
	uint64_t zero_ns = build->model->zero_ns;
	double seconds = read_ns > zero_ns ? (double)(read_ns - zero_ns) / 1e9 : 0;

	if (seconds > build->snap->whole_s)
		build->snap->whole_s = seconds;
}

/* Without PERF_FORMAT_LOST: at the end, the count without a sample is the loss. */
static void derive_losses(const struct build *build, struct snap_event_cpu *cpus)
{
	for (uint32_t slot = 0; slot < build->model->ncpus; slot++)
		if (build_answer(build->model, slot) == CPU_ANSWERED &&
		    cpus[slot].total > cpus[slot].sampled)
			cpus[slot].lost = cpus[slot].total - cpus[slot].sampled;
}

static void build_event_cpus(const struct build *build, uint32_t number, struct snap_event *out)
{
	struct model *model = build->model;
	struct snap_event_cpu *cpus = snap_alloc(build->snap, model->ncpus, sizeof(*cpus));
	struct snap_event_cpu sums = snap_event_no_cpu();

	for (uint32_t slot = 0; slot < model->ncpus; slot++) {
		const struct cell *cell = model_cell(model, number, slot);

		build_event_cpu(build, slot, cell, &cpus[slot]);
		stretch_whole(build, cell->read_ns);
		out->is_at_least |= build_answer(model, slot) == CPU_SILENT ||
				    (model->rows[number].lacks_lost && model->cpus[slot].has_lost);
		out->is_behind |= build_answer(model, slot) != CPU_ANSWERED;
		/* Samples suppressed by throttling: neither written nor counted lost. */
		if (cell->now.throttles > 0)
			out->is_balance_known = false;
	}
	if (!out->is_lost_exact && build->tick->is_final && out->is_balance_known)
		derive_losses(build, cpus);
	for (uint32_t slot = 0; slot < model->ncpus; slot++)
		snap_event_add_cpu(&sums, &cpus[slot]);
	build_cpu_trends(build, &model->rows[number], cpus);
	out->cpus = cpus;
	set_sums(out, &sums);
	if (model->rows[number].may_be_multiplexed)
		build_shares(build, number, out);
	out->is_balance_known &= is_balance_checked(build, out);
	compare_samples(build, number, out);
}

/*
 * Chance is taken to be the larger of the variance of the seconds before and, for occurrences, that of
 * a Poisson process.
 */
static void compare_rates(const struct build *build, const struct model_row *row,
			  struct snap_event *out)
{
	struct trend_mean before;
	double variance, least;

	out->rate_before = RATE_UNKNOWN;
	if (!trend_mean(&row->trend, CHANGE_SECONDS, &before) || out->rate < 0)
		return;
	out->rate_before = before.mean;
	if (build->snap->interval_s <= 0)
		return;
	variance = row->is_clock ? before.variance : fmax(before.variance, before.mean);
	variance = variance / build->snap->interval_s + variance / before.count;
	least = fmax(CHANGE_SIGMAS * sqrt(variance), CHANGE_SHARE * before.mean);
	if (!row->is_clock)
		least = fmax(least, CHANGE_EVENTS / build->snap->interval_s);
	out->has_changed = fabs(out->rate - before.mean) > least;
}

static void build_event(const struct build *build, uint32_t number, struct snap_event *out)
{
	struct model_row *row = &build->model->rows[number];

	describe_event(build, row, out);
	out->id = number - build->model->config.first;
	if (row->was_open)
		build_event_cpus(build, number, out);
	/* Multiplexed: scale the rate up to the whole time; unknown if it never counted. */
	if (out->running < 1 && out->rate >= 0)
		out->rate = out->running > 0 ? out->rate / out->running : RATE_UNKNOWN;
	if (row->state != EVENT_STATE_ON)
		out->rate = RATE_UNKNOWN;
	compare_rates(build, row, out);
	trend_add(&row->trend, out->rate, build->snap->interval_s);
	out->ntrend = row->trend.count;
	out->trend = build_trend(build, &row->trend) + SNAP_TREND_MAX - out->ntrend;
	out->last = last_fields(build, number);
	row->is_last_wanted = true;
}

static void sum_event(struct snapshot *snap, const struct snap_event *event, bool is_clock)
{
	if (event->rate >= 0 && !is_clock)
		snap->rate = (snap->rate >= 0 ? snap->rate : 0) + event->rate;
	snap->lost += event->lost;
	snap->lost_count += event->lost_count;
	snap->throttles += event->throttles;
	snap->is_balance_known |= event->is_balance_known;
	if (snap_event_is_wrong(event))
		snap->is_balanced = false;
}

/* Also where the kernel counts them apart; then they may have counted at other times. */
static void compare_with_first(struct snapshot *snap, struct snap_event *events)
{
	const struct snap_event *first = NULL;

	for (size_t i = 0; i < snap->nevents; i++) {
		struct snap_event *event = &events[i];

		if (event->group == 0)
			continue;
		if (first == NULL || first->group != event->group)
			first = event;
		else if (event->rate >= 0 && first->rate > 0)
			event->per_first = event->rate / first->rate;
	}
}

void build_events(const struct build *build)
{
	struct model *model = build->model;
	struct snapshot *snap = build->snap;
	struct snap_event *events = build->events;

	snap->rate = RATE_UNKNOWN;
	snap->is_balanced = true;
	for (uint32_t i = 0; i < snap->nevents; i++) {
		uint32_t number = build->numbers[i];

		build_event(build, number, &events[i]);
		sum_event(snap, &events[i], model->rows[number].is_clock);
		events[i].has_code = model->rows[number].has_code && model->rows[number].was_open;
		if (model->rows[number].is_symbol_event && snap->symbol_event == NULL &&
		    events[i].state == EVENT_STATE_ON) {
			events[i].is_symbol_event = true;
			snap->symbol_event = events[i].name;
		}
	}
	compare_with_first(snap, events);
}

void build_throttled(const struct build *build)
{
	const struct model *model = build->model;
	struct snapshot *snap = build->snap;
	struct snap_throttle_now *now =
		snap_alloc(snap, snap->nevents * model->ncpus, sizeof(*now));

	for (uint32_t i = 0; i < snap->nevents; i++) {
		for (uint32_t slot = 0; slot < model->ncpus; slot++) {
			uint64_t since =
				model_cell(model, build->numbers[i], slot)->throttled_since_ns;

			if (since == 0 || since > build->tick->now_ns)
				continue;
			now[snap->nthrottled++] = (struct snap_throttle_now){
				i, slot, (double)(build->tick->now_ns - since) / 1e9
			};
		}
	}
	snap->throttled = now;
}
