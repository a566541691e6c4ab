/* SPDX-License-Identifier: MIT */
/*
 * cursor - bounds-checked reads of untrusted bytes, front to back.
 *
 * Every read of a record or a file section goes through one of these: it returns
 * what is asked for, or sets is_short.  So a caller may read field after field
 * and check is_short once, at the end: what was missing is 0 or NULL.  No size is
 * added to or multiplied before it was compared with what is left, so none can
 * wrap.
 */
#ifndef DECODE_CURSOR_H
#define DECODE_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct cursor {
	const unsigned char *at;
	size_t left;
	bool is_short; /* a read went beyond the end */
};

/* `bytes` bytes in place, or NULL; nothing is left after a failure. */
static inline const void *cursor_take(struct cursor *cursor, uint64_t bytes)
{
	if (bytes > cursor->left) {
		cursor->is_short = true;
		cursor->left = 0;
		return NULL;
	}

	const void *at = cursor->at;
	cursor->at += bytes;
	cursor->left -= bytes;
	return at;
}

static inline uint64_t cursor_u64(struct cursor *cursor)
{
	const void *at = cursor_take(cursor, sizeof(uint64_t));
	uint64_t value = 0;

	if (at != NULL)
		memcpy(&value, at, sizeof(value));
	return value;
}

static inline uint32_t cursor_u32(struct cursor *cursor)
{
	const void *at = cursor_take(cursor, sizeof(uint32_t));
	uint32_t value = 0;

	if (at != NULL)
		memcpy(&value, at, sizeof(value));
	return value;
}

/* Two 32-bit values in one word: pid and tid, cpu and padding. */
static inline void cursor_pair(struct cursor *cursor, uint32_t *first, uint32_t *second)
{
	uint32_t pair[2] = { 0, 0 };
	const void *at = cursor_take(cursor, sizeof(pair));

	if (at != NULL)
		memcpy(pair, at, sizeof(pair));
	*first = pair[0];
	*second = pair[1];
}

/* `count` 64-bit words in place, or NULL. */
static inline const void *cursor_words(struct cursor *cursor, uint64_t count)
{
	if (count > cursor->left / sizeof(uint64_t))
		return cursor_take(cursor, SIZE_MAX);
	return cursor_take(cursor, count * sizeof(uint64_t));
}

/* A string with its NUL, in place, or NULL when there is no NUL. */
static inline const char *cursor_string(struct cursor *cursor)
{
	const char *text = (const char *)cursor->at;
	size_t len = strnlen(text, cursor->left);

	if (len == cursor->left)
		return cursor_take(cursor, SIZE_MAX);
	return cursor_take(cursor, len + 1);
}

/* A cursor over the next `bytes` bytes; an empty, short one when fewer are left. */
static inline struct cursor cursor_sub(struct cursor *cursor, uint64_t bytes)
{
	const void *at = cursor_take(cursor, bytes);

	if (at == NULL)
		return (struct cursor){ cursor->at, 0, true };
	return (struct cursor){ at, (size_t)bytes, false };
}

#endif
