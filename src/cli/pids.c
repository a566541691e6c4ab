/* SPDX-License-Identifier: MIT */
#include "cli/pids.h"

#include <stdlib.h>

#include "base/xalloc.h"

/* Twice the same task would be counted twice. */
static void add(int32_t pid, int32_t **pids, size_t *count)
{
	for (size_t i = 0; i < *count; i++) {
		if ((*pids)[i] == pid)
			return;
	}
	*pids = xreallocarray(*pids, *count + 1, sizeof(**pids));
	(*pids)[(*count)++] = pid;
}

bool pids_parse(const char *text, int32_t **pids, size_t *count)
{
	for (const char *at = text;; at++) {
		char *end;
		long pid = strtol(at, &end, 10);

		if (end == at || pid <= 0 || pid > INT32_MAX || (*end != '\0' && *end != ','))
			return false;
		add((int32_t)pid, pids, count);
		at = end;
		if (*at == '\0')
			return true;
	}
}
