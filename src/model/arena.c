/* SPDX-License-Identifier: MIT */
/*
 * The arena: a list of chunks that are freed together; the first one is filled.
 *
 * A snapshot has thousands of small strings and arrays with the same lifetime; a malloc for each
 * would be most of the cost of a tick.
 */
#include "model/arena.h"

#include "base/squeeze.h"
#include "base/xalloc.h"

#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/*
 * A chunk of ARENA_PIECE or more is mapped: pages of its own, all of which can be given back to the
 * system when it is packed.
 */
struct chunk {
	struct chunk *next;
	size_t used, room;
	char *bytes; /* behind it, or mapped */
	alignas(max_align_t) char inside[];
};

/* What the whole pages of each chunk had, one after another. */
struct packed {
	size_t bytes;		     /* of data */
	size_t dropped;		     /* of the chunks, for now not taken from the system */
	const struct tempfile *file; /* has the data, at `at`; NULL: they are here */
	uint64_t at;
	char data[];
};

struct arena {
	struct chunk *chunks;  /* only the first is filled further */
	size_t room;	       /* of a chunk after the first */
	size_t head;	       /* bytes */
	struct packed *packed; /* NULL: is not packed */
	atomic_uint holders;
	alignas(max_align_t) char head_bytes[];
};

static bool is_mapped(const struct chunk *chunk)
{
	return chunk->bytes != chunk->inside;
}

/* Whole pages of zeros; *bytes becomes their size. */
static char *map_pages(size_t *bytes)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *pages = MAP_FAILED;

	if (!__builtin_add_overflow(*bytes, page - 1, bytes)) {
		*bytes -= *bytes % page;
		pages = mmap(NULL, *bytes, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	}
	if (pages == MAP_FAILED)
		xalloc_fail();
	return pages;
}

static void chunk_free(struct chunk *chunk)
{
	if (chunk != NULL && is_mapped(chunk))
		munmap(chunk->bytes, chunk->room);
	free(chunk);
}

/*
 * The mapped chunk that was freed last, for the next one, so that a snapshot in batch mode has the pages of
 * the one before (doc/performance.md).
 */
static _Atomic(struct chunk *) spare;

/* Keep a chunk, whose pages it still has. */
static void spare_put(struct chunk *chunk)
{
	/* Release: it is written no more.  Acquire: the same of the one that it replaces. */
	chunk_free(atomic_exchange_explicit(&spare, chunk, memory_order_acq_rel));
}

/* NULL when there is none that has `room` bytes, and less than twice as many. */
static struct chunk *spare_take(size_t room)
{
	/* Acquire: all that others did with it happened before. */
	struct chunk *chunk = atomic_exchange_explicit(&spare, NULL, memory_order_acquire);

	if (chunk == NULL || chunk->room < room || chunk->room / 2 >= room) {
		chunk_free(chunk);
		return NULL;
	}
	memset(chunk->bytes, 0, chunk->used);
	chunk->next = NULL;
	chunk->used = 0;
	return chunk;
}

static struct chunk *chunk_new(size_t room)
{
	bool is_large = room >= ARENA_PIECE;
	struct chunk *chunk = is_large ? spare_take(room) : NULL;

	if (chunk != NULL)
		return chunk;
	chunk = xcalloc(1, sizeof(*chunk) + (is_large ? 0 : room));
	chunk->bytes = is_large ? map_pages(&room) : chunk->inside;
	chunk->room = room;
	return chunk;
}

/*
 * A chunk with `bytes` free at its end.  A large allocation gets a chunk of its own after the
 * first, which still has room.
 */
static struct chunk *chunk_for(struct arena *arena, size_t bytes)
{
	struct chunk *first = arena->chunks;
	if (bytes <= first->room - first->used)
		return first;
	if (bytes > arena->room / 4) {
		struct chunk *large = chunk_new(bytes);
		large->next = first->next;
		first->next = large;
		return large;
	}
	arena->chunks = chunk_new(arena->room);
	arena->chunks->next = first;
	return arena->chunks;
}

struct arena *arena_new(size_t head, size_t bytes)
{
	struct arena *arena = xcalloc(1, sizeof(*arena) + head);

	arena->head = head;
	arena->room = bytes > 0 && bytes < ARENA_PIECE ? bytes : ARENA_PIECE;
	arena->chunks = chunk_new(bytes > 0 ? bytes : ARENA_PIECE);
	atomic_init(&arena->holders, 1);
	return arena;
}

void *arena_head(struct arena *arena)
{
	return arena->head_bytes;
}

void *arena_alloc(struct arena *arena, size_t count, size_t size)
{
	const size_t align = alignof(max_align_t);
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX - align)
		bytes = SIZE_MAX - align;
	bytes = (bytes + align - 1) & ~(align - 1);

	/* New chunks are zeroed, and no part is handed out twice. */
	struct chunk *chunk = chunk_for(arena, bytes);
	void *memory = chunk->bytes + chunk->used;
	chunk->used += bytes;
	return memory;
}

size_t arena_used(const struct arena *arena)
{
	size_t bytes = 0;

	for (const struct chunk *chunk = arena->chunks; chunk; chunk = chunk->next)
		bytes += chunk->used;
	return bytes;
}

size_t arena_bytes(const struct arena *arena)
{
	size_t bytes = sizeof(*arena) + arena->head;

	for (const struct chunk *chunk = arena->chunks; chunk; chunk = chunk->next)
		bytes += sizeof(*chunk) + chunk->room;
	if (arena->packed != NULL)
		bytes += sizeof(*arena->packed) - arena->packed->dropped;
	if (arena->packed != NULL && arena->packed->file == NULL)
		bytes += arena->packed->bytes;
	return bytes;
}

