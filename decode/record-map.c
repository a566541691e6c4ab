/* SPDX-License-Identifier: MIT */
/*
 * The fields of MMAP and MMAP2 records.
 */
#include <string.h>
#include <sys/mman.h>

#include "base/abi.h"
#include "decode/cursor.h"
#include "decode/record.h"

/* Of an MMAP2 record: the build-id, or the file's device and inode, and what the memory is for. */
static void take_identity(struct cursor *cursor, const struct record *record,
			  struct record_map *map)
{
	struct cursor identity = cursor_sub(cursor, 24);

	if (record->misc & ABI_MISC_MMAP_BUILD_ID) {
		const unsigned char *bytes = cursor_take(&identity, 4 + BUILD_ID_MAX);

		if (bytes != NULL)
			map->build_id = build_id_of(bytes + 4, bytes[0]);
	} else {
		cursor_pair(&identity, &map->major, &map->minor);
		map->inode = cursor_u64(&identity);
	}

	uint32_t protection, flags;
	cursor_pair(cursor, &protection, &flags);
	map->is_code = (protection & PROT_EXEC) != 0;
}

/* The fields of a mapping in this mode (PERF_RECORD_MISC_CPUMODE_MASK). */
static bool take_map(const struct record *record, uint16_t mode, struct record_map *map)
{
	struct cursor cursor = { record->map.body, record->map.size, false };

	if ((record->type != PERF_RECORD_MMAP && record->type != PERF_RECORD_MMAP2) ||
	    (record->misc & PERF_RECORD_MISC_CPUMODE_MASK) != mode)
		return false;
	*map = (struct record_map){ .is_code = !(record->misc & PERF_RECORD_MISC_MMAP_DATA) };
	cursor_pair(&cursor, &map->pid, &map->tid);
	map->start = cursor_u64(&cursor);
	map->len = cursor_u64(&cursor);
	map->offset = cursor_u64(&cursor);
	if (record->type == PERF_RECORD_MMAP2)
		take_identity(&cursor, record, map);
	if (cursor.is_short)
		return false;
	map->name = (const char *)cursor.at;
	map->name_len = strnlen(map->name, cursor.left);
	return true;
}

bool record_map(const struct record *record, struct record_map *map)
{
	return take_map(record, PERF_RECORD_MISC_USER, map);
}

bool record_kernel_map(const struct record *record, struct record_map *map)
{
	return take_map(record, PERF_RECORD_MISC_KERNEL, map);
}
