/* SPDX-License-Identifier: MIT */
#include "capture/cost.h"
#include "source/engine-inside.h"
#include "source/symbol-event.h"

/* Time for opening events between records, ticks and commands. */
#define OPEN_NS (5 * NSEC_PER_MSEC)
/* A tick after all are open, so that their rows have figures. */
#define SOON_S	 0.05
#define NO_EVENT UINT32_MAX

static const enum sampling samplings[] = {
	[ATTR_COUNT] = SAMPLING_NONE,
	[ATTR_PERIOD] = SAMPLING_PERIOD,
	[ATTR_FREQ] = SAMPLING_FREQ,
	[ATTR_PACED] = SAMPLING_FREQ,
};

/* How it is sampled now: without a limit one that is paced can have a fixed period. */
static void describe_sampling(const struct evset *set, uint32_t number, struct model_event *info)
{
	const struct evset_event *event = evset_event(set, number);

	/* One that is read is weighted, and sampled when its sampler is, at no rate of its own. */
	info->sampling = event->is_read ? SAMPLING_FREQ : samplings[event->sampling];
	info->rate = event->is_read ? 0 : evset_rate(set, number);
	info->is_limited = evset_is_limited(set, number);
	if (event->sampling != ATTR_PACED)
		return;
	info->has_periods = true;
	if (info->rate == ATTR_ALL) {
		info->sampling = SAMPLING_PERIOD;
		info->rate = event->shortest;
	}
}

static uint32_t find_symbol_event(const struct evset *set)
{
	struct symbol_event best = symbol_event_none();

	for (uint32_t i = EVSET_FIRST; i < evset_count(set); i++) {
		if (evset_event(set, i)->state == EVSET_ON)
			symbol_event_offer(&best, i, &evset_event(set, i)->attr);
	}
	return best.number;
}

static void tell_model(struct engine *engine, uint32_t number, bool is_symbol_event)
{
	static const enum event_state states[] = {
		[EVSET_ON] = EVENT_STATE_ON,
		[EVSET_OFF] = EVENT_STATE_OFF,
		[EVSET_FAILED] = EVENT_STATE_FAILED,
		[EVSET_LATER] = EVENT_STATE_LATER,
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
		.is_verified = event->is_verified,
		.hit_ns = cost_of_hit(&event->spec, engine->config.sample_ns),
		.has_code = symbol_event_has_code(&event->attr),
		.is_symbol_event = is_symbol_event,
		.wakes_at = resolver_wakes_at(engine->resolver, number),
		.group = event->spec.group,
		.may_be_multiplexed = event_takes_counter(&event->spec),
		.is_removed = engine->is_removed[number],
	};

	describe_sampling(engine->config.set, number, &info);
	model_set_event(engine->model, number, &info);
}

void engine_tell_model(struct engine *engine)
{
	const struct evset *set = engine->config.set;
	uint32_t symbol_event = find_symbol_event(set);

	for (uint32_t number = EVSET_FIRST; number < evset_count(set); number++)
		tell_model(engine, number, number == symbol_event);
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
		evset_retire(engine->config.set, number, engine->config.closer);
	}
}

bool engine_has_later(const struct engine *engine)
{
	return engine->later != NO_EVENT && engine->phase == PHASE_BETWEEN;
}

/* The next one that nobody has switched on or removed meanwhile. */
static uint32_t find_later(const struct engine *engine)
{
	const struct evset *set = engine->config.set;

	for (uint32_t number = engine->later; number < evset_count(set); number++) {
		if (evset_event(set, number)->state == EVSET_LATER && !engine->is_removed[number])
			return number;
	}
	return NO_EVENT;
}

void engine_open_later(struct engine *engine)
{
	uint64_t until_ns = sys_monotonic_ns() + OPEN_NS;

	engine->later = find_later(engine);
	if (engine->later == NO_EVENT)
		return;
	do {
		evset_switch_on(engine->config.set, engine->later);
		engine_tell_decoder(engine, engine->later);
		engine->later = find_later(engine);
	} while (engine->later != NO_EVENT && sys_monotonic_ns() < until_ns);
	engine_tell_model(engine);
	if (engine->later == NO_EVENT)
		engine_set_timer(engine, SOON_S, engine->interval_s);
}
