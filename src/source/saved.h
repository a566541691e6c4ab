/* SPDX-License-Identifier: MIT */
/*
 * saved - a source that shows one saved snapshot.
 *
 * It has no thread: the snapshot is in the mailbox from the start, and once more, as the final one,
 * at source_finish().
 */
#ifndef SOURCE_SAVED_H
#define SOURCE_SAVED_H

#include <stdbool.h>

#include "source/source.h"

/*
 * Open a source of the saved snapshot in `fd` (borrowed; its position does not change).  NULL and
 * *error NULL when the file has none; NULL and *error, a text that the caller frees, when it has
 * one that cannot be read.  With `stays` (a screen) the snapshot is not final before
 * source_finish().  Other commands are ignored.  *screen says how it was shown, for the caller to
 * free; NULL: that was not saved, or there is no source.
 */
struct source *saved_open(int fd, bool stays, char **screen, char **error);

#endif
