/* SPDX-License-Identifier: MIT */
#include "source/engine-inside.h"

static const enum sampling samplings[] = {
	[ATTR_COUNT] = SAMPLING_NONE,
	[ATTR_PERIOD] = SAMPLING_PERIOD,
	[ATTR_FREQ] = SAMPLING_FREQ,
	[ATTR_PACED] = SAMPLING_FREQ,
};

/*
 * The event that symbols come from: the first clock or hardware event that is on and samples
 * addresses; else the first one with call chains.  Or the count of events: none.
 */
static uint32_t find_symbol_event(const struct evset *set)
{
	uint32_t count = (uint32_t)evset_count(set), with_chain = count;

	for (uint32_t i = EVSET_FIRST; i < count; i++) {
		const struct evset_event *event = evset_event(set, i);
		uint64_t type = event->attr.sample_type;

		if (event->state != EVSET_ON)
			continue;
		if ((type & PERF_SAMPLE_IP) &&
		    (event->spec.is_clock || event->spec.kind == EVENT_HARDWARE))
			return i;
		if ((type & PERF_SAMPLE_CALLCHAIN) && with_chain == count)
			with_chain = i;
	}
	return with_chain;
}

void engine_tell_model(struct engine *engine, uint32_t number)
{
	static const enum event_state states[] = {
		[EVSET_ON] = EVENT_STATE_ON,
		[EVSET_OFF] = EVENT_STATE_OFF,
		[EVSET_FAILED] = EVENT_STATE_FAILED,
	};
	const struct evset_event *event = evset_event(engine->config.set, number);
	char unit[EVENT_UNIT_MAX];
	struct model_event info = {
		.name = event->spec.name,
		.asked = event->asked,
		.kind = event_kind_name(event->spec.kind),
		.unit = event_unit(&event->spec, unit),
		.state = states[event->state],
		.reason = event->reason,
		.filter = event->spec.filter,
		.sampling = samplings[event->sampling],
		.rate = event->rate,
		.has_ip = find_symbol_event(engine->config.set) == number,
		.wakes_at = resolver_wakes_at(engine->resolver, number),
		.may_be_multiplexed = event_takes_counter(&event->spec),
		.is_removed = engine->is_removed[number],
	};

	model_set_event(engine->model, number, &info);
}

void engine_tell_decoder(struct engine *engine, uint32_t number)
{
	const struct evset *set = engine->config.set;
	const struct evset_event *event = evset_event(set, number);

	recorder_event(engine->config.recorder, number);
	decoder_add_event(engine->decoder, number, &event->attr, event->ids,
			  evset_slots(set) * evset_targets(set));
}

/* The last round with all its marks received. */
static uint64_t whole_round(const struct engine *engine)
{
	uint64_t round = engine->round;

	for (size_t i = 0; i < engine->nslots; i++) {
		const struct engine_slot *slot = &engine->slots[i];

		if (slot->state != SLOT_OFFLINE && slot->counted_round < round)
			round = slot->counted_round;
	}
	return round;
}

/* Every reader has read the counters after these events were switched off. */
void engine_retire_events(struct engine *engine)
{
	uint64_t round = whole_round(engine);

	for (uint32_t number = EVSET_FIRST; number < evset_count(engine->config.set); number++) {
		if (engine->retiring[number] == 0 || engine->retiring[number] > round)
			continue;
		engine->retiring[number] = 0;
		evset_retire(engine->config.set, number, engine->closer);
	}
}
