/* SPDX-License-Identifier: MIT */
/*
 * arena - memory for one immutable structure: allocated piece by piece, counted by its holders, and
 * freed at once.
 *
 * One thread fills it; afterwards any thread may hold and release it.  One that is kept for later
 * can be packed, and what is left of it put into a file: it takes less memory, and cannot be read
 * until it is unpacked.
 */
#ifndef MODEL_ARENA_H
#define MODEL_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/tempfile.h"

struct arena;

/*
 * After the first, memory is taken from the system in pieces of this size, or of the first one's if that
 * is less.  One of this size or more has pages of its own; the last that was freed, by any thread, is kept
 * for the next of about its size.
 */
#define ARENA_PIECE (32u << 10)

/*
 * An empty one with one holder; never NULL.  `head` bytes are there at once, zeroed; the first piece
 * is for `bytes`, what the structure probably needs besides, or 0 when that is not known.
 */
struct arena *arena_new(size_t head, size_t bytes);

/* Its head, which can be read while it is packed, too. */
void *arena_head(struct arena *arena);

/* Zeroed memory that lives as long as the arena; aligned for any type. */
void *arena_alloc(struct arena *arena, size_t count, size_t size);

/* What of its pieces is handed out. */
size_t arena_used(const struct arena *arena);

/* What it takes from the system. */
size_t arena_bytes(const struct arena *arena);

/* One more holder; the caller already is one. */
void arena_hold(struct arena *arena);

/* One holder less: true for the last one, who is to call arena_free(). */
bool arena_release(struct arena *arena);
void arena_free(struct arena *arena);

/*
 * Compress what it has, and give the memory back to the system; its addresses stay its own.  For a
 * holder.  false when it is as before: it has other holders, or it would not become smaller by half.
 */
bool arena_pack(struct arena *arena);

/*
 * Of one that is packed, and not yet in a file: write what it was compressed to at the file's *end, which
 * moves behind it.  That part of the file must stay until the arena is unpacked or freed.  For the only
 * holder.  false when it is as before.
 */
bool arena_put_away(struct arena *arena, struct tempfile *file, uint64_t *end);

/*
 * All is back where it was, when it was packed.  false: it was put away, and cannot be read; it still is.
 * For the only holder.
 */
bool arena_unpack(struct arena *arena);

#endif
