/* SPDX-License-Identifier: MIT */
#include "model/page.h"

#include "model/arena.h"

#include <string.h>

/* Of a record: itself and its texts. */
#define RECORD_BYTES (sizeof(struct snap_record) + 150)

struct snap_page *page_new(size_t count)
{
	struct arena *arena = arena_new(sizeof(struct snap_page), count * RECORD_BYTES);
	struct snap_page *page = arena_head(arena);

	page->arena = arena;
	page->count = count;
	page->records = arena_alloc(arena, count, sizeof(*page->records));
	return page;
}

const char *page_strdup(struct snap_page *page, const char *text)
{
	size_t size = strlen(text) + 1;

	return memcpy(arena_alloc(page->arena, size, 1), text, size);
}

size_t page_bytes(const struct snap_page *page)
{
	return arena_bytes(page->arena);
}

const struct snap_page *page_hold(const struct snap_page *page)
{
	arena_hold(page->arena);
	return page;
}

void page_release(const struct snap_page *page)
{
	if (arena_release(page->arena))
		arena_free(page->arena); /* which contains `page` itself */
}
