/* SPDX-License-Identifier: MIT */
#include "source/engine-inside.h"

static bool is_on(const struct engine *engine, uint32_t number)
{
	return evset_event(engine->config.set, number)->state == EVSET_ON;
}

static void tell(struct engine *engine, uint32_t number)
{
	engine_tell_model(engine);
	engine_tell_decoder(engine, number);
}

static void switch_one_off(struct engine *engine, uint32_t number)
{
	evset_switch_off(engine->config.set, number);
	engine->retiring[number] = engine->round + 1; /* requested marks can be older */
}

static void switch_one_on(struct engine *engine, uint32_t number)
{
	evset_switch_on(engine->config.set, number);
	engine->retiring[number] = 0;
}

/* Those that it samples for have no samples and do not count without it: they are switched with it. */
static void switch_with(struct engine *engine, uint32_t sampler,
			void (*switch_one)(struct engine *engine, uint32_t number))
{
	const struct evset *set = engine->config.set;

	switch_one(engine, sampler);
	for (uint32_t number = sampler + 1; number < evset_count(set); number++) {
		if (evset_sampler(set, number) == sampler && !engine->is_removed[number]) {
			switch_one(engine, number);
			engine_tell_decoder(engine, number);
		}
	}
}

static void switch_off(struct engine *engine, uint32_t number)
{
	switch_with(engine, number, switch_one_off);
}

static void switch_on(struct engine *engine, uint32_t number)
{
	switch_with(engine, number, switch_one_on);
}

static void toggle(struct engine *engine, uint32_t number)
{
	if (is_on(engine, number))
		switch_off(engine, number);
	else
		switch_on(engine, number);
	tell(engine, number);
}

static void remove_event(struct engine *engine, uint32_t number)
{
	if (is_on(engine, number))
		switch_off(engine, number);
	engine->is_removed[number] = true;
	tell(engine, number);
}

static void add_again(struct engine *engine, uint32_t number)
{
	engine->is_removed[number] = false;
	if (!is_on(engine, number))
		switch_on(engine, number);
	tell(engine, number);
}

/* A reopening counts from the time when it was enabled, which a new event is to do, too. */
static void add(struct engine *engine, struct event_spec *spec)
{
	struct evset *set = engine->config.set;

	if (evset_count(set) == evset_capacity(set))
		return;
	spec->is_off = true;
	add_again(engine, evset_add(set, spec));
}

static void change_event(struct engine *engine, const struct command *command)
{
	uint32_t number = EVSET_FIRST + command->id;

	if (command->spec != NULL)
		add(engine, command->spec);
	else if (command->id >= evset_count(engine->config.set) - EVSET_FIRST)
		return;
	else if (command->kind == COMMAND_ADD)
		add_again(engine, number);
	else if (command->kind == COMMAND_REMOVE)
		remove_event(engine, number);
	else
		toggle(engine, number);
}

void engine_obey(struct engine *engine)
{
	struct command command;

	if (!command_take(&engine->source.commands, &command))
		return;
	switch (command.kind) {
	case COMMAND_TOGGLE:
	case COMMAND_ADD:
	case COMMAND_REMOVE:
		change_event(engine, &command);
		break;
	case COMMAND_ZERO:
		model_zero(engine->model);
		break;
	case COMMAND_INTERVAL:
		engine->interval_s = command.seconds;
		engine_set_timer(engine, command.seconds, command.seconds);
		break;
	case COMMAND_STREAM:
		model_stream(engine->model);
		break;
	case COMMAND_PAUSE: /* of a replay only */
	case COMMAND_MOVE:
		break;
	case COMMAND_FINISH:
		engine_finish(engine, command.until_ns);
		break;
	}
	source_command_done(&command);
}
