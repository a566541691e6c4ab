/* SPDX-License-Identifier: MIT */
/*
 * input - a file or a pipe, read once from front to back through one buffer.
 *
 * Tracks the offset of the next byte, for messages.  One thread.
 */
#ifndef PERFDATA_INPUT_H
#define PERFDATA_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A callback before a read that may block: 0, or -1 to stop reading. */
struct input_wait {
	void *ctx;
	int (*wait)(void *ctx, int fd);
};

struct input {
	int fd; /* borrowed */
	bool is_file;
	uint64_t file_bytes; /* of a file */
	uint64_t offset;     /* of the next byte */
	unsigned char *buffer;
	size_t buffer_bytes;
	size_t start, end;
	bool is_ended;
	int error; /* errno of a read that failed, or 0 */
	struct input_wait wait;
};

/*
 * Start reading through a buffer of so many bytes; the fd of a file must be at offset 0.  0, or -1 and
 * errno.
 */
int input_init(struct input *input, int fd, size_t buffer_bytes, const struct input_wait *wait);
void input_fini(struct input *input);

/* The number of bytes in the buffer: all that is left when input_peek() returns NULL. */
static inline size_t input_rest(const struct input *input)
{
	return input->end - input->start;
}

/* input_peek() when the buffer has fewer than `len` bytes. */
const unsigned char *input_peek_more(struct input *input, size_t len);

/*
 * The next `len` bytes (at most the buffer's) in place, until the next call that reads, or NULL when
 * there are fewer.
 */
static inline const unsigned char *input_peek(struct input *input, size_t len)
{
	return input_rest(input) >= len ? input->buffer + input->start :
					  input_peek_more(input, len);
}

/* Go on after bytes that were peeked at; they stay in place until the next call that reads. */
static inline void input_advance(struct input *input, size_t len)
{
	input->start += len;
	input->offset += len;
	if (input->start == input->end)
		input->start = input->end = 0;
}

/* Skip so many bytes: the number that were there. */
uint64_t input_skip(struct input *input, uint64_t bytes);

/* Go to an offset of a file: 0, or -1 and errno. */
int input_seek(struct input *input, uint64_t offset);

/* Read at an offset of a file; the position stays.  The number of bytes read, or -1 and errno. */
long input_read_at(const struct input *input, uint64_t offset, void *out, size_t len);

/* Copy the next bytes: the number that were there. */
size_t input_read(struct input *input, void *out, size_t len);

#endif
