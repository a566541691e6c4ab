/* SPDX-License-Identifier: MIT */
#include "source/engine-inside.h"

#include "base/apart.h"

uint64_t engine_period_of(void *ctx, uint32_t slot, uint32_t number)
{
	const struct engine *engine = ctx;

	return counters_bound(evset_counters(engine->config.set, slot), number);
}

/* Of another event than the sample's: it has no fields of its own. */
static void clear_fields(struct record *sample)
{
	sample->raw = NULL;
	sample->raw_size = 0;
	sample->period = 0;
}

/* One whose count did not grow has no part in the sample. */
static void take_member(struct engine *engine, uint32_t slot, uint32_t number,
			const struct record *record, const struct record_member *member)
{
	uint32_t of = decoder_event_of(engine->decoder, member->id);
	struct record sample = *record;

	if (of == DECODER_NO_EVENT)
		return;
	sample.nmembers = 0;
	sample.id = sample.value_id = member->id;
	sample.has_value = true;
	sample.value = member->value;
	sample.value_lost = member->lost;
	if (of != number)
		clear_fields(&sample);
	else if (sample.period == 0)
		sample.period = engine_period_of(engine, slot, number);
	if (of == number || model_growth(engine->model, slot, of, &sample) > 0)
		model_record(engine->model, slot, of, &sample);
}

static APART void take_members(struct engine *engine, uint32_t slot, uint32_t number,
			       const struct record *record)
{
	for (uint64_t i = 0; i < record->nmembers; i++) {
		struct record_member member = record_member(record, i);

		take_member(engine, slot, number, record, &member);
	}
}

void engine_record(void *ctx, uint32_t slot, uint32_t number, const struct record *record)
{
	struct engine *engine = ctx;

	if (record->nmembers == 0)
		model_record(engine->model, slot, number, record);
	else
		take_members(engine, slot, number, record);
}
