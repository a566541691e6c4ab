/* SPDX-License-Identifier: MIT */
/*
 * memfd-counter - an fd whose read(2) returns a counter's value, times and id, as the kernel's does.
 *
 * A memfd that holds one reading after the other: the file's position says how many were read.
 *
 * Included by the one file of a test.
 */
#ifndef MEMFD_COUNTER_H
#define MEMFD_COUNTER_H

#include "tap.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#define MEMFD_COUNTER_READINGS 1000
#define MEMFD_COUNTER_WORDS    4 /* value, enabled, running, id; no losses */

struct memfd_counter {
	int fd;
};

static inline unsigned int memfd_counter_readings(const struct memfd_counter *counter)
{
	return (unsigned int)(lseek(counter->fd, 0, SEEK_CUR) /
			      (off_t)(MEMFD_COUNTER_WORDS * sizeof(uint64_t)));
}

/* The value of all readings from now on. */
static inline void memfd_counter_set(const struct memfd_counter *counter, uint64_t value)
{
	uint64_t words[MEMFD_COUNTER_WORDS] = { value, 1, 1, 7 };

	for (unsigned int i = memfd_counter_readings(counter); i < MEMFD_COUNTER_READINGS; i++)
		if (pwrite(counter->fd, words, sizeof(words), (off_t)(i * sizeof(words))) < 0)
			bail("memfd");
}

/* Its value is 0. */
static inline struct memfd_counter memfd_counter_open(void)
{
	struct memfd_counter counter = { .fd = memfd_create("counter", MFD_CLOEXEC) };

	if (counter.fd < 0)
		bail("memfd_create");
	memfd_counter_set(&counter, 0);
	return counter;
}

#endif
