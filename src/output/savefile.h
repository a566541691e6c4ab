/* SPDX-License-Identifier: MIT */
/*
 * savefile - writes a snapshot's text to a new file.
 *
 * The file is created O_EXCL|O_NOFOLLOW with mode 0600 in the current
 * directory, as perftop-ng-YYYYMMDD-HHMMSS.txt, with -1, -2 ... before the
 * suffix when that name is taken; an existing file is never used.  It is synced
 * before success is reported, and a partly written one is removed.
 */
#ifndef OUTPUT_SAVEFILE_H
#define OUTPUT_SAVEFILE_H

#include <stddef.h>
#include <time.h>

/* Write `text`: 0 and its path in `path`, or -1 and errno with the path that failed. */
int savefile_write(const char *text, size_t len, time_t when, char *path, size_t room);

#endif
