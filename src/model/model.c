/* SPDX-License-Identifier: MIT */
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

#include "base/apart.h"
#include "base/xalloc.h"
#include "model/stream.h"
#include "model/switches.h"
#include "model/tables.h"

/* --- life ----------------------------------------------------------------------------------- */

static void cpu_init(struct model_cpu *cpu)
{
	cpu->is_online = true;
	cpu->running = TID_NONE;
	cpu->place = (struct cpu_place)CPU_PLACE_UNKNOWN;
}

static void cpu_fini(struct model_cpu *cpu)
{
	for (size_t i = 0; i < CPU_TRENDS; i++)
		trend_fini(&cpu->trends[i]);
}

struct model *model_new(const struct model_config *config, const struct model_resolver *resolver)
{
	struct model *model = xcalloc(1, sizeof(*model));

	model->config = *config;
	model->resolver = *resolver;
	model->host = xstrdup(config->host);
	model->kernel = xstrdup(config->kernel);
	model->ncpus = config->cpus->count;
	model->cpu_ids = xcalloc(model->ncpus, sizeof(*model->cpu_ids));
	memcpy(model->cpu_ids, config->cpus->ids, model->ncpus * sizeof(*model->cpu_ids));
	model->rows = xcalloc(config->capacity, sizeof(*model->rows));
	model->cells = xcalloc(config->capacity * model->ncpus, sizeof(*model->cells));
	model->cpus = xcalloc(model->ncpus, sizeof(*model->cpus));
	for (size_t i = 0; i < model->ncpus; i++)
		cpu_init(&model->cpus[i]);
	model->tasks = tasks_new();
	model->folds = folds_new();
	model->parents = parents_new();
	model->maps = maps_new();
	model->chains = chains_new();
	model->process_names = process_names_new();
	model->switchlog = switchlog_new(model->ncpus);
	model->runners = runners_new();
	if (config->has_verify)
		model->verify = verify_new(config->capacity, model->ncpus);
	return model;
}

/* Grow an array from `old_count` to `count` elements of `size` bytes; the new ones are zeroed. */
static void *regrow(void *old, size_t old_count, size_t count, size_t size)
{
	char *grown = xreallocarray(old, count, size);

	memset(grown + old_count * size, 0, (count - old_count) * size);
	return grown;
}

static void grow_cells(struct model *model, size_t capacity, size_t ncpus)
{
	struct cell *cells = xcalloc(capacity * ncpus, sizeof(*cells));

	for (size_t i = 0; i < capacity * ncpus; i++)
		cells[i].tick_read_ns = model->tick_ns;
	for (size_t event = 0; event < model->config.capacity; event++)
		memcpy(&cells[event * ncpus], &model->cells[event * model->ncpus],
		       model->ncpus * sizeof(*cells));
	free(model->cells);
	model->cells = cells;
}

void model_grow(struct model *model, size_t capacity, const struct cpulist *cpus)
{
	size_t old_events = model->config.capacity, old_cpus = model->ncpus;

	if (capacity < old_events || cpus->count < old_cpus)
		return;
	grow_cells(model, capacity, cpus->count);
	model->rows = regrow(model->rows, old_events, capacity, sizeof(*model->rows));
	model->cpus = regrow(model->cpus, old_cpus, cpus->count, sizeof(*model->cpus));
	model->cpu_ids = regrow(model->cpu_ids, old_cpus, cpus->count, sizeof(*model->cpu_ids));
	for (size_t i = old_cpus; i < cpus->count; i++) {
		model->cpu_ids[i] = cpus->ids[i];
		cpu_init(&model->cpus[i]);
	}
	for (size_t i = 0; i < model->nrows; i++) {
		struct model_row *row = &model->rows[i];

		if (row->cpu_trends != NULL)
			row->cpu_trends = regrow(row->cpu_trends, old_cpus, cpus->count,
						 sizeof(*row->cpu_trends));
	}
	model->are_placed = false;
	switchlog_grow(model->switchlog, cpus->count);
	model->config.capacity = capacity;
	model->ncpus = cpus->count;
}

