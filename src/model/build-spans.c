/* SPDX-License-Identifier: MIT */
#include "model/build-inside.h"

#include <stdlib.h>

#include "model/spans.h"

/* Records until the earliest mark are decoded on all CPUs; at the end, all are. */
void build_measure_spans(const struct build *build)
{
	uint64_t until_ns = UINT64_MAX;
	bool is_late = false;

	for (uint32_t slot = 0; slot < build->model->ncpus; slot++) {
		const struct model_cpu *cpu = &build->model->cpus[slot];

		is_late |= build_answer(build->model, slot) != CPU_ANSWERED;
		if (cpu->is_counted && cpu->marked_ns < until_ns && !build->tick->is_final)
			until_ns = cpu->marked_ns;
	}
	if (is_late)
		spans_measure_early(build->model);
	else
		spans_measure(build->model, until_ns);
}

static void build_span(const struct build *build, const struct histogram *generations,
		       struct snap_span *out)
{
	struct histogram sum = generations[0];

	for (size_t i = 1; i < SPANS_GENERATIONS; i++)
		histogram_sum(&sum, &generations[i]);
	if (sum.count == 0)
		return;

	uint64_t *octaves = snap_alloc(build->snap, HISTOGRAM_OCTAVES, sizeof(*octaves));
	histogram_octaves(&sum, octaves);
	*out = (struct snap_span){
		.count = sum.count,
		.p50 = (double)histogram_quantile(&sum, 0.5) / 1e9,
		.p99 = (double)histogram_quantile(&sum, 0.99) / 1e9,
		.max = (double)sum.max_ns / 1e9,
		.octaves = octaves,
	};
}

static int by_times(const void *a, const void *b)
{
	const struct snap_preempter *left = a, *right = b;

	if (left->count != right->count)
		return left->count > right->count ? -1 : 1;
	return left->tid < right->tid ? -1 : left->tid > right->tid;
}

static void build_preempters(const struct build *build, const struct spans *spans,
			     struct snap_task *out)
{
	struct snap_preempter *preempters =
		snap_alloc(build->snap, SPANS_PREEMPTERS, sizeof(*preempters));

	for (size_t i = 0; i < SPANS_PREEMPTERS; i++) {
		const struct preempter *preempter = &spans->preempters[i];
		uint64_t times = preempter_times(preempter);

		if (times > 0)
			preempters[out->npreempters++] =
				(struct snap_preempter){ snap_strdup(build->snap, preempter->comm),
							 preempter->tid, times };
	}
	qsort(preempters, out->npreempters, sizeof(*preempters), by_times);
	out->preempters = preempters;
}

static struct snap_span no_span(void)
{
	return (struct snap_span){ .p50 = RATE_UNKNOWN, .p99 = RATE_UNKNOWN, .max = RATE_UNKNOWN };
}

const struct spans *build_spans_of(const struct build *build, const struct task *task)
{
	bool is_fold = task->tid == -1 || task->is_folded;

	return is_fold ? folds_find(build->model->folds, task)->spans : task->spans;
}

void build_row_spans(const struct build *build, const struct spans *spans, struct snap_task *out)
{
	out->slice = out->wait = no_span();
	if (spans == NULL)
		return;
	build_span(build, spans->slices, &out->slice);
	build_span(build, spans->waits, &out->wait);
	build_preempters(build, spans, out);
}

void build_spans(const struct build *build)
{
	const struct model *model = build->model;
	struct snapshot *snap = build->snap;

	for (uint32_t event = model->config.first; event < model->nrows; event++)
		snap->has_wakeups |= model->rows[event].state == EVENT_STATE_ON &&
				     model->rows[event].sampling != SAMPLING_NONE &&
				     model->rows[event].wakes_at != 0;
	snap->slice = snap->wait = snap->rest.slice = snap->rest.wait = no_span();
	if (model->spans == NULL)
		return;
	build_span(build, model->spans->slices, &snap->slice);
	build_span(build, model->spans->waits, &snap->wait);
}
