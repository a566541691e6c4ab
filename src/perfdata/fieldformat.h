/* SPDX-License-Identifier: MIT */
/*
 * fieldformat - tracepoint fields, by the formats in a perf.data file.
 *
 * These texts are as untrusted as the file, so they are never passed to
 * libtraceevent: only the lines "field:TYPE NAME; offset:N; size:N; signed:N;"
 * are parsed, by our own code, and a sample is shown as "name=value name=value".
 * Every access is checked against the sample's length.
 */
#ifndef PERFDATA_FIELDFORMAT_H
#define PERFDATA_FIELDFORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

struct fieldformats;

/* An empty set; never NULL. */
struct fieldformats *fieldformats_new(void);
void fieldformats_free(struct fieldformats *formats);

/*
 * Add the format in `text` (`len` bytes, no terminator needed) of an event of
 * `system`: false when it has no name or id, or a known id, or there are too many.
 */
bool fieldformats_add(struct fieldformats *formats, const char *system, const char *text,
		      size_t len);

/* "sched:sched_switch" of the tracepoint `id`, or NULL. */
const char *fieldformats_name(const struct fieldformats *formats, uint64_t id);

/*
 * The offset of a field of `size` bytes in a sample's raw bytes: 0 when the format is not known or
 * has no such field (at 0 is the sample's type).
 */
uint32_t fieldformats_offset(const struct fieldformats *formats, uint64_t id, const char *field,
			     size_t size);

/*
 * Append the fields of a sample's raw bytes (the common ones left out): false,
 * and nothing is appended, when the format is not known.  A field outside of the
 * sample is shown as "name=?".
 */
bool fieldformats_print(const struct fieldformats *formats, uint64_t id, const unsigned char *raw,
			size_t size, struct strbuf *out);

#endif
