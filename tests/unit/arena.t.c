/* SPDX-License-Identifier: MIT */
/* An arena: it has the pages of one that was freed; packed, what it takes and has, and when it is not. */
#include "model/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/textfile.h"
#include "tap.h"
#include "temporary.h"

#define BLOCKS 3000
#define BLOCK  100
#define LARGE  (1u << 20)

static char *blocks[BLOCKS];

/* Different for each byte and block, and yet easy to compress. */
static char content(size_t block, size_t at)
{
	return (char)(at % 10 == 0 ? block : block / 256);
}

/* In pieces after a first one of `bytes`, with a large block in one of its own. */
static struct arena *filled(size_t bytes)
{
	struct arena *arena = arena_new(sizeof(int), bytes);

	*(int *)arena_head(arena) = 77;
	for (size_t i = 0; i < BLOCKS; i++) {
		blocks[i] = arena_alloc(arena, 1, i == BLOCKS / 2 ? LARGE : BLOCK);
		for (size_t at = 0; at < BLOCK; at++)
			blocks[i][at] = content(i, at);
	}
	return arena;
}

static size_t wrong_blocks(void)
{
	size_t wrong = 0;

	for (size_t i = 0; i < BLOCKS; i++) {
		for (size_t at = 0; at < BLOCK; at++) {
			if (blocks[i][at] != content(i, at)) {
				wrong++;
				break;
			}
		}
	}
	return wrong;
}

static long page_faults(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_minflt;
}

static bool is_zero(const char *memory, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++) {
		if (memory[i] != 0)
			return false;
	}
	return true;
}

/* Fill all of an arena's first piece, and free it: how many page faults that takes. */
static long use_piece(size_t bytes, const char *what)
{
	long before = page_faults();
	struct arena *arena = arena_new(0, bytes);
	char *memory = arena_alloc(arena, 1, bytes);
	bool was_zero = is_zero(memory, bytes);

	memset(memory, 'x', bytes);
	if (arena_release(arena))
		arena_free(arena);
	long faults = page_faults() - before;
	ok(was_zero, "%s is zeroed", what);
	return faults;
}

/* A piece that is freed is the next one's of about its size. */
static void check_reuse(void)
{
	long first = use_piece(LARGE, "a new piece");
	long next = use_piece(LARGE - 5000, "the next one");

	/* Not by the size of a page: the kernel may map many of them at one fault. */
	ok(next < first / 2 || next == 0,
	   "it has the pages of the one before: %ld page faults, then %ld", first, next);

	struct arena *arena = arena_new(0, LARGE / 2 - 5000);
	ok(arena_bytes(arena) < LARGE, "one of less than half the size does not have them");
	if (arena_release(arena))
		arena_free(arena);
}

#ifdef HAVE_LIBZSTD

static void check_packed(size_t bytes, const char *what)
{
	struct arena *arena = filled(bytes);
	size_t before = arena_bytes(arena), used = arena_used(arena);

	ok(used >= (BLOCKS - 1) * BLOCK + LARGE && used <= before, "%s: what is used", what);
	ok(arena_pack(arena), "it is packed");
	ok(arena_bytes(arena) < before / 3, "takes less: %zu of %zu", arena_bytes(arena), before);
	ok(!arena_pack(arena), "not twice");
	is_int(*(int *)arena_head(arena), 77, "its head can be read");
	arena_unpack(arena);
	is_u64(wrong_blocks(), 0, "all is where it was");
	is_u64(arena_bytes(arena), before, "it takes what it took");
	is_int(*(int *)arena_head(arena), 77, "its head is the same");
	ok(arena_pack(arena), "it can be packed again");
	if (arena_release(arena))
		arena_free(arena); /* packed */
}

static void check_put_away(void)
{
	struct tempfile *file = tempfile_new(1u << 30), *full = tempfile_new(10);
	struct arena *arena = filled(0);
	uint64_t end = 100;
	size_t packed;

	ok(!arena_put_away(arena, file, &end), "only what is packed is put away");
	arena_pack(arena);
	packed = arena_bytes(arena);
	ok(!arena_put_away(arena, full, &end) && end == 100, "not without room");
	tempfile_free(full); /* only one is there to lose */
	ok(arena_put_away(arena, file, &end), "into a file");
	ok(end > 100 && packed - arena_bytes(arena) == end - 100, "of so many bytes");
	ok(!arena_put_away(arena, file, &end), "not twice");
	ok(arena_unpack(arena), "it is read again");
	is_u64(wrong_blocks(), 0, "all is where it was");
	ok(arena_pack(arena) && arena_put_away(arena, file, &end), "and put away again");
	ok(lose_temporary((off_t)end) && !arena_unpack(arena), "a file of zeros");
	ok(lose_temporary(0) && !arena_unpack(arena), "one that is lost");
	if (arena_release(arena))
		arena_free(arena);
	tempfile_free(file);
}

/* Resident memory in KiB. */
static long resident(void)
{
	char *text = textfile_read("/proc/self/status", NULL);
	char *line = text != NULL ? strstr(text, "VmRSS:") : NULL;
	long kib = line != NULL ? strtol(line + strlen("VmRSS:"), NULL, 10) : -1;

	free(text);
	return kib;
}

static void check_memory(void)
{
	struct arena *arena = arena_new(0, 64 << 20);
	char *memory = arena_alloc(arena, 1, 60 << 20);
	long before = 0, after = 0;

	memset(memory, 'x', 60 << 20);
	before = resident();
	ok(arena_pack(arena), "60 MiB are packed");
	after = resident();
	ok(before - after > 50 << 10, "which the system has back: %ld of %ld KiB", after, before);
	arena_unpack(arena);
	ok(memory[0] == 'x' && memory[(60 << 20) - 1] == 'x', "and they can be read again");
	if (arena_release(arena))
		arena_free(arena);
}

static void check_refusals(void)
{
	struct arena *arena = filled(0);
	unsigned int seed = 1;

	arena_hold(arena);
	ok(!arena_pack(arena), "one that somebody else reads is not packed");
	is_u64(wrong_blocks(), 0, "nothing in it has changed");
	arena_release(arena);
	ok(arena_pack(arena), "it is when he has released it");
	if (arena_release(arena))
		arena_free(arena);

	arena = arena_new(0, 0);
	ok(!arena_pack(arena) || arena_bytes(arena) < ARENA_PIECE, "an empty one does not grow");
	arena_unpack(arena);
	for (size_t i = 0; i < 20; i++) {
		blocks[i] = arena_alloc(arena, 1000, 1);
		for (size_t at = 0; at < 1000; at++)
			blocks[i][at] = (char)rand_r(&seed);
	}
	size_t before = arena_bytes(arena);
	ok(!arena_pack(arena), "one that does not become smaller is not");
	is_u64(arena_bytes(arena), before, "and takes what it took");
	if (arena_release(arena))
		arena_free(arena);

	arena = arena_new(0, 100);
	arena_alloc(arena, 1, 100);
	ok(!arena_pack(arena), "one of less than a page is not");
	if (arena_release(arena))
		arena_free(arena);
}

#endif

int main(void)
{
	plan_lazy();
	check_reuse();
#ifdef HAVE_LIBZSTD
	check_packed(0, "pieces");
	check_packed((BLOCKS * BLOCK + LARGE) * 2, "one piece");
	check_put_away();
	check_memory();
	check_refusals();
#else
	struct arena *arena = filled(0);
	ok(!arena_pack(arena), "built without libzstd: none is packed");
	is_u64(wrong_blocks(), 0, "all is where it was");
	if (arena_release(arena))
		arena_free(arena);
#endif
	return done();
}
