/* SPDX-License-Identifier: MIT */
#include "capture/ring.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The copy of this many is still in a CPU's first cache when the sizes of its records are read. */
#define CHUNK_BYTES 16384

struct ring {
	struct perf_event_mmap_page *page;
	const unsigned char *data;
	size_t data_bytes; /* a power of two */
	size_t map_bytes;
	uint64_t head; /* data_head at the last ring_look() */
	uint64_t next; /* the next record to copy */
	uint64_t corrupt;
};

static bool is_power_of_two(size_t value)
{
	return value != 0 && (value & (value - 1)) == 0;
}

struct ring *ring_open(int fd, size_t data_pages)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);

	if (!is_power_of_two(data_pages) || data_pages > SIZE_MAX / 2 / page_bytes) {
		errno = EINVAL;
		return NULL;
	}

	struct ring *ring = calloc(1, sizeof(*ring));
	if (ring == NULL)
		return NULL;

	ring->data_bytes = data_pages * page_bytes;
	ring->map_bytes = ring->data_bytes + page_bytes;
	/* Writable, so that the kernel honours data_tail instead of overwriting. */
	void *map = mmap(NULL, ring->map_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED) {
		free(ring);
		return NULL;
	}

	ring->page = map;
	/* data_offset is 0 before Linux 4.1; the data always begins at the second page. */
	ring->data = (const unsigned char *)map + page_bytes;
	ring->next = ring->page->data_tail;
	ring->head = ring->next;
	return ring;
}

void ring_close(struct ring *ring)
{
	if (ring == NULL)
		return;

	munmap(ring->page, ring->map_bytes);
	free(ring);
}

void ring_look(struct ring *ring)
{
	ring->head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE); /* K1 */
	if (ring->head - ring->next > ring->data_bytes) {
		ring->corrupt++;
		ring->next = ring->head;
	}
}

size_t ring_unread(const struct ring *ring)
{
	return ring->head - ring->next;
}

/* Copy the `len` bytes at `from`, which may go on at the ring's beginning. */
static void copy_out(const struct ring *ring, uint64_t from, unsigned char *out, size_t len)
{
	size_t at = from & (ring->data_bytes - 1);
	size_t to_end = ring->data_bytes - at;

	if (len <= to_end) {
		memcpy(out, ring->data + at, len);
	} else {
		memcpy(out, ring->data + at, to_end);
		memcpy(out + to_end, ring->data, len - to_end);
	}
}

static size_t record_size(const unsigned char *record)
{
	struct perf_event_header header;

	memcpy(&header, record, sizeof(header));
	return header.size;
}

/*
 * Where the whole records among the `copied` bytes end, of which those up to `at` are known; `unread`
 * are all up to the head.  *is_corrupt: what comes after them is no record.
 */
static size_t end_of_records(const unsigned char *copy, size_t at, size_t copied, size_t unread,
			     bool *is_corrupt)
{
	while (copied - at >= sizeof(struct perf_event_header)) {
		size_t size = record_size(copy + at);

		/* Size 0 would loop forever; a size past head would read beyond the ring. */
		*is_corrupt = size < sizeof(struct perf_event_header) || size % 8 != 0 ||
			      size > unread - at;
		if (*is_corrupt || size > copied - at)
			break;
		at += size;
	}
	return at;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/*
 * The sizes are read from the copy, where they are in the CPU's first cache: in the ring one after the
 * other would be waited for (doc/performance.md, Loss).
 */
size_t ring_copy(struct ring *ring, void *out, size_t room)
{
	size_t unread = ring_unread(ring);
	size_t most = least(unread, room);
	size_t copied = 0, len = 0;
	bool is_corrupt = false;

	while (copied < most && !is_corrupt) {
		size_t bytes = least(most - copied, CHUNK_BYTES);

		copy_out(ring, ring->next + copied, (unsigned char *)out + copied, bytes);
		copied += bytes;
		len = end_of_records(out, len, copied, unread, &is_corrupt);
	}
	ring->next += len;
	if (is_corrupt) {
		ring->corrupt++;
		ring->next = ring->head;
	}
	return len;
}

void ring_release(struct ring *ring)
{
	__atomic_store_n(&ring->page->data_tail, ring->next, __ATOMIC_RELEASE); /* K2 */
}

uint64_t ring_corrupt(const struct ring *ring)
{
	return ring->corrupt;
}

size_t ring_bytes(const struct ring *ring)
{
	return ring->map_bytes;
}
