/* SPDX-License-Identifier: MIT */
/*
 * input - a file or a pipe, read once from front to back through one buffer.
 *
 * Knows at every moment the offset of its next byte, for messages.  One thread.
 */
#ifndef PERFDATA_INPUT_H
#define PERFDATA_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What may come before a read that could take long: 0, or -1 to read no more. */
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
	size_t start, end;
	bool is_ended;
	int error; /* errno of a read that failed, or 0 */
	struct input_wait wait;
};

/* Begin at the fd's start (file) or wherever it is (pipe): 0, or -1 and errno. */
int input_init(struct input *input, int fd, const struct input_wait *wait);
void input_fini(struct input *input);

/* The next `len` bytes (65536 at most) in place, until the next call, or NULL when there are fewer. */
const unsigned char *input_peek(struct input *input, size_t len);

/* How many bytes are left of what was looked at, when input_peek() said NULL. */
size_t input_rest(const struct input *input);

/* Go on by so many bytes: how many there were. */
uint64_t input_skip(struct input *input, uint64_t bytes);

/* Go to an offset of a file: 0, or -1 and errno. */
int input_seek(struct input *input, uint64_t offset);

/* Bytes anywhere in a file; the position stays.  How many there were, or -1 and errno. */
long input_read_at(const struct input *input, uint64_t offset, void *out, size_t len);

/* The next bytes, copied: how many there were. */
size_t input_read(struct input *input, void *out, size_t len);

#endif
