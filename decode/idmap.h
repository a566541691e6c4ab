/* SPDX-License-Identifier: MIT */
/*
 * idmap - maps the kernel's id of an event's fd to our number of the event.
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

/* Optional: make room for `count` more ids at once, not by doubling. */
void idmap_reserve(struct idmap *map, size_t count);

/* Map this id to `event`; 0 is ignored. */
void idmap_put(struct idmap *map, uint64_t id, uint32_t event);

/* The event, or IDMAP_NONE. */
uint32_t idmap_get(const struct idmap *map, uint64_t id);

#endif
