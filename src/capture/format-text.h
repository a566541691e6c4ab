/* SPDX-License-Identifier: MIT */
/*
 * format-text - reads a tracepoint's format file in tracefs: names and offsets of its fields.
 */
#ifndef CAPTURE_FORMAT_TEXT_H
#define CAPTURE_FORMAT_TEXT_H

#include <stddef.h>

#include "capture/access.h"
#include "event/event.h"

/*
 * Read the format of a tracepoint, by its name in the kernel (event_origin()): the text,
 * terminated, which the caller frees, or NULL and errno.  `system`, unless NULL: set to the first
 * part of the name, "sched", in both cases; the caller frees it.
 */
char *format_text_read(const struct access *access, const struct event_spec *spec, char **system,
		       size_t *len);

#endif
