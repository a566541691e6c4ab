/* SPDX-License-Identifier: MIT */
/*
 * zstd - decompresses a stream piece by piece with libzstd.
 *
 * Output is limited to the caller's buffer, so a small input that expands without
 * end costs no memory.  The library's own memory is bounded too: a stream with a
 * window above 32 MiB is refused.
 */
#ifndef PERFDATA_ZSTD_H
#define PERFDATA_ZSTD_H

#include <stddef.h>

#include "decode/cursor.h"

struct zstd;

/* A new stream; NULL, and ENOSYS when built without libzstd. */
struct zstd *zstd_new(void);
void zstd_free(struct zstd *zstd);

/*
 * Decompress from `in` as much as fits into `out`: the bytes written, 0 when `in`
 * is used up and no output is pending, or -1 when the stream is invalid.
 */
long zstd_feed(struct zstd *zstd, struct cursor *in, unsigned char *out, size_t room);

#endif
