/* SPDX-License-Identifier: MIT */
/*
 * user - -u: finds a user and that user's current threads.
 */
#ifndef CLI_USER_H
#define CLI_USER_H

#include <stddef.h>
#include <sys/types.h>

/*
 * The user id of a name or a number: 0; or -1, and in `nearest` (room for `room` bytes) the nearest
 * name or "".
 */
int user_find(const char *text, uid_t *uid, char *nearest, size_t room);

/*
 * The threads whose effective uid is `uid`, except those of process `except`: their number, and in
 * *tids an array that the caller frees.  A thread that exits meanwhile is no error.  `proc` is
 * "/proc" except in tests.
 */
size_t user_threads(const char *proc, uid_t uid, pid_t except, pid_t **tids);

#endif
