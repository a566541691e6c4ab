/* SPDX-License-Identifier: MIT */
#include "perfdata/build-ids.h"

#include <limits.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "perfdata/layout.h"

/* More than any system maps. */
#define IDS_MAX	  16384
#define PATHS_MAX (2u << 20) /* bytes of all paths */

struct entry {
	char *path;
	struct build_id id;
};

struct build_ids {
	struct entry *all; /* [count] by path */
	size_t count, room, bytes;
	struct build_id kernel;
};

struct build_ids *build_ids_new(void)
{
	return xcalloc(1, sizeof(struct build_ids));
}

void build_ids_free(struct build_ids *ids)
{
	if (ids == NULL)
		return;

	for (size_t i = 0; i < ids->count; i++)
		free(ids->all[i].path);
	free(ids->all);
	free(ids);
}

/* The first entry that is not before the path. */
static size_t place_of(const struct build_ids *ids, const char *path)
{
	size_t low = 0, high = ids->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(ids->all[middle].path, path) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_at(const struct build_ids *ids, size_t at, const char *path)
{
	return at < ids->count && strcmp(ids->all[at].path, path) == 0;
}

static void add(struct build_ids *ids, const char *path, struct build_id id)
{
	size_t at = place_of(ids, path), len = strlen(path);

	if (is_at(ids, at, path) || ids->count == IDS_MAX || ids->bytes + len > PATHS_MAX)
		return;
	if (ids->count == ids->room) {
		ids->room = ids->room == 0 ? 64 : ids->room * 2;
		ids->all = xreallocarray(ids->all, ids->room, sizeof(*ids->all));
	}
	memmove(&ids->all[at + 1], &ids->all[at], (ids->count - at) * sizeof(*ids->all));
	ids->all[at] = (struct entry){ .path = xstrndup(path, len), .id = id };
	ids->count++;
	ids->bytes += len;
}

/* perf's names of it, that of kallsyms or a path of vmlinux; modules are "[ext4]" or a path of ext4.ko. */
static bool is_kernel(const char *path)
{
	const char *slash = strrchr(path, '/');

	return strcmp(path, PERFDATA_KERNEL) == 0 ||
	       (slash != NULL && strncmp(slash, "/vmlinux", 8) == 0);
}

/* One entry is a record: header, pid, id in 24 bytes, path. */
static bool add_record(struct build_ids *ids, struct cursor record, uint16_t misc)
{
	cursor_u32(&record); /* pid: of a guest's kernel */
	const unsigned char *bytes = cursor_take(&record, 24);
	const char *path = cursor_string(&record);

	if (record.is_short)
		return false;

	size_t size = misc & PERFDATA_MISC_ID_SIZE ? bytes[BUILD_ID_MAX] : BUILD_ID_MAX;
	if (size > BUILD_ID_MAX)
		return false;
	uint16_t mode = misc & PERF_RECORD_MISC_CPUMODE_MASK;
	if (size > 0 && mode == PERF_RECORD_MISC_USER)
		add(ids, path, build_id_of(bytes, size));
	else if (size > 0 && mode == PERF_RECORD_MISC_KERNEL && is_kernel(path))
		ids->kernel = build_id_of(bytes, size);
	return true;
}

bool build_ids_add(struct build_ids *ids, struct cursor cursor)
{
	while (cursor.left > 0) {
		struct perf_event_header header;
		const void *bytes = cursor_take(&cursor, sizeof(header));

		if (bytes == NULL)
			return false;
		memcpy(&header, bytes, sizeof(header));
		if (header.size < sizeof(header))
			return false;
		struct cursor record = cursor_sub(&cursor, header.size - sizeof(header));
		if (!add_record(ids, record, header.misc))
			return false;
	}
	return true;
}

struct build_id build_ids_find(const struct build_ids *ids, const char *path)
{
	size_t at = place_of(ids, path);

	return is_at(ids, at, path) ? ids->all[at].id : (struct build_id){ .size = 0 };
}

struct build_id build_ids_kernel(const struct build_ids *ids)
{
	return ids->kernel;
}
