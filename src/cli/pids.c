/* SPDX-License-Identifier: MIT */
#include "cli/pids.h"

#include <stdlib.h>

#include "base/xalloc.h"

bool pids_parse(const char *text, int32_t **pids, size_t *count)
{
	for (const char *at = text;; at++) {
		char *end;
		long pid = strtol(at, &end, 10);

		if (end == at || pid <= 0 || pid > INT32_MAX || (*end != '\0' && *end != ','))
			return false;
		*pids = xreallocarray(*pids, *count + 1, sizeof(**pids));
		(*pids)[(*count)++] = (int32_t)pid;
		at = end;
		if (*at == '\0')
			return true;
	}
}