static void drop_trends(struct model_row *row, size_t ncpus)
{
	trend_fini(&row->trend);
	for (size_t slot = 0; row->cpu_trends != NULL && slot < ncpus; slot++)
		trend_fini(&row->cpu_trends[slot]);
	free(row->cpu_trends);
	row->cpu_trends = NULL;
}

static void row_fini(struct model_row *row, size_t ncpus)
{
	drop_trends(row, ncpus);
	free(row->name);
	free(row->asked);
	free(row->kind);
	free(row->unit);
	free(row->reason);
	free(row->filter);
	free(row->last_raw);
}

void model_free(struct model *model)
{
	if (model == NULL)
		return;

	for (size_t i = 0; i < model->nrows; i++)
		row_fini(&model->rows[i], model->ncpus);
	for (size_t slot = 0; slot < model->ncpus; slot++)
		cpu_fini(&model->cpus[slot]);
	for (size_t i = 0; i < model->nnotes; i++)
		free(model->notes[i]);
	free(model->notes);
	tasks_free(model->tasks);
	folds_free(model->folds);
	parents_free(model->parents);
	chains_free(model->chains);
	process_names_free(model->process_names);
	maps_free(model->maps);
	switchlog_free(model->switchlog);
	runners_free(model->runners);
	stream_free(model->stream);
	verify_free(model->verify);
	free(model->violation_comm);
	free(model->violation_fields);
	free(model->own);
	free(model->spans);
	free(model->rows);
	free(model->cells);
	free(model->cpus);
	free(model->cpu_ids);
	free(model->host);
	free(model->kernel);
	free(model);
}

static void replace(char **old, const char *new)
{
	free(*old);
	*old = new != NULL ? xstrdup(new) : NULL;
}

static void begin_row(struct model *model, uint32_t event)
{
	model->rows[event].is_known = true;
	model->rows[event].is_last_wanted = true;
	for (uint32_t slot = 0; slot < model->ncpus; slot++)
		model_cell(model, event, slot)->tick_read_ns = model->tick_ns;
}

void model_set_event(struct model *model, uint32_t event, const struct model_event *info)
{
	struct model_row *row = &model->rows[event];

	if (event >= model->nrows)
		model->nrows = event + 1;
	if (!row->is_known)
		begin_row(model, event);
	replace(&row->name, info->name);
	replace(&row->asked, info->asked != NULL ? info->asked : info->name);
	replace(&row->kind, info->kind);
	replace(&row->unit, info->unit);
	replace(&row->reason, info->reason);
	replace(&row->filter, info->filter);
	row->state = info->state;
	row->was_open |= info->state == EVENT_STATE_ON;
	row->sampling = info->sampling;
	row->rate = info->rate;
	row->is_limited = info->is_limited;
	row->has_periods = info->has_periods || info->sampling == SAMPLING_FREQ;
	row->is_removed = info->is_removed;
	/* If it comes back later, the seconds without it would be missing. */
	if (row->is_removed)
		drop_trends(row, model->ncpus);
	row->is_of_samples = info->is_of_samples;
	row->lacks_lost = info->lacks_lost;
	row->has_code = info->has_code;
	row->is_symbol_event = info->is_symbol_event;
	row->is_verified = info->is_verified;
	row->wakes_at = info->wakes_at;
	row->group = info->group;
	row->hit_ns = info->hit_ns;
	row->may_be_multiplexed = info->may_be_multiplexed;
	row->is_clock = info->unit[0] != '\0';
}

void model_note(struct model *model, const char *text)
{
	model->notes = xreallocarray(model->notes, model->nnotes + 1, sizeof(*model->notes));
	model->notes[model->nnotes++] = xstrdup(text);
}

void model_start(struct model *model, uint64_t now_ns)
{
	model->start_ns = model->zero_ns = model->tick_ns = model->spans_aged_ns = now_ns;
	for (size_t i = 0; i < model->nrows * model->ncpus; i++)
		model->cells[i].tick_read_ns = now_ns;
}

/* --- records -------------------------------------------------------------------------------- */

