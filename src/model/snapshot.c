/* SPDX-License-Identifier: MIT */
#include "model/snapshot.h"

#include "model/arena.h"

#include <stdio.h>
#include <string.h>

void *snap_alloc(struct snapshot *snap, size_t count, size_t size)
{
	return arena_alloc(snap->arena, count, size);
}

const char *snap_strdup(struct snapshot *snap, const char *text)
{
	size_t size = strlen(text) + 1;

	return memcpy(snap_alloc(snap, size, 1), text, size);
}

const char *snap_cpu_text(int id, char out[CPU_TEXT_MAX])
{
	if (id == CPU_UNKNOWN)
		snprintf(out, CPU_TEXT_MAX, "?");
	else
		snprintf(out, CPU_TEXT_MAX, "%d", id);
	return out;
}

struct snap_event_cpu snap_event_no_cpu(void)
{
	return (struct snap_event_cpu){ .rate = RATE_UNKNOWN, .is_balanced = true };
}

static void add_COUNT(uint64_t *sum, uint64_t count)
{
	*sum += count;
}

/* A sum is unknown only if all of it is. */
static void add_NUMBER(double *sum, double number)
{
	if (number >= 0)
		*sum = (*sum >= 0 ? *sum : 0) + number;
}

void snap_event_add_cpu(struct snap_event_cpu *sums, const struct snap_event_cpu *cpu)
{
#define NOTHING(...)
#define ADD(type, member, ...)	add_##type(&sums->member, cpu->member);
#define ADD_BOOKED(member, ...) add_COUNT(&sums->member, cpu->member);
	EVENT_FIGURES(NOTHING, ADD, ADD_BOOKED)
#undef ADD
#undef ADD_BOOKED
#undef NOTHING
	sums->is_throttled |= cpu->is_throttled;
	sums->is_balanced &= cpu->is_balanced;
}

const struct snap_event *snap_first_of_group(const struct snapshot *snap,
					     const struct snap_event *event)
{
	for (size_t i = 0; event->group > 0 && i < snap->nevents; i++) {
		if (snap->events[i].group == event->group)
			return &snap->events[i];
	}
	return NULL;
}

struct snapshot *snapshot_new(size_t bytes)
{
	struct arena *arena = arena_new(sizeof(struct snapshot), bytes);
	struct snapshot *snap = arena_head(arena);

	snap->arena = arena;
	return snap;
}

size_t snapshot_used(const struct snapshot *snap)
{
	return arena_used(snap->arena);
}

void snapshot_add_pages(struct snapshot *snap, const struct snap_page *const *pages, size_t npages)
{
	const struct snap_page **held = snap_alloc(snap, npages, sizeof(struct snap_page *));

	for (size_t i = 0; i < npages; i++)
		held[i] = page_hold(pages[i]);
	snap->pages = held;
	snap->npages = npages;
}

size_t snapshot_bytes(const struct snapshot *snap, const struct snapshot *before)
{
	size_t bytes = arena_bytes(snap->arena);
	bool has_pages = before && before->npages > 0;

	for (size_t i = snap->npages; i-- > 0;) {
		if (has_pages && snap->pages[i]->first <= before->pages[before->npages - 1]->first)
			break;
		bytes += page_bytes(snap->pages[i]);
	}
	return bytes;
}

const struct snapshot *snapshot_hold(const struct snapshot *snap)
{
	arena_hold(snap->arena);
	return snap;
}

void snapshot_release(const struct snapshot *snap)
{
	if (snap == NULL || !arena_release(snap->arena))
		return;
	for (size_t i = 0; i < snap->npages; i++)
		page_release(snap->pages[i]);
	arena_free(snap->arena); /* which contains `snap` itself */
}

bool snapshot_pack(const struct snapshot *snap)
{
	/* Its pages belong to others, too, and are to be read for their sizes. */
	return snap->npages == 0 && arena_pack(snap->arena);
}

bool snapshot_put_away(const struct snapshot *snap, struct tempfile *file, uint64_t *end)
{
	return arena_put_away(snap->arena, file, end);
}

bool snapshot_unpack(const struct snapshot *snap)
{
	return arena_unpack(snap->arena);
}
