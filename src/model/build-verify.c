/* SPDX-License-Identifier: MIT */
#include "model/build-inside.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "base/xalloc.h"

#define FIELDS_MAX 1024

static uint64_t count_events(const struct model *model)
{
	uint64_t count = 0;

	for (size_t i = 0; i < model->nrows; i++)
		count += model->rows[i].is_verified && !model->rows[i].is_removed;
	return count;
}

/* Once: later another task may have the number. */
static void find_words(struct model *model, const struct violation *violation)
{
	const struct model_resolver *resolver = &model->resolver;
	int32_t tid = violation->tid;
	char fields[FIELDS_MAX] = "";

	if (model->violation_comm != NULL)
		return;
	model->violation_comm = xstrdup(model_who(model, &tid));
	if (violation->raw != NULL && resolver->fields != NULL &&
	    !resolver->fields(resolver->ctx, violation->event, violation->raw, violation->raw_size,
			      fields, sizeof(fields)))
		fields[0] = '\0';
	model->violation_fields = xstrdup(fields);
}

static struct snap_violation *build_violation(const struct build *build,
					      const struct violation *from)
{
	struct model *model = build->model;
	struct snapshot *snap = build->snap;
	struct snap_violation *to = snap_alloc(snap, 1, sizeof(*to));

	find_words(model, from);
	*to = (struct snap_violation){
		.event = snap_strdup(snap, model->rows[from->event].name),
		.cpu = model->cpu_ids[from->slot],
		.at_s = (double)(int64_t)(from->time_ns - model->start_ns) / 1e9,
		.comm = snap_strdup(snap, model->violation_comm),
		.pid = from->pid,
		.tid = from->tid,
		.period = from->period,
		.count = from->count,
		.sampled = from->sampled,
		.lost = from->lost,
		.fields = snap_strdup(snap, model->violation_fields),
	};
	return to;
}

/* "sched:sched_switch on cpu 1: its sample 1203 has count 1205, 0 lost: 2 are missing; of ..." */
static const char *say(struct snapshot *snap, const struct snap_violation *violation)
{
	uint64_t due = violation->count / violation->period - violation->lost;
	bool is_short = violation->sampled < due;
	struct strbuf text;

	strbuf_init(&text);
	strbuf_printf(&text, "%s on cpu %d: its sample %" PRIu64, violation->event, violation->cpu,
		      violation->sampled);
	if (violation->period > 1)
		strbuf_printf(&text, " (one in %" PRIu64 ")", violation->period);
	strbuf_printf(&text,
		      " has count %" PRIu64 ", %" PRIu64 " lost: %" PRIu64 " %s; at %.6f s of %s "
		      "(%" PRId32 ")",
		      violation->count, violation->lost,
		      is_short ? due - violation->sampled : violation->sampled - due,
		      is_short ? "missing" : "too many", violation->at_s,
		      violation->comm[0] != '\0' ? violation->comm : "task", violation->tid);
	if (violation->fields[0] != '\0')
		strbuf_printf(&text, ": %s", violation->fields);

	const char *said = snap_strdup(snap, text.text);

	strbuf_fini(&text);
	return said;
}

/* At the end no more samples come of the CPUs that were decoded to their ends. */
static void end(const struct build *build)
{
	struct model *model = build->model;

	for (uint32_t slot = 0; slot < model->ncpus && build->tick->is_final; slot++) {
		if (model->cpus[slot].is_counted)
			verify_end(model->verify, slot);
	}
}

void build_verify(const struct build *build)
{
	struct model *model = build->model;
	struct snapshot *snap = build->snap;

	if (model->verify == NULL)
		return;
	end(build);

	struct verify_sums sums = verify_sums(model->verify);

	snap->is_verified = true;
	snap->verify.events = count_events(model);
	snap->verify.checked = sums.checked;
	snap->verify.missing = sums.missing;
	snap->verify.extra = sums.extra;
	if (sums.first == NULL)
		return;

	struct snap_violation *first = build_violation(build, sums.first);

	snap->verify.first = first;
	snap->verify.text = say(snap, first);
}
