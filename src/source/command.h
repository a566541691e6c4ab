/* SPDX-License-Identifier: MIT */
/*
 * command - commands from main to the thread that builds snapshots, through a pipe.
 *
 * Writes of this size are atomic, so more than one thread may send.  A pipe of 64 KiB holds about
 * 1,600 commands; further ones are dropped.
 */
#ifndef SOURCE_COMMAND_H
#define SOURCE_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

enum command_kind {
	COMMAND_TOGGLE,	  /* switch an event off, or on again */
	COMMAND_ADD,	  /* open a new event, or one that was removed */
	COMMAND_REMOVE,	  /* close an event; it has no row from then on */
	COMMAND_ZERO,	  /* reset all totals */
	COMMAND_INTERVAL, /* change the time between snapshots */
	COMMAND_STREAM,	  /* keep records from now on */
	COMMAND_PAUSE,	  /* a replay: stop its clock, or go on */
	COMMAND_MOVE,	  /* a replay: go to another time */
	COMMAND_FINISH,	  /* build the final snapshot, then end */
};

struct command {
	enum command_kind kind;
	uint32_t id;		 /* TOGGLE, REMOVE; ADD of a removed one: snap_event.id */
	struct event_spec *spec; /* ADD: the new event, owned by the command; NULL: a removed one */
	double seconds;		 /* INTERVAL; MOVE: since 1970 */
	bool is_on;		 /* PAUSE */
	uint64_t until_ns;	 /* FINISH: see source_finish() */
};

struct event_spec;

struct command_pipe {
	int in, out; /* -1: not open */
};

/* Open the pipe: 0, or -1 and errno with both ends -1. */
int command_pipe_open(struct command_pipe *pipe);
void command_pipe_close(struct command_pipe *pipe);

/*
 * Send a command: false when it was dropped because the pipe is full, or is not open.  Any thread;
 * never blocks.
 */
bool command_send(const struct command_pipe *pipe, const struct command *command);

/* Take the oldest command: false for none.  One thread, which may poll pipe->out. */
bool command_take(const struct command_pipe *pipe, struct command *command);

#endif
