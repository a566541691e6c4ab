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

#include "source/source.h"

/*
 * Whether the file behind `fd` (borrowed) is a saved text; its position does not
 * change.  NULL with *error NULL when it is something else, with a text (the
 * caller frees) when it is one that cannot be read.  With `stays` (a screen) it
 * is shown until source_finish().  Nothing in it can be toggled, zeroed or sped up.
 */
struct source *saved_open(int fd, bool stays, char **error);

#endif
