/* SPDX-License-Identifier: MIT */
/*
 * format - tracepoint fields as text; the only user of libtraceevent.
 *
 * Takes formats of the running kernel only.  The bytes of a sample are checked
 * against the format before libtraceevent gets them: every fixed field, and every
 * string that a __data_loc field points to, must be inside.
 */
#ifndef DECODE_FORMAT_H
#define DECODE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

struct formats;

/* An empty set; never NULL. */
struct formats *formats_new(void);
void formats_free(struct formats *formats);

/* Add a format from the text of its file; one that cannot be parsed stays unknown. */
void formats_add(struct formats *formats, const char *system, const char *text, size_t len);

/* Whether the format of tracepoint `id` is known. */
bool formats_knows(const struct formats *formats, uint64_t id);

/*
 * The offset of a field of `size` bytes in a sample's raw data: 0 when the format is not known or has
 * no such field (at 0 is the sample's type).
 */
uint32_t formats_offset(const struct formats *formats, uint64_t id, const char *field, size_t size);

/*
 * Append the sample's fields, as the kernel's print format has them or, where
 * that cannot be parsed, as "name=value".  False when the format is not known or
 * the sample is too short for it; nothing is appended then.
 */
bool formats_print(struct formats *formats, uint64_t id, uint32_t cpu, const unsigned char *raw,
		   size_t size, struct strbuf *out);

#endif
