/* SPDX-License-Identifier: MIT */
#include "opener/request.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

/* sigtrap, bit 37 of the flags since Linux 5.13, has no name in older headers. */
#define ATTR_FLAGS_OFFSET (offsetof(struct perf_event_attr, read_format) + 8)
#define ATTR_FLAG_SIGTRAP (1ull << 37)

#define RING_PAGES_MAX (1ull << 20) /* 4 GiB a ring */
#define CPU_MAX	       65536

static bool is_terminated(const char *text, size_t room)
{
	return memchr(text, '\0', room) != NULL;
}

/* A name in tracefs: nothing that leads elsewhere. */
static bool is_plain(const char name[OPENER_NAME])
{
	if (!is_terminated(name, OPENER_NAME) || name[0] == '\0' || name[0] == '.')
		return false;
	return name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				 "0123456789_-.:")] == '\0';
}

static bool is_probe(const struct perf_event_attr *attr, const struct probe_types *probes)
{
	for (size_t i = 0; i < probes->count; i++) {
		if (attr->type == probes->types[i])
			return true;
	}
	return false;
}

static int check_attr(const struct perf_event_attr *attr, bool has_text, bool is_a_probe)
{
	uint64_t flags;

	/* Beyond our struct there is nothing to copy from; the kernel checks what its fields hold. */
	if (attr->size < PERF_ATTR_SIZE_VER0 || attr->size > sizeof(*attr))
		return E2BIG;
	for (size_t i = attr->size; i < sizeof(*attr); i++) {
		if (((const unsigned char *)attr)[i] != 0)
			return EINVAL;
	}
	memcpy(&flags, (const unsigned char *)attr + ATTR_FLAGS_OFFSET, sizeof(flags));
	/* It would interrupt the task that is watched: more than watching. */
	if (flags & ATTR_FLAG_SIGTRAP)
		return EPERM;
	if (has_text && !is_a_probe)
		return EINVAL;
	/* A pointer of main's would be taken for one into the opener's memory. */
	return is_a_probe && attr->config1 != 0 ? EINVAL : 0;
}

static int check_open(const struct opener_request *request, bool has_fd,
		      const struct probe_types *probes)
{
	bool is_cgroup = (request->flags & PERF_FLAG_PID_CGROUP) != 0;
	bool has_text = request->has_text == OPENER_HAS_TEXT;

	if ((request->flags & ~PERF_FLAG_PID_CGROUP) != 0 || is_cgroup != has_fd)
		return EINVAL;
	/* 0 would be the opener itself. */
	if (!is_cgroup && request->pid != -1 && request->pid <= 0)
		return EINVAL;
	if (request->cpu < -1 || request->cpu >= CPU_MAX)
		return EINVAL;
	if (request->has_text > OPENER_HAS_TEXT || !is_terminated(request->text, OPENER_TEXT) ||
	    has_text != (request->text[0] != '\0'))
		return EINVAL;
	return check_attr(&request->attr, has_text, is_probe(&request->attr, probes));
}

static int check_file(const struct opener_request *request)
{
	switch (request->file) {
	case OPENER_SYSTEMS:
	case OPENER_KALLSYMS:
		return 0;
	case OPENER_SYSTEM:
		return is_plain(request->system) ? 0 : ENOENT;
	case OPENER_ID:
	case OPENER_FORMAT:
		return is_plain(request->system) && is_plain(request->name) ? 0 : ENOENT;
	default:
		return EINVAL;
	}
}

int request_check(const struct opener_request *request, size_t len, int has_fd,
		  const struct probe_types *probes)
{
	if (len != sizeof(*request) || request->kind >= OPENER_KINDS)
		return EINVAL;
	if (has_fd && request->kind != OPENER_OPEN)
		return EINVAL;

	switch (request->kind) {
	case OPENER_OPEN:
		return check_open(request, has_fd, probes);
	case OPENER_MAP:
		return request->pages != 0 && (request->pages & (request->pages - 1)) == 0 &&
				       request->pages <= RING_PAGES_MAX ?
			       0 :
			       EINVAL;
	case OPENER_FILE:
		return check_file(request);
	default:
		return 0;
	}
}