void arena_hold(struct arena *arena)
{
	/* Relaxed: the caller's own reference keeps it alive. */
	atomic_fetch_add_explicit(&arena->holders, 1, memory_order_relaxed);
}

bool arena_release(struct arena *arena)
{
	/* Acquire and release: all reads by other holders happen before the free. */
	return atomic_fetch_sub_explicit(&arena->holders, 1, memory_order_acq_rel) == 1;
}

void arena_free(struct arena *arena)
{
	for (struct chunk *chunk = arena->chunks; chunk;) {
		struct chunk *next = chunk->next;

		/* A packed one has no pages. */
		if (is_mapped(chunk) && arena->packed == NULL)
			spare_put(chunk);
		else
			chunk_free(chunk);
		chunk = next;
	}
	free(arena->packed);
	free(arena);
}

/* --- packed ----------------------------------------------------------------------------------- */

/* The whole pages among a chunk's bytes. */
struct pages {
	char *from;
	size_t bytes; /* of all of them */
	size_t used;  /* of those that have something; the rest are zeros */
};

static struct pages pages_of(struct chunk *chunk)
{
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t start = (uintptr_t)chunk->bytes;
	size_t before = (page - start % page) % page, bytes, used;

	if (before >= chunk->room)
		return (struct pages){ 0 };
	bytes = (chunk->room - before) / page * page;
	used = chunk->used > before ? chunk->used - before : 0;
	return (struct pages){ .from = chunk->bytes + before,
			       .bytes = bytes,
			       .used = used < bytes ? used : bytes };
}

/* The bytes of all chunks' whole pages. */
static size_t whole_pages(const struct arena *arena)
{
	size_t bytes = 0;

	for (struct chunk *chunk = arena->chunks; chunk; chunk = chunk->next)
		bytes += pages_of(chunk).bytes;
	return bytes;
}

/* A chunk's data is its packed size, and that many bytes. */
static bool add_chunk(struct packed *packed, size_t room, struct chunk *chunk)
{
	struct pages pages = pages_of(chunk);
	char *at = packed->data + packed->bytes;
	size_t size;

	if (pages.used == 0)
		return true;
	if (room - packed->bytes <= sizeof(size))
		return false;
	size = squeeze(at + sizeof(size), room - packed->bytes - sizeof(size), pages.from,
		       pages.used);
	memcpy(at, &size, sizeof(size));
	packed->bytes += sizeof(size) + size;
	return size > 0;
}

static bool add_chunks(struct packed *packed, size_t room, const struct arena *arena)
{
	for (struct chunk *chunk = arena->chunks; chunk; chunk = chunk->next) {
		if (!add_chunk(packed, room, chunk))
			return false;
	}
	return true;
}

/* NULL when it has no whole page, or would take more than half of them. */
static struct packed *packed_new(const struct arena *arena)
{
	const size_t bytes = whole_pages(arena), room = bytes / 2;
	struct packed *packed = NULL, *large;

	if (room == 0)
		return NULL;
	/* A new one of the right size: one that is cut leaves a hole behind each. */
	large = xcalloc(1, sizeof(*large) + room);
	large->dropped = bytes;
	if (add_chunks(large, room, arena)) {
		packed = xcalloc(1, sizeof(*packed) + large->bytes);
		memcpy(packed, large, sizeof(*packed) + large->bytes);
	}
	free(large);
	return packed;
}

bool arena_pack(struct arena *arena)
{
	/* Acquire: all reads by former holders happen before the memory is given back. */
	if (arena->packed != NULL ||
	    atomic_load_explicit(&arena->holders, memory_order_acquire) != 1)
		return false;
	arena->packed = packed_new(arena);
	for (struct chunk *chunk = arena->chunks; arena->packed && chunk; chunk = chunk->next) {
		struct pages pages = pages_of(chunk);

		if (pages.bytes > 0 && madvise(pages.from, pages.bytes, MADV_DONTNEED) != 0)
			arena_unpack(arena);
	}
	return arena->packed != NULL;
}

bool arena_put_away(struct arena *arena, struct tempfile *file, uint64_t *end)
{
	struct packed *packed = arena->packed;

	if (packed == NULL || packed->file != NULL ||
	    !tempfile_write(file, *end, packed->data, packed->bytes))
		return false;
	arena->packed = xcalloc(1, sizeof(*packed));
	*arena->packed = (struct packed){
		.bytes = packed->bytes,
		.dropped = packed->dropped,
		.file = file,
		.at = *end,
	};
	*end += packed->bytes;
	free(packed);
	return true;
}

/* From packed data; false: they are not what was packed. */
static bool put_back(struct arena *arena, const char *data, size_t bytes)
{
	size_t at = 0, size;

	for (struct chunk *chunk = arena->chunks; chunk; chunk = chunk->next) {
		struct pages pages = pages_of(chunk);

		if (pages.used == 0)
			continue;
		if (bytes - at < sizeof(size))
			return false;
		memcpy(&size, data + at, sizeof(size));
		at += sizeof(size);
		if (size > bytes - at || !unsqueeze(pages.from, pages.used, data + at, size))
			return false;
		at += size;
	}
	return true;
}

static bool read_back(struct arena *arena)
{
	const struct packed *packed = arena->packed;
	char *data = xcalloc(1, packed->bytes);
	bool is_back = tempfile_read(packed->file, packed->at, data, packed->bytes) &&
		       put_back(arena, data, packed->bytes);

	free(data);
	return is_back;
}

bool arena_unpack(struct arena *arena)
{
	struct packed *packed = arena->packed;

	if (packed == NULL)
		return true;
	if (packed->file != NULL) {
		if (!read_back(arena))
			return false;
	} else if (!put_back(arena, packed->data, packed->bytes)) {
		xalloc_fail();
	}
	free(packed);
	arena->packed = NULL;
	return true;
}
