/* SPDX-License-Identifier: MIT */
#include "source/command.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int command_pipe_open(struct command_pipe *pipe)
{
	int fds[2];

	*pipe = (struct command_pipe){ -1, -1 };
	if (pipe2(fds, O_CLOEXEC | O_NONBLOCK) < 0)
		return -1;
	*pipe = (struct command_pipe){ .in = fds[1], .out = fds[0] };
	return 0;
}

void command_pipe_close(struct command_pipe *pipe)
{
	if (pipe->in >= 0) {
		close(pipe->in);
		close(pipe->out);
	}
	*pipe = (struct command_pipe){ -1, -1 };
}

bool command_send(const struct command_pipe *pipe, const struct command *command)
{
	ssize_t result;

	do {
		result = write(pipe->in, command, sizeof(*command));
	} while (result < 0 && errno == EINTR);
	return result == (ssize_t)sizeof(*command);
}

bool command_take(const struct command_pipe *pipe, struct command *command)
{
	return read(pipe->out, command, sizeof(*command)) == (ssize_t)sizeof(*command);
}
