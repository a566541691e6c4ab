/* SPDX-License-Identifier: MIT */
#include "perfdata/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/sys.h"
#include "base/xalloc.h"
#include "perfdata/layout.h"

/* Disk space is reserved in steps of this size. */
#define RESERVE_STEP (4ull << 20)

struct output {
	int fd;
	char *path;
	bool is_new, is_begun;
	uint64_t size;	   /* of the head and what was appended */
	uint64_t reserved; /* file size up to which the disk space is allocated */
	bool can_reserve;
	uint64_t limit; /* of a file's size (RLIMIT_FSIZE): fallocate(2) does not check it */
	/* The last end: where it is, its size, and what is to be written there at the next one. */
	uint64_t end_at, end_len;
	struct strbuf held;
	bool is_ended; /* nothing was appended since */
};

struct output *output_open(const char *path)
{
	const int flags = O_WRONLY | O_CREAT | O_CLOEXEC;
	int fd = open(path, flags | O_EXCL, 0600);
	bool is_new = fd >= 0;
	struct rlimit size;

	if (fd < 0 && errno == EEXIST)
		fd = open(path, flags, 0600);
	if (fd < 0)
		return NULL;
	struct output *output = xcalloc(1, sizeof(*output));
	output->fd = fd;
	output->path = xstrdup(path);
	output->is_new = is_new;
	output->size = PERFDATA_HEAD_BYTES;
	output->can_reserve = true;
	output->limit = getrlimit(RLIMIT_FSIZE, &size) == 0 ? size.rlim_cur : RLIM_INFINITY;
	strbuf_init(&output->held);
	return output;
}

uint64_t output_size(const struct output *output)
{
	return output->size;
}

static int allocate(struct output *output, uint64_t up_to)
{
	if (fallocate(output->fd, FALLOC_FL_KEEP_SIZE, (off_t)output->reserved,
		      (off_t)(up_to - output->reserved)) != 0)
		return -1;
	output->reserved = up_to;
	return 0;
}

/* Reserve disk space up to this size; without support for that, assume success. */
static int reserve(struct output *output, uint64_t needed)
{
	if (needed > output->limit) {
		errno = EFBIG;
		return -1;
	}
	if (!output->can_reserve || needed <= output->reserved ||
	    allocate(output, needed + RESERVE_STEP) == 0)
		return 0;
	if (errno == EOPNOTSUPP || errno == ENOSYS || errno == EINVAL) {
		output->can_reserve = false;
		return 0;
	}
	/* No room for a whole step: try just what is needed now. */
	return allocate(output, needed);
}

/* How many of the next bytes are to be held, as the last end is where they go. */
static size_t room_held(const struct output *output)
{
	return output->end_len > output->held.len ? output->end_len - output->held.len : 0;
}

/* What the file had before goes with the first byte; a pipe has nothing. */
static int begin(struct output *output)
{
	if (output->is_begun)
		return 0;
	output->is_begun = true;
	return ftruncate(output->fd, 0) == 0 || errno == EINVAL ? 0 : -1;
}

int output_append(struct output *output, const void *bytes, size_t len, uint64_t end_bytes)
{
	size_t held = room_held(output) < len ? room_held(output) : len;

	output->is_ended = false;
	if (begin(output) != 0 || reserve(output, output->size + len + end_bytes) != 0 ||
	    sys_write_at(output->fd, (const char *)bytes + held, len - held, output->size + held) !=
		    0)
		return -1;
	strbuf_add(&output->held, bytes, held);
	output->size += len;
	return 0;
}

/*
 * In this order, a process that is killed between two writes leaves a whole file, but for the last: then
 * the file has an old end in it.
 */
int output_end(struct output *output, const void *head, const void *end, size_t end_len)
{
	output->is_ended = false;
	if (begin(output) != 0 || sys_write_at(output->fd, end, end_len, output->size) != 0 ||
	    sys_write_at(output->fd, head, PERFDATA_HEAD_BYTES, 0) != 0 ||
	    sys_write_at(output->fd, output->held.text, output->held.len, output->end_at) != 0)
		return -1;
	output->end_at = output->size;
	output->end_len = end_len;
	strbuf_clear(&output->held);
	output->is_ended = true;
	return 0;
}

int output_close(struct output *output)
{
	int result = 0, saved = 0;

	if (output->is_ended &&
	    ftruncate(output->fd, (off_t)(output->end_at + output->end_len)) != 0) {
		result = -1;
		saved = errno;
	}
	if (close(output->fd) != 0 && result == 0) {
		result = -1;
		saved = errno;
	}
	if (output->is_new && !output->is_begun)
		unlink(output->path);
	strbuf_fini(&output->held);
	free(output->path);
	free(output);
	errno = saved;
	return result;
}
