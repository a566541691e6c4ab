/* SPDX-License-Identifier: MIT */
/*
 * map-files - the files that code was mapped from, numbered.
 *
 * Memory is bounded: files beyond have no number.
 */
#ifndef MODEL_MAP_FILES_H
#define MODEL_MAP_FILES_H

#include <stdint.h>

#include "decode/record.h"

/* A file that code was mapped from; as long as the table. */
struct code_file {
	const char *path; /* in the process's own root, as the kernel gives it */
	uint32_t major, minor;
	uint64_t inode; /* 0: unknown */
	struct build_id build_id;
};

struct map_files;

/* An empty table; never NULL. */
struct map_files *map_files_new(void);
void map_files_free(struct map_files *files);

/* The number of a mapping's file; 0: it is of none, or there is no room for another one. */
uint32_t map_files_number(struct map_files *files, const struct record_map *map);

/* A file by its number, which is not 0. */
const struct code_file *map_files_at(const struct map_files *files, uint32_t number);

#endif
