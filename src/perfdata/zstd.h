/* SPDX-License-Identifier: MIT */
/*
 * zstd - a compressed stream into bytes, piece by piece, by libzstd, the only
 * file that knows it.
 *
 * Output never goes beyond the room that the caller has, so a small input that
 * grows without end costs the caller no memory.  The library's own memory is
 * bounded too: a stream that wants a window above 32 MiB is refused.
 */
#ifndef PERFDATA_ZSTD_H
#define PERFDATA_ZSTD_H

#include <stddef.h>

#include "decode/cursor.h"

struct zstd;

/* NULL and ENOSYS when built without libzstd. */
struct zstd *zstd_new(void);
void zstd_free(struct zstd *zstd);

/*
 * Take from `in` what fits into `out`: the bytes written, 0 when all of `in` is
 * used up and nothing is left to come, or -1 when it is no such stream.
 */
long zstd_feed(struct zstd *zstd, struct cursor *in, unsigned char *out, size_t room);

#endif
