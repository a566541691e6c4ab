/* SPDX-License-Identifier: MIT */
/*
 * made-maps - MMAP2 records, as the kernel writes them.
 *
 * Included by the one file of a test.
 */
#ifndef MADE_MAPS_H
#define MADE_MAPS_H

#include "base/abi.h"
#include "decode/record.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

struct made_map {
	uint32_t pid;
	uint64_t start, len, offset;
	const char *path;
	uint64_t time_ns;
	uint32_t major, minor;
	uint64_t inode;
	const char *build_id; /* 20 bytes; NULL: device and inode */
	bool is_data;
};

#define MADE_MAP_WITH(p, s, l, o, f, ...)  \
	((struct made_map){ .pid = (p),    \
			    .start = (s),  \
			    .len = (l),    \
			    .offset = (o), \
			    .path = (f),   \
			    __VA_ARGS__ })
#define MADE_MAP(p, s, l, o, f) MADE_MAP_WITH(p, s, l, o, f, .time_ns = 0)

/* Its bytes are valid until the next call. */
static inline struct record made_map(struct made_map map)
{
	static struct {
		uint32_t pid, tid;
		uint64_t start, len, offset;
		union {
			struct {
				uint32_t major, minor;
				uint64_t inode, generation;
			} file;
			struct {
				unsigned char size, reserved[3], bytes[20];
			} id;
		};
		uint32_t protection, flags;
		char path[64];
	} body;

	memset(&body, 0, sizeof(body));
	body.pid = body.tid = map.pid;
	body.start = map.start;
	body.len = map.len;
	body.offset = map.offset;
	if (map.build_id != NULL) {
		body.id.size = 20;
		memcpy(body.id.bytes, map.build_id, 20);
	} else {
		body.file.major = map.major;
		body.file.minor = map.minor;
		body.file.inode = map.inode;
	}
	body.protection = map.is_data ? PROT_READ : PROT_READ | PROT_EXEC;
	snprintf(body.path, sizeof(body.path), "%s", map.path);
	return (struct record){
		.type = PERF_RECORD_MMAP2,
		.misc = (uint16_t)(PERF_RECORD_MISC_USER |
				   (map.build_id != NULL ? ABI_MISC_MMAP_BUILD_ID : 0)),
		.time_ns = map.time_ns,
		.map = { (const unsigned char *)&body, sizeof(body) },
	};
}

#endif
