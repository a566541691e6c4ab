/* SPDX-License-Identifier: MIT */
/*
 * reopened - a saved snapshot as the one thing that a source has to show.
 *
 * No thread: the snapshot waits from the start, and once more, as the final one,
 * when the run is to end.
 */
#ifndef REOPENED_H
#define REOPENED_H

#include <stdbool.h>
#include <stddef.h>

#include "model/snapshot.h"

struct reopened;

/*
 * Whether the file behind `fd` (borrowed) is a saved text; its position does not
 * change.  NULL with *error NULL when it is something else, with a text (the
 * caller frees) when it is one that cannot be read.  With `stays` (a screen) it
 * is shown until reopened_finish().
 */
struct reopened *reopened_open(int fd, bool stays, char **error);

int reopened_fd(const struct reopened *reopened);
struct snapshot *reopened_take(struct reopened *reopened);
void reopened_finish(struct reopened *reopened);
void reopened_free(struct reopened *reopened);

#endif
