/* SPDX-License-Identifier: MIT */
/*
 * saved - a saved snapshot as the one thing that a source has to show.
 *
 * No thread: the snapshot waits from the start, and once more, as the final one,
 * when the run is to end.
 */
#ifndef SOURCE_SAVED_H
#define SOURCE_SAVED_H

#include <stdbool.h>
#include <stddef.h>

#include "model/snapshot.h"

struct saved;

/*
 * Whether the file behind `fd` (borrowed) is a saved text; its position does not
 * change.  NULL with *error NULL when it is something else, with a text (the
 * caller frees) when it is one that cannot be read.  With `stays` (a screen) it
 * is shown until saved_finish().
 */
struct saved *saved_open(int fd, bool stays, char **error);

int saved_fd(const struct saved *saved);
struct snapshot *saved_take(struct saved *saved);
void saved_finish(struct saved *saved);
void saved_free(struct saved *saved);

#endif
