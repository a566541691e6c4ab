/* SPDX-License-Identifier: MIT */
#include "model/map-files.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

#define FILES_MAX      8192
#define PATH_BYTES_MAX (1u << 20) /* of all files */

struct map_files {
	struct code_file **all; /* [count]; the first is not used */
	uint64_t *hashes;	/* [count] of the paths */
	size_t count, room, path_bytes;
};

struct map_files *map_files_new(void)
{
	struct map_files *files = xcalloc(1, sizeof(*files));

	files->room = 64;
	files->all = xcalloc(files->room, sizeof(struct code_file *));
	files->hashes = xcalloc(files->room, sizeof(*files->hashes));
	files->count = 1;
	return files;
}

void map_files_free(struct map_files *files)
{
	for (size_t i = 1; i < files->count; i++) {
		free((char *)files->all[i]->path);
		free(files->all[i]);
	}
	free(files->all);
	free(files->hashes);
	free(files);
}

static uint64_t hash_of(const char *text, size_t len)
{
	uint64_t hash = len;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3ull;
	return hash;
}

/* Not "[vdso]", and not "//anon": memory that is of no file. */
static bool is_path(const struct record_map *map)
{
	return map->name_len > 1 && map->name[0] == '/' && map->name[1] != '/';
}

static bool is_file(const struct code_file *file, const struct record_map *map)
{
	return file->major == map->major && file->minor == map->minor &&
	       file->inode == map->inode && build_id_is_same(&file->build_id, &map->build_id) &&
	       strncmp(file->path, map->name, map->name_len) == 0 &&
	       file->path[map->name_len] == '\0';
}

/* A new one; its number. */
static uint32_t add(struct map_files *files, const struct record_map *map, uint64_t hash)
{
	struct code_file *file = xcalloc(1, sizeof(*file));

	if (files->count == files->room) {
		files->room *= 2;
		files->all = xreallocarray(files->all, files->room, sizeof(struct code_file *));
		files->hashes = xreallocarray(files->hashes, files->room, sizeof(*files->hashes));
	}
	*file = (struct code_file){ .path = xstrndup(map->name, map->name_len),
				    .major = map->major,
				    .minor = map->minor,
				    .inode = map->inode,
				    .build_id = map->build_id };
	files->path_bytes += map->name_len;
	files->hashes[files->count] = hash;
	files->all[files->count] = file;
	return (uint32_t)files->count++;
}

uint32_t map_files_number(struct map_files *files, const struct record_map *map)
{
	if (!is_path(map))
		return 0;

	uint64_t hash = hash_of(map->name, map->name_len);
	for (size_t i = files->count - 1; i > 0; i--) {
		if (files->hashes[i] == hash && is_file(files->all[i], map))
			return (uint32_t)i;
	}
	if (files->count == FILES_MAX || files->path_bytes + map->name_len > PATH_BYTES_MAX)
		return 0;
	return add(files, map, hash);
}

const struct code_file *map_files_at(const struct map_files *files, uint32_t number)
{
	return files->all[number];
}
