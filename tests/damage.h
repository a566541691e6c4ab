/* SPDX-License-Identifier: MIT */
/*
 * damage - changes bytes of a perf.data file, as a bad disk, a lost connection or a hostile author
 * would: the same ones for the same number.
 *
 * Included by the one file of a test.
 */
#ifndef DAMAGE_H
#define DAMAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define DAMAGE_ROOM  (1u << 20)
#define DAMAGE_HEAD  104 /* struct perf_file_header of a file; a pipe's has 16 bytes */
#define DAMAGE_PIECE 256 /* at most: bytes that are removed, zeroed or copied */

struct damage {
	unsigned char bytes[DAMAGE_ROOM];
	size_t len;
	uint64_t random; /* state of splitmix64 */
};

static inline uint64_t damage_random(struct damage *file)
{
	uint64_t word = file->random += 0x9e3779b97f4a7c15;

	word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9;
	word = (word ^ word >> 27) * 0x94d049bb133111eb;
	return word ^ word >> 31;
}

/* A number below `end`, which is not 0. */
static inline size_t damage_below(struct damage *file, size_t end)
{
	return (size_t)(damage_random(file) % end);
}

static inline uint64_t damage_get(const struct damage *file, size_t at, size_t size)
{
	uint64_t value = 0;

	if (at <= file->len && size <= file->len - at)
		memcpy(&value, file->bytes + at, size);
	return value;
}

/* What breaks arithmetic on sizes, offsets, counts and times. */
static inline uint64_t damage_value(struct damage *file, uint64_t old)
{
	const uint64_t values[] = {
		0,
		1,
		7,
		UINT32_MAX,
		1ull << 31,
		1ull << 32,
		1ull << 40,
		INT64_MAX,
		1ull << 63,
		UINT64_MAX,
		UINT64_MAX - 7,
		file->len,
		old - 1,
		old + 1,
		old - 8,
		old + 8,
		old << 1,
		old << 32,
		old >> 1,
		~old,
		old ^ 1,
		old + 1000000000,
		old - 1000000000,
		damage_random(file),
	};

	return values[damage_below(file, sizeof(values) / sizeof(values[0]))];
}

/* Another value in the word of 1, 2, 4 or 8 bytes (little endian) at `at`. */
static inline void damage_word(struct damage *file, size_t at, size_t size)
{
	if (at > file->len || size > file->len - at)
		return;
	const uint64_t value = damage_value(file, damage_get(file, at, size));

	memcpy(file->bytes + at, &value, size);
}

static inline void damage_bit(struct damage *file)
{
	file->bytes[damage_below(file, file->len)] ^= (unsigned char)(1u << damage_below(file, 8));
}

static inline void damage_anywhere(struct damage *file)
{
	const size_t size = (size_t)1 << damage_below(file, 4);

	damage_word(file, damage_below(file, file->len) / size * size, size);
}

static inline void damage_head(struct damage *file)
{
	damage_word(file, damage_below(file, DAMAGE_HEAD / 8) * 8, 8);
}

static inline bool damage_is_pipe(const struct damage *file)
{
	return damage_get(file, 8, 8) == 16;
}

/* The offset of a record, or 0: there is none. */
static inline size_t damage_record_at(struct damage *file)
{
	const uint64_t start = damage_is_pipe(file) ? 16 : damage_get(file, 40, 8);
	size_t chosen = 0, nfound = 0, size;

	/* Each one that is found replaces the one before with such a chance that all have the same. */
	for (uint64_t at = start; at < file->len && file->len - at >= 8; at += size) {
		size = (size_t)damage_get(file, (size_t)at + 6, 2);
		if (size < 8)
			break;
		if (damage_below(file, ++nfound) == 0)
			chosen = (size_t)at;
	}
	return chosen;
}

/* A record's type, misc or size. */
static inline void damage_record_header(struct damage *file)
{
	const size_t at = damage_record_at(file), field = damage_below(file, 3);

	damage_word(file, field == 0 ? at : at + 2 + field * 2, field == 0 ? 4 : 2);
}

/* One of the first 32 words behind a record's header: ids, times, counts. */
static inline void damage_record_word(struct damage *file)
{
	const size_t at = damage_record_at(file);
	const size_t nwords = (size_t)damage_get(file, at + 6, 2) / 8;

	if (nwords > 1)
		damage_word(file, at + 8 + damage_below(file, nwords < 32 ? nwords : 32) * 8, 8);
}

/* One of the words behind the records: the table of the features, and what they say. */
static inline void damage_feature(struct damage *file)
{
	const uint64_t start = damage_get(file, 40, 8) + damage_get(file, 48, 8);

	if (!damage_is_pipe(file) && start < file->len && file->len - start >= 8)
		damage_word(file,
			    (size_t)start + damage_below(file, (file->len - (size_t)start) / 8) * 8,
			    (size_t)4 << damage_below(file, 2));
}

static inline void damage_cut(struct damage *file)
{
	file->len = damage_below(file, file->len);
}

/* Some of the bytes from `at`. */
static inline size_t damage_piece(struct damage *file, size_t at)
{
	const size_t most = file->len - at;

	return 1 + damage_below(file, most < DAMAGE_PIECE ? most : DAMAGE_PIECE);
}

static inline void damage_remove(struct damage *file)
{
	const size_t at = damage_below(file, file->len), len = damage_piece(file, at);

	memmove(file->bytes + at, file->bytes + at + len, file->len - at - len);
	file->len -= len;
}

static inline void damage_zero(struct damage *file)
{
	const size_t at = damage_below(file, file->len);

	memset(file->bytes + at, 0, damage_piece(file, at));
}

/* A piece stands also elsewhere, in place of what was there. */
static inline void damage_copy(struct damage *file)
{
	const size_t from = damage_below(file, file->len), len = damage_piece(file, from);

	memmove(file->bytes + damage_below(file, file->len - len + 1), file->bytes + from, len);
}

/* Changes a file in 1 to 4 places. */
static inline void damage(struct damage *file, uint64_t number)
{
	static void (*const ways[])(struct damage *) = {
		damage_bit,	    damage_anywhere, damage_head, damage_record_header,
		damage_record_word, damage_feature,  damage_cut,  damage_remove,
		damage_zero,	    damage_copy,
	};

	file->random = number;
	for (size_t n = 1 + damage_below(file, 4) * damage_below(file, 2); n > 0 && file->len > 0;
	     n--)
		ways[damage_below(file, sizeof(ways) / sizeof(ways[0]))](file);
}

#endif