static APART void keep_last(struct model_row *row, const struct record *record)
{
	row->is_last_wanted = false;
	if (record->raw_size > LAST_RAW_BYTES)
		return;
	if (row->last_raw == NULL)
		row->last_raw = xcalloc(1, LAST_RAW_BYTES);
	memcpy(row->last_raw, record->raw, record->raw_size);
	row->last_size = record->raw_size;
}

static struct sample_count count_in(const struct record *record)
{
	return (struct sample_count){ record->value_id, record->value, record->value_lost };
}

/* Of a sample that has its event's count. */
static APART struct weight weigh_count(struct cell *cell, const struct record *record, bool is_next)
{
	struct sample_count sample = count_in(record);

	return cell_weigh(cell, &sample, record->period, is_next);
}

static struct weight weigh(const struct model_row *row, struct cell *cell,
			   const struct record *record, bool is_next)
{
	if (record->has_value)
		return weigh_count(cell, record, is_next);

	uint64_t weight = row->has_periods ? record->period : row->rate;
	return (struct weight){ weight, weight };
}

static bool find_place(void *ctx, int32_t pid, uint64_t address, uint64_t time_ns,
		       struct code *code)
{
	const struct model *model = ctx;

	return maps_find(model->maps, pid, address, time_ns, code);
}

/* The row of the task that a sample is of; NULL if it is our own or unknown. */
static struct task *task_of_sample(struct model *model, uint32_t slot, const struct record *record)
{
	int32_t pid = (int32_t)record->pid, tid = (int32_t)record->tid;

	if (!model_has_exited(pid, tid))
		return model_visible_task(model, pid, tid, record->time_ns);
	return model_is_own(model, pid) ? NULL : switches_exited(model, slot, pid);
}

static APART void take_code(struct model *model, uint32_t event, const struct record *record,
			    uint64_t weight)
{
	const struct chain_places places = { .ctx = model, .find = find_place };

	chains_sample(model->chains, event, record, &places, weight);
}

static void on_sample(struct model *model, uint32_t slot, uint32_t event,
		      const struct record *record)
{
	struct model_row *row = &model->rows[event];
	struct cell *cell = model_cell(model, event, slot);
	bool is_next = model->cpus[slot].is_counted;
	struct weight weight = weigh(row, cell, record, is_next);
	struct task *task = task_of_sample(model, slot, record);
	int32_t pid = (int32_t)record->pid;

	if (model->verify != NULL && row->is_verified && record->has_value)
		verify_sample(model->verify, event, slot, row->rate, record);
	if (cell->throttled_since_ns != 0)
		cell_sample_throttled(cell, record->time_ns);
	if (row->is_last_wanted && record->raw != NULL)
		keep_last(row, record);
	/* The task had exited and is unknown: its weight counts as unseen. */
	if (task == NULL && !model_is_own(model, pid))
		weight = (struct weight){ 0 };
	cell_sample(cell, weight);
	if (model->config.has_switches && model->cpu_ids[slot] != CPU_UNKNOWN) {
		if (row->wakes_at != 0)
			switches_wakeup(model, slot, record, row->wakes_at, weight.total);
		switches_sample(&model->cpus[slot], (int32_t)record->tid, record->time_ns);
	}
	if (model->stream != NULL)
		stream_sample(model, slot, event, record, task, weight.total);
	if (task == NULL)
		return;
	task_sample(task, event, weight, is_next);
	if (row->has_code && pid > 0)
		take_code(model, event, record, weight.total);
}

bool model_is_of_cpu(uint32_t type)
{
	switch (type) {
	case PERF_RECORD_SAMPLE:
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return true;
	default:
		return false;
	}
}

static APART void on_other(struct model *model, uint32_t slot, uint32_t event,
			   const struct record *record)
{
	switch (record->type) {
	case PERF_RECORD_LOST:
		model->lost_records += record->lost.lost;
		model->cpus[slot].has_lost = true;
		switches_lost(model, slot, record->time_ns);
		break;
	case PERF_RECORD_THROTTLE:
		cell_throttle(model_cell(model, event, slot), record->throttle.time_ns);
		break;
	case PERF_RECORD_UNTHROTTLE:
		cell_unthrottle(model_cell(model, event, slot), record->throttle.time_ns);
		break;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		switches_record(model, slot, record);
		break;
	case PERF_RECORD_COMM:
		lives_comm(model, record);
		break;
	case PERF_RECORD_FORK:
		lives_fork(model, record);
		break;
	case PERF_RECORD_EXIT:
		lives_exit(model, record);
		break;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		maps_map(model->maps, record);
		break;
	default:
		break;
	}
}

