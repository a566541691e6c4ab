/* SPDX-License-Identifier: MIT */
/*
 * idmap - from the kernel's id of an event's fd to our number of the event.
 */
#ifndef DECODE_IDMAP_H
#define DECODE_IDMAP_H

#include <stddef.h>
#include <stdint.h>

#define IDMAP_NONE UINT32_MAX

struct idmap;

/* An empty map; never NULL. */
struct idmap *idmap_new(void);
void idmap_free(struct idmap *map);

/* So many more will be put: room at once, not by doubling.  Never needed. */
void idmap_reserve(struct idmap *map, size_t count);

/* This id (not 0) means `event`. */
void idmap_put(struct idmap *map, uint64_t id, uint32_t event);

/* The event, or IDMAP_NONE. */
uint32_t idmap_get(const struct idmap *map, uint64_t id);

#endif
