/* SPDX-License-Identifier: MIT */
#include "source/source.h"

#include <poll.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/sys.h"
#include "base/xalloc.h"

const char *source_start(struct source *source, double first_tick_s)
{
	return source->ops->start != NULL ? source->ops->start(source, first_tick_s) : NULL;
}

int source_fd(const struct source *source)
{
	return source->mailbox.filled;
}

const struct snapshot *source_take(struct source *source)
{
	uint32_t moves = 0;
	const struct snapshot *snap = mailbox_take(&source->mailbox, &moves);

	if (snap == NULL)
		return NULL;
	if (snap->is_final)
		source->is_final_taken = true;
	else if (moves != source->moves) {
		snapshot_release(snap);
		return NULL;
	}
	return snap;
}

static bool send(struct source *source, struct command command)
{
	if (source->ops->command == NULL)
		return command_send(&source->commands, &command);
	source->ops->command(source, &command);
	return true;
}

static void free_spec(struct event_spec *spec)
{
	if (spec == NULL)
		return;
	event_spec_fini(spec);
	free(spec);
}

bool source_add(struct source *source, const struct event_spec *spec)
{
	struct event_spec *copy = xcalloc(1, sizeof(*copy));

	*copy = event_spec_copy(spec);
	if (send(source, (struct command){ .kind = COMMAND_ADD, .spec = copy }))
		return true;
	free_spec(copy);
	return false;
}

bool source_add_again(struct source *source, uint32_t id)
{
	return send(source, (struct command){ .kind = COMMAND_ADD, .id = id });
}

bool source_remove(struct source *source, uint32_t id)
{
	return send(source, (struct command){ .kind = COMMAND_REMOVE, .id = id });
}

void source_toggle(struct source *source, uint32_t id)
{
	send(source, (struct command){ .kind = COMMAND_TOGGLE, .id = id });
}

void source_zero(struct source *source)
{
	send(source, (struct command){ .kind = COMMAND_ZERO });
}

void source_stream(struct source *source)
{
	send(source, (struct command){ .kind = COMMAND_STREAM });
}

void source_interval(struct source *source, double seconds)
{
	send(source, (struct command){ .kind = COMMAND_INTERVAL, .seconds = seconds });
}

void source_pause(struct source *source, bool is_paused)
{
	send(source, (struct command){ .kind = COMMAND_PAUSE, .is_on = is_paused });
}

void source_move(struct source *source, double time_s)
{
	if (send(source, (struct command){ .kind = COMMAND_MOVE, .seconds = time_s }))
		source->moves++;
}

void source_finish(struct source *source, uint64_t until_ns)
{
	send(source, (struct command){ .kind = COMMAND_FINISH, .until_ns = until_ns });
}

char *source_complaint(const struct source *source)
{
	return source->ops->complaint != NULL ? source->ops->complaint(source) : NULL;
}

bool source_free(struct source *source, uint64_t until_ns)
{
	return source == NULL || source->ops->free(source, until_ns);
}

int source_init(struct source *source, const struct source_ops *ops)
{
	source->ops = ops;
	source->is_final_taken = false;
	source->moves = 0;
	source->commands = (struct command_pipe){ -1, -1 };
	return mailbox_init(&source->mailbox) != 0 ? -1 : command_pipe_open(&source->commands);
}

void source_command_done(struct command *command)
{
	free_spec(command->spec);
	command->spec = NULL;
}

void source_fini(struct source *source)
{
	struct command command;

	while (source->commands.out >= 0 && command_take(&source->commands, &command))
		source_command_done(&command);
	mailbox_fini(&source->mailbox);
	command_pipe_close(&source->commands);
}

void source_drain(struct source *source, uint64_t until_ns)
{
	if (!source->is_final_taken)
		source_finish(source, 0);
	while (!source->is_final_taken) {
		struct pollfd filled = { .fd = source_fd(source), .events = POLLIN };

		sys_poll(&filled, 1, sys_msec_until(until_ns));
		snapshot_release(source_take(source));
		if (sys_monotonic_ns() >= until_ns)
			return;
	}
}
