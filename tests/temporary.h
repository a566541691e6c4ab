/* SPDX-License-Identifier: MIT */
/*
 * temporary - the temporary file of the code that is tested (base/tempfile.h), to damage it.
 */
#ifndef TESTS_TEMPORARY_H
#define TESTS_TEMPORARY_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Its descriptor; -1: this process has none open. */
static inline int temporary(void)
{
	char path[64], target[PATH_MAX];

	for (int fd = 3; fd < 64; fd++) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		ssize_t len = readlink(path, target, sizeof(target) - 1);
		target[len > 0 ? len : 0] = '\0';
		if (strstr(target, "/perftop-ng.") != NULL && strstr(target, " (deleted)") != NULL)
			return fd;
	}
	return -1;
}

/* Nothing of it can be read; with a size, it reads as zeros.  false: there is none. */
static inline bool lose_temporary(off_t size)
{
	int fd = temporary();

	return ftruncate(fd, 0) == 0 && ftruncate(fd, size) == 0;
}

#endif
