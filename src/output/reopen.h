/* SPDX-License-Identifier: MIT */
/*
 * reopen - a saved text back into the snapshot that it was made of.
 *
 * The text is a stranger's by now: sizes are bounded, indices checked, and what
 * is missing or of another kind is unknown.
 */
#ifndef OUTPUT_REOPEN_H
#define OUTPUT_REOPEN_H

#include <stddef.h>

#include "model/snapshot.h"

/* The line that output_saved() wrote, within `text`: its object's start and *len, or NULL. */
const char *reopen_find(const char *text, size_t text_len, size_t *len);

/* The snapshot, the caller's, or NULL when the object makes no sense. */
struct snapshot *reopen_snapshot(const char *object, size_t len);

#endif
