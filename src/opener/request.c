/* SPDX-License-Identifier: MIT */
#include "opener/request.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#include "base/abi.h"

#define SAMPLE_TYPES                                                                     \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | \
	 PERF_SAMPLE_PERIOD | PERF_SAMPLE_READ | PERF_SAMPLE_IP | PERF_SAMPLE_RAW |      \
	 PERF_SAMPLE_CALLCHAIN)
#define READ_FORMATS                                                                        \
	(PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID | \
	 PERF_FORMAT_GROUP | ABI_FORMAT_LOST)

#define RING_PAGES_MAX (1ull << 20) /* 4 GiB per ring */
#define CPU_MAX	       65536

static bool is_terminated(const char *text, size_t room)
{
	return memchr(text, '\0', room) != NULL;
}

/* Whether it is a plain name in tracefs: no path traversal. */
static bool is_plain(const char name[OPENER_NAME])
{
	if (!is_terminated(name, OPENER_NAME) || name[0] == '\0' || name[0] == '.')
		return false;
	return name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				 "0123456789_-.:")] == '\0';
}

/* Whether its config1 is a pointer to text. */
static bool has_pointer(const struct perf_event_attr *attr, const struct probe_types *probes)
{
	for (size_t i = 0; i < probes->count; i++) {
		if (attr->type == probes->types[i])
			return true;
	}
	return false;
}

bool request_is_probe(const struct opener_request *request, const struct probe_types *probes)
{
	return request->attr.type == PERF_TYPE_BREAKPOINT || has_pointer(&request->attr, probes);
}

bool request_is_same_event(const struct opener_request *one, const struct opener_request *other)
{
	return one->has_text == other->has_text && strcmp(one->text, other->text) == 0 &&
	       memcmp(&one->attr, &other->attr, sizeof(one->attr)) == 0;
}

/*
 * Whether only fields that capture/attr.c sets are set: clear the allowed fields in a copy, which
 * must then be all zero.
 */
static bool is_plain_attr(const struct perf_event_attr *attr, bool may_walk_user)
{
	static const struct perf_event_attr nothing;
	union abi_attr rest = { .attr = *attr };

	rest.attr.type = rest.attr.size = 0;
	rest.attr.config = rest.attr.config1 = rest.attr.config2 = 0;
	if (sizeof(*attr) >= ABI_ATTR_SIZE_VER8)
		memset(rest.bytes + ABI_ATTR_CONFIG3, 0, sizeof(uint64_t));
	rest.attr.sample_period = 0;
	rest.attr.sample_type &= ~(uint64_t)SAMPLE_TYPES;
	rest.attr.read_format &= ~(uint64_t)READ_FORMATS;
	rest.attr.wakeup_watermark = 0;
	rest.attr.bp_type = 0;
	rest.attr.clockid = 0;
	rest.attr.sample_max_stack = 0;
	if (attr->sample_type & PERF_SAMPLE_CALLCHAIN) {
		rest.attr.exclude_callchain_kernel = 0;
		if (may_walk_user)
			rest.attr.exclude_callchain_user = 0;
		else
			rest.attr.exclude_callchain_user ^= 1;
	}
	rest.attr.disabled = rest.attr.inherit = rest.attr.pinned = rest.attr.exclusive = 0;
	rest.attr.exclude_user = rest.attr.exclude_kernel = rest.attr.exclude_hv = 0;
	rest.attr.exclude_idle = rest.attr.exclude_host = rest.attr.exclude_guest = 0;
	rest.attr.mmap = rest.attr.mmap2 = 0;
	rest.attr.comm = rest.attr.comm_exec = rest.attr.task = rest.attr.context_switch = 0;
	rest.attr.freq = rest.attr.enable_on_exec = rest.attr.watermark = 0;
	rest.attr.precise_ip = rest.attr.sample_id_all = rest.attr.use_clockid = 0;
	return memcmp(&rest.attr, &nothing, sizeof(nothing)) == 0;
}

static int check_attr(const struct perf_event_attr *attr, const struct request_rules *rules,
		      bool has_text, bool takes_text)
{
	/* At most our struct's size; the kernel checks the values. */
	if (attr->size < PERF_ATTR_SIZE_VER0 || attr->size > sizeof(*attr))
		return E2BIG;
	for (size_t i = attr->size; i < sizeof(*attr); i++) {
		if (((const unsigned char *)attr)[i] != 0)
			return EINVAL;
	}
	if (!is_plain_attr(attr, rules->may_walk_user))
		return EPERM;
	if (has_text && !takes_text)
		return EINVAL;
	/* A pointer from main would be dereferenced in the opener's memory. */
	return takes_text && attr->config1 != 0 ? EINVAL : 0;
}

static int check_open(const struct opener_request *request, bool has_fd,
		      const struct request_rules *rules)
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
	return check_attr(&request->attr, rules, has_text,
			  has_pointer(&request->attr, &rules->probes));
}

static int check_file(const struct opener_request *request)
{
	switch (request->file) {
	case TRACEFS_SYSTEMS:
	case OPENER_KALLSYMS:
		return 0;
	case TRACEFS_SYSTEM:
		return is_plain(request->system) ? 0 : ENOENT;
	case TRACEFS_ID:
	case TRACEFS_FORMAT:
		return is_plain(request->system) && is_plain(request->name) ? 0 : ENOENT;
	case OPENER_MAPS:
		return request->pid > 0 ? 0 : EINVAL;
	default:
		return EINVAL;
	}
}

int request_check(const struct opener_request *request, size_t len, int has_fd,
		  const struct request_rules *rules)
{
	if (len != sizeof(*request) || request->kind >= OPENER_KINDS)
		return EINVAL;
	if (has_fd && request->kind != OPENER_OPEN)
		return EINVAL;

	switch (request->kind) {
	case OPENER_OPEN:
		return check_open(request, has_fd, rules);
	case OPENER_MAP:
		return request->pages != 0 && (request->pages & (request->pages - 1)) == 0 &&
				       request->pages <= RING_PAGES_MAX ?
			       0 :
			       EINVAL;
	case OPENER_FILE:
		return check_file(request);
	case OPENER_END:
		return request->flags == SIGTERM || request->flags == SIGKILL ? 0 : EINVAL;
	default:
		return 0;
	}
}
