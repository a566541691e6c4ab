/* SPDX-License-Identifier: MIT */
#include "perfdata/input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sys.h"
#include "base/xalloc.h"

int input_init(struct input *input, int fd, size_t buffer_bytes, const struct input_wait *wait)
{
	struct stat status;

	*input = (struct input){ .fd = fd, .buffer_bytes = buffer_bytes };
	if (wait != NULL)
		input->wait = *wait;
	if (fstat(fd, &status) != 0)
		return -1;
	if (S_ISDIR(status.st_mode)) {
		errno = EISDIR;
		return -1;
	}
	input->is_file = S_ISREG(status.st_mode);
	input->file_bytes = input->is_file ? (uint64_t)status.st_size : 0;
	input->buffer = xcalloc(1, buffer_bytes);
	return 0;
}

void input_fini(struct input *input)
{
	free(input->buffer);
	input->buffer = NULL;
}

/* Read into the free space at the end of the buffer. */
static void fill(struct input *input)
{
	ssize_t got;

	do {
		if (!input->is_file && input->wait.wait != NULL &&
		    input->wait.wait(input->wait.ctx, input->fd) != 0) {
			input->is_ended = true;
			return;
		}
		got = read(input->fd, input->buffer + input->end, input->buffer_bytes - input->end);
	} while (got < 0 && (errno == EINTR || errno == EAGAIN));
	if (got < 0)
		input->error = errno;
	if (got <= 0)
		input->is_ended = true;
	else
		input->end += (size_t)got;
}

const unsigned char *input_peek_more(struct input *input, size_t len)
{
	if (len > input->buffer_bytes)
		return NULL;
	while (input_rest(input) < len && !input->is_ended) {
		if (input->buffer_bytes - input->start < len) {
			input->end -= input->start;
			memmove(input->buffer, input->buffer + input->start, input->end);
			input->start = 0;
		}
		fill(input);
	}
	return input_rest(input) >= len ? input->buffer + input->start : NULL;
}

uint64_t input_skip(struct input *input, uint64_t bytes)
{
	uint64_t left = bytes;

	while (left > 0) {
		size_t here = input_rest(input);

		if (here == 0 && input->is_file && input->offset < input->file_bytes) {
			uint64_t most = input->file_bytes - input->offset;

			/* Seek instead of reading: cheap even with a bogus size. */
			here = left < most ? left : most;
			if (input_seek(input, input->offset + here) != 0)
				return bytes - left;
			left -= here;
			continue;
		}
		if (here == 0 && input_peek(input, 1) == NULL)
			break;
		here = input_rest(input);
		if (here > left)
			here = left;
		input_advance(input, here);
		left -= here;
	}
	return bytes - left;
}

int input_seek(struct input *input, uint64_t offset)
{
	if (offset > INT64_MAX || lseek(input->fd, (off_t)offset, SEEK_SET) < 0)
		return -1;
	input->offset = offset;
	input->start = input->end = 0;
	input->is_ended = false;
	return 0;
}

long input_read_at(const struct input *input, uint64_t offset, void *out, size_t len)
{
	if (!input->is_file || offset > INT64_MAX) {
		errno = ESPIPE;
		return -1;
	}
	return sys_read_at(input->fd, out, len, offset);
}

size_t input_read(struct input *input, void *out, size_t len)
{
	size_t done = 0;

	while (done < len && input_peek(input, 1) != NULL) {
		size_t here = input_rest(input);

		if (here > len - done)
			here = len - done;
		memcpy((char *)out + done, input->buffer + input->start, here);
		input_advance(input, here);
		done += here;
	}
	return done;
}
