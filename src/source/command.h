/* SPDX-License-Identifier: MIT */
/*
 * command - what main asks of the thread that makes snapshots, through a pipe.
 *
 * Writes of this size are atomic, so that more than one thread may send.  Some 2,000 commands can wait;
 * further ones are dropped.
 */
#ifndef SOURCE_COMMAND_H
#define SOURCE_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

enum command_kind {
	COMMAND_TOGGLE,	  /* an event off, or on again */
	COMMAND_ZERO,	  /* all counts begin anew */
	COMMAND_INTERVAL, /* between snapshots */
	COMMAND_FINISH,	  /* the final snapshot, please */
};

struct command {
	enum command_kind kind;
	uint32_t row;	   /* TOGGLE: of the snapshot's events */
	double seconds;	   /* INTERVAL */
	uint64_t until_ns; /* FINISH: see source_finish() */
};

struct command_pipe {
	int in, out; /* -1: not open */
};

/* 0, or -1 and errno with both ends -1. */
int command_pipe_open(struct command_pipe *pipe);
void command_pipe_close(struct command_pipe *pipe);

/* Any thread; never blocks. */
void command_send(const struct command_pipe *pipe, const struct command *command);

/* The oldest that waits, for the one thread that obeys; pipe->out is readable then.  False: none. */
bool command_take(const struct command_pipe *pipe, struct command *command);

#endif
