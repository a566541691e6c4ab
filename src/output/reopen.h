/* SPDX-License-Identifier: MIT */
/*
 * reopen - parses a saved text back into a snapshot.
 *
 * The text is untrusted: sizes are bounded, indices checked, and values that are
 * missing or of another kind are unknown.
 */
#ifndef OUTPUT_REOPEN_H
#define OUTPUT_REOPEN_H

#include <stddef.h>

#include "model/snapshot.h"

/* Find the line of output_saved() in `text`: its object's start and *len, or NULL. */
const char *reopen_find(const char *text, size_t text_len, size_t *len);

/*
 * The snapshot, owned by the caller, or NULL when the object is no saved snapshot.  With `screen`
 * not NULL also how it was shown (for the caller to free), or NULL where that was not saved.
 */
struct snapshot *reopen_snapshot(const char *object, size_t len, char **screen);

#endif