void model_record(struct model *model, uint32_t slot, uint32_t event, const struct record *record)
{
	if (model->stream != NULL)
		stream_other(model, slot, event, record);
	if (record->type != PERF_RECORD_SAMPLE)
		on_other(model, slot, event, record);
	/* A file may have samples of an event without a row: of a dummy, or beyond the room for rows. */
	else if (event >= model->config.first)
		on_sample(model, slot, event, record);
}

uint64_t model_growth(const struct model *model, uint32_t slot, uint32_t event,
		      const struct record *record)
{
	struct sample_count sample = count_in(record);

	return record->has_value ? cell_growth(model_cell(model, event, slot), &sample) : 0;
}

struct sample_count *model_last_sample(struct model *model, uint32_t slot, uint32_t event)
{
	return &model_cell(model, event, slot)->sample;
}

void model_leave_out(struct model *model, uint32_t slot, uint32_t event,
		     const struct record *record)
{
	if (record->has_value)
		model_cell(model, event, slot)->sample = count_in(record);
}

/* --- counts and the rest -------------------------------------------------------------------- */

void model_counts(struct model *model, uint32_t slot, const struct count *counts, size_t n,
		  uint64_t read_ns, enum model_mark mark)
{
	for (size_t event = 0; event < n; event++) {
		struct cell *cell = model_cell(model, (uint32_t)event, slot);

		cell_count(cell, &counts[event], read_ns);
		if (mark != MARK_NONE)
			cell_settle(cell);
	}
	if (mark == MARK_NONE)
		return;
	if (model->verify != NULL)
		verify_counted(model->verify, slot);
	model->cpus[slot].is_counted |= mark == MARK_IN_TIME;
	model->cpus[slot].marked_ns = read_ns;
}

void model_go_on(struct model *model)
{
	for (size_t slot = 0; slot < model->ncpus; slot++)
		model->cpus[slot].is_counted = false;
	tasks_go_on(model->tasks);
}

void model_ring(struct model *model, uint32_t slot, uint64_t bytes, uint64_t corrupt)
{
	model->cpus[slot].ring_bytes = bytes;
	model->cpus[slot].corrupt = corrupt;
}

void model_cpu_answer(struct model *model, uint32_t slot, enum cpu_answer answer)
{
	model->cpus[slot].answer = answer;
}

void model_cpu_online(struct model *model, uint32_t slot, bool is_online)
{
	if (model->cpus[slot].is_online != is_online)
		model->are_placed = false;
	model->cpus[slot].is_online = is_online;
}

uint64_t model_lost(const struct model *model, uint32_t event, uint32_t slot)
{
	return model_cell(model, event, slot)->now.lost;
}

void model_each_name(const struct model *model, model_name_fn *take, void *ctx)
{
	struct task *const *all = tasks_all(model->tasks);

	for (size_t i = 0; i < tasks_count(model->tasks); i++) {
		const struct task *task = all[i];

		if (task->tid > 0 && task->comm[0] != '\0')
			take(ctx, task->pid, task->tid, task->comm);
	}
}

void model_each_maps(const struct model *model, maps_fn *take, void *ctx)
{
	maps_each(model->maps, take, ctx);
}

void model_zero(struct model *model)
{
	model->zero_ns = model->tick_ns;
	for (size_t i = 0; i < model->nrows * model->ncpus; i++)
		model->cells[i].zero = model->cells[i].now;
	for (size_t i = 0; i < model->ncpus; i++)
		model->cpus[i].zero = model->cpus[i].now;
	tasks_zero(model->tasks);
	folds_zero(model->folds);
	free(model->spans);
	model->spans = NULL;
	chains_zero(model->chains);
}

bool model_has_chains(const struct model *model)
{
	return chains_count(model->chains) > 0;
}
