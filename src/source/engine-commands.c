/* SPDX-License-Identifier: MIT */
#include "source/engine-inside.h"

/* Switch an event off, or on again. */
static void toggle(struct engine *engine, uint32_t row)
{
	uint32_t number = EVSET_FIRST + row;

	if (number >= evset_count(engine->config.set))
		return;
	if (evset_event(engine->config.set, number)->state == EVSET_ON) {
		evset_switch_off(engine->config.set, number);
		engine->retiring[number] = engine->round + 1; /* requested marks can be older */
	} else {
		evset_switch_on(engine->config.set, number);
		engine->retiring[number] = 0;
	}
	for (uint32_t i = EVSET_FIRST; i < evset_count(engine->config.set); i++)
		engine_tell_model(engine, i); /* the event of the symbols can have changed */
	engine_tell_decoder(engine, number);
}

void engine_obey(struct engine *engine)
{
	struct command command;

	if (!command_take(&engine->source.commands, &command))
		return;
	switch (command.kind) {
	case COMMAND_TOGGLE:
		toggle(engine, command.row);
		break;
	case COMMAND_ZERO:
		model_zero(engine->model);
		break;
	case COMMAND_INTERVAL:
		engine->interval_s = command.seconds;
		engine_set_timer(engine, command.seconds, command.seconds);
		break;
	case COMMAND_FINISH:
		engine_finish(engine, command.until_ns);
		break;
	}
}
