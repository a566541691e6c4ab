/* SPDX-License-Identifier: MIT */
/*
 * build-ids - the build-ids of files that a perf.data file lists in its head.
 */
#ifndef PERFDATA_BUILD_IDS_H
#define PERFDATA_BUILD_IDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/build-id.h"
#include "decode/cursor.h"

struct build_ids;

/* An empty list; never NULL. */
struct build_ids *build_ids_new(void);
void build_ids_free(struct build_ids *ids);

/* Add those of a feature section, or of one record with its header: false when they are malformed. */
bool build_ids_add(struct build_ids *ids, struct cursor cursor);

/* That of a file by its path; of size 0 when it is not listed. */
struct build_id build_ids_find(const struct build_ids *ids, const char *path);

/* That of the kernel; of size 0 when it is not listed. */
struct build_id build_ids_kernel(const struct build_ids *ids);

#endif
