/* SPDX-License-Identifier: MIT */
/*
 * fake-ring - a memfd laid out as a perf ring, which the test writes in place of the kernel.
 *
 * Page 0 is a perf_event_mmap_page, after it comes the data.  Every record's
 * payload is made from its number, so that a reader can tell which one it got
 * and whether all of it is there.
 */
#ifndef FAKE_RING_H
#define FAKE_RING_H

#include "tap.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct fake_ring {
	int fd;
	size_t page_bytes, data_bytes;
	struct perf_event_mmap_page *page;
	unsigned char *data;
	uint64_t head;	 /* as far as it has written; publish it with fake_ring_publish() */
	uint64_t number; /* of the next record */
};

/* Everything so far counts as read: head and tail are at `start`. */
static inline void fake_ring_reset(struct fake_ring *fake, uint64_t start)
{
	fake->head = start;
	fake->page->data_head = start;
	fake->page->data_tail = start;
}

static inline void fake_ring_open(struct fake_ring *fake, size_t pages)
{
	fake->page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	fake->data_bytes = pages * fake->page_bytes;
	fake->fd = memfd_create("fake-ring", MFD_CLOEXEC);
	if (fake->fd < 0 || ftruncate(fake->fd, (off_t)(fake->page_bytes + fake->data_bytes)) != 0)
		bail("no memfd");
	void *map = mmap(NULL, fake->page_bytes + fake->data_bytes, PROT_READ | PROT_WRITE,
			 MAP_SHARED, fake->fd, 0);
	if (map == MAP_FAILED)
		bail("no map of a memfd");
	fake->page = map;
	fake->data = (unsigned char *)map + fake->page_bytes;
	fake->number = 0;
	fake_ring_reset(fake, 0);
}

static inline void fake_ring_close(struct fake_ring *fake)
{
	munmap(fake->page, fake->page_bytes + fake->data_bytes);
	close(fake->fd);
}

static inline uint64_t fake_ring_tail(const struct fake_ring *fake)
{
	return __atomic_load_n(&fake->page->data_tail, __ATOMIC_ACQUIRE);
}

/* The kernel never fills the last byte, so a full ring is not an empty one. */
static inline size_t fake_ring_room(const struct fake_ring *fake)
{
	return fake->data_bytes - 1 - (size_t)(fake->head - fake_ring_tail(fake));
}

static inline void fake_ring_publish(struct fake_ring *fake)
{
	__atomic_store_n(&fake->page->data_head, fake->head, __ATOMIC_RELEASE);
}

/* Bytes at the head, wrapped as the kernel wraps them. */
static inline void fake_ring_put(struct fake_ring *fake, const void *bytes, size_t len)
{
	size_t at = fake->head & (fake->data_bytes - 1);
	size_t to_end = fake->data_bytes - at;
	size_t first = len < to_end ? len : to_end;

	memcpy(fake->data + at, bytes, first);
	memcpy(fake->data, (const unsigned char *)bytes + first, len - first);
	fake->head += len;
}

static inline unsigned char fake_payload(uint64_t number, size_t at)
{
	return (unsigned char)(number * 167 + at * 13 + (number >> 8));
}

/* Write record `number` of `size` bytes where the kernel would; the caller checks the room. */
static inline void fake_ring_record(struct fake_ring *fake, size_t size)
{
	struct perf_event_header header = { .type = (uint32_t)(fake->number % 21 + 1),
					    .misc = (uint16_t)fake->number,
					    .size = (uint16_t)size };

	fake_ring_put(fake, &header, sizeof(header));
	for (size_t i = sizeof(header); i < size; i++) {
		unsigned char byte = fake_payload(fake->number, i);

		fake_ring_put(fake, &byte, 1);
	}
	fake->number++;
}

/*
 * Read whole records: the number of the next one that should come, or UINT64_MAX when one is not
 * what was written, or not whole.
 */
static inline uint64_t fake_ring_check(const unsigned char *bytes, size_t len, uint64_t number)
{
	while (len > 0) {
		struct perf_event_header header;

		if (len < sizeof(header))
			return UINT64_MAX;
		memcpy(&header, bytes, sizeof(header));
		if (header.size < sizeof(header) || header.size > len ||
		    header.type != number % 21 + 1 || header.misc != (uint16_t)number)
			return UINT64_MAX;
		for (size_t i = sizeof(header); i < header.size; i++)
			if (bytes[i] != fake_payload(number, i))
				return UINT64_MAX;
		bytes += header.size;
		len -= header.size;
		number++;
	}
	return number;
}

#endif
