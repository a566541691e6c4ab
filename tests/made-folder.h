/* SPDX-License-Identifier: MIT */
/*
 * made-folder - a folder under /tmp with files that the test writes, such as a made-up sysfs.
 *
 * Included by the one file of a test, which calls folder_begin() first and folder_end() last.
 */
#ifndef MADE_FOLDER_H
#define MADE_FOLDER_H

#include "tap.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char root[] = "/tmp/perftop-folder.XXXXXX";

static inline void folder_begin(void)
{
	if (mkdtemp(root) == NULL)
		bail("%s: %s", root, strerror(errno));
}

/* A file and the folders that it is in. */
static inline void put(const char *path, const char *text)
{
	char full[512];

	snprintf(full, sizeof(full), "%s/%s", root, path);
	for (char *slash = full + strlen(root) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
		*slash = '\0';
		mkdir(full, 0777);
		*slash = '/';
	}

	FILE *file = fopen(full, "w");
	if (file == NULL || fputs(text, file) < 0)
		bail("%s: %s", full, strerror(errno));
	fclose(file);
}

static inline int remove_one(const char *path, const struct stat *info, int type, struct FTW *ftw)
{
	(void)info;
	(void)type;
	(void)ftw;
	return remove(path);
}

/* All of it is removed. */
static inline void folder_end(void)
{
	nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

#endif
