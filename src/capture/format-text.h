/* SPDX-License-Identifier: MIT */
/*
 * format-text - a tracepoint's format file, as tracefs has it: what its fields are called and where they lie.
 */
#ifndef CAPTURE_FORMAT_TEXT_H
#define CAPTURE_FORMAT_TEXT_H

#include <stddef.h>

#include "capture/access.h"
#include "event/event.h"

/*
 * The format of a tracepoint, terminated, by the name that the kernel knows it by (event_origin()):
 * the caller frees it.  *system, unless NULL, is set to its first part, "sched", which the caller frees in
 * any case.  NULL and errno.
 */
char *format_text_read(const struct access *access, const struct event_spec *spec, char **system,
		       size_t *len);

#endif
