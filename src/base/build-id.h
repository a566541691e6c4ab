/* SPDX-License-Identifier: MIT */
/*
 * build-id - the linker's identification of a program or library: a hash of its contents.
 */
#ifndef BASE_BUILD_ID_H
#define BASE_BUILD_ID_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define BUILD_ID_MAX 20 /* bytes, the most that perf records and files have room for */

struct build_id {
	unsigned char bytes[BUILD_ID_MAX]; /* [size] */
	size_t size;			   /* 0: unknown, or there is none */
};

/* The id in these bytes; unknown when they are too many. */
static inline struct build_id build_id_of(const void *bytes, size_t size)
{
	struct build_id id = { .size = 0 };

	if (size <= BUILD_ID_MAX) {
		memcpy(id.bytes, bytes, size);
		id.size = size;
	}
	return id;
}

/* Whether they are the same, known or not. */
static inline bool build_id_is_same(const struct build_id *one, const struct build_id *other)
{
	return one->size == other->size && memcmp(one->bytes, other->bytes, one->size) == 0;
}

#endif
