/* SPDX-License-Identifier: MIT */
#include "model/build-inside.h"

#include <math.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "model/spans.h"

/* The two records of a context switch cost so many samples (doc/performance.md). */
#define SWITCH_PART 1.2

/* After the events: what the kernel spent on them. */
static void build_cost(const struct build *build)
{
	const struct model *model = build->model;
	struct snapshot *snap = build->snap;
	double sample_s, counting_ns = 0, samples = 0, switches = 0;
	struct snap_self *self = &snap->self;

	self->counting = self->switching = self->sampling = RATE_UNKNOWN;
	if (model->config.sample_ns <= 0 || snap->interval_s <= 0)
		return;
	sample_s = model->config.sample_ns / 1e9 / snap->interval_s;
	for (size_t i = 0; i < snap->nevents; i++) {
		const struct snap_event *event = &snap->events[i];

		counting_ns += (double)event->count * model->rows[build->numbers[i]].hit_ns;
		samples += (double)event->sampled_count;
	}
	for (size_t slot = 0; slot < model->ncpus; slot++)
		switches += (double)(model->cpus[slot].now.out - model->cpus[slot].tick.out);
	self->counting = counting_ns / 1e9 / snap->interval_s;
	self->switching = switches * SWITCH_PART * sample_s;
	self->sampling = samples * sample_s;
}

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
	self->budget = build->tick->budget > 0 ? build->tick->budget : RATE_UNKNOWN;
	self->sample_limit = build->tick->budget > 0 ? build->tick->sample_limit : RATE_UNKNOWN;
	model->self_cpu_ns = build->tick->cpu_ns;
}

static void build_head(const struct build *build)
{
	const struct model *model = build->model;
	const struct model_tick *tick = build->tick;
	struct snapshot *snap = build->snap;

	snap->seq = model->seq + 1;
	snap->is_final = tick->is_final;
	snap->time_s = (double)tick->wall_ns / 1e9;
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

/* A note that lists the CPUs with this answer (behind or silent), or NULL. */
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
		strbuf_puts(
			&text,
			answer == CPU_SILENT ?
				" did not answer: sums that include it are lower bounds" :
				" is not decoded to its end: tasks and symbols are lower bounds");
		note = snap_strdup(snap, text.text);
	}
	strbuf_fini(&text);
	return note;
}

static const char *verify_note(struct snapshot *snap)
{
	char *text = xasprintf("verify: %s", snap->verify.text);
	const char *note = snap_strdup(snap, text);

	free(text);
	return note;
}

static void build_notes(const struct build *build)
{
	const struct model *model = build->model;
	struct snapshot *snap = build->snap;
	const char **notes = snap_alloc(snap, model->nnotes + 3, sizeof(*notes));
	const char *silent = answer_note(build, CPU_SILENT);
	const char *behind = answer_note(build, CPU_BEHIND);

	if (silent != NULL)
		notes[snap->nnotes++] = silent;
	if (behind != NULL)
		notes[snap->nnotes++] = behind;
	if (snap->verify.text != NULL)
		notes[snap->nnotes++] = verify_note(snap);
	for (size_t i = 0; i < model->nnotes; i++)
		notes[snap->nnotes++] = snap_strdup(snap, model->notes[i]);
	snap->notes = notes;
}

static void keep_totals(void *ctx, const struct task *task)
{
	folds_keep(ctx, task);
}

/* The first thread of a process may exit before the others, which need the process's code. */
static void keep_code_of_threads(struct model *model)
{
	struct task *const *tasks = tasks_all(model->tasks);
	size_t count = maps_has_ended(model->maps) ? tasks_count(model->tasks) : 0;

	for (size_t i = 0; i < count; i++) {
		if (!tasks[i]->is_exited && tasks[i]->tid != tasks[i]->pid)
			maps_go_on(model->maps, tasks[i]->pid);
	}
}

static void close_interval(struct model *model, uint64_t now_ns)
{
	for (size_t i = 0; i < model->nrows * model->ncpus; i++)
		cell_close_interval(&model->cells[i], now_ns);
	for (size_t i = 0; i < model->ncpus; i++) {
		model->cpus[i].tick = model->cpus[i].now;
		model->cpus[i].is_counted = model->cpus[i].has_lost = false;
	}
	tasks_sweep(model->tasks, keep_totals, model->folds);
	chains_fade(model->chains);
	keep_code_of_threads(model);
	maps_tick(model->maps);
	spans_tick(model, now_ns);
	model->tick_ns = now_ns;
	model->seq++;
}

/* CPUs without the mark of this interval: include the weights decoded so far. */
static void settle_uncounted(struct model *model)
{
	for (uint32_t slot = 0; slot < model->ncpus; slot++) {
		for (uint32_t event = 0; event < model->nrows && !model->cpus[slot].is_counted;
		     event++)
			cell_settle_weight(model_cell(model, event, slot));
	}
}

/* Which events have rows: all but those of the side-band and those that were removed. */
static void number_events(struct build *build)
{
	const struct model *model = build->model;
	struct snapshot *snap = build->snap;
	uint32_t *numbers = snap_alloc(snap, model->nrows, sizeof(*numbers));
	uint32_t *indexes = snap_alloc(snap, model->nrows, sizeof(*indexes));

	for (uint32_t number = 0; number < model->nrows; number++) {
		bool has_row = number >= model->config.first && !model->rows[number].is_removed;

		indexes[number] = has_row ? (uint32_t)snap->nevents : NO_INDEX;
		if (has_row)
			numbers[snap->nevents++] = number;
	}
	build->numbers = numbers;
	build->indexes = indexes;
	build->events = snap_alloc(snap, snap->nevents, sizeof(*build->events));
	snap->events = build->events;
}

struct snapshot *model_tick(struct model *model, const struct model_tick *tick)
{
	struct snapshot *snap = snapshot_new(model->snapshot_bytes);
	const float *flat[TREND_SECONDS + 1] = { NULL };
	struct build build = { .model = model, .snap = snap, .tick = tick, .flat = flat };

	settle_uncounted(model);
	build_place_code(model);
	number_events(&build);
	build_head(&build);
	build.fade = exp2(-snap->interval_s / TASK_FADE_HALF_S);
	build_events(&build);
	build_throttled(&build);
	build_settle_running(&build);
	build_cpus(&build);
	build_tasks(&build);
	build_parents(&build);
	build_spans(&build);
	build_symbols(&build);
	build_stream(&build);
	build_verify(&build);
	build_self(&build);
	build_cost(&build);
	build_notes(&build);
	close_interval(model, tick->now_ns);
	/* One piece for all of the next: with whole pages that snapshot_pack() can give back. */
	model->snapshot_bytes = snapshot_used(snap) + snapshot_used(snap) / 8;
	return snap;
}
