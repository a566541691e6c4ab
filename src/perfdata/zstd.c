/* SPDX-License-Identifier: MIT */
#include "perfdata/zstd.h"

#include <errno.h>

#ifdef HAVE_LIBZSTD
#include <zstd.h>

/* perf record -z1 to -z20 use less; the library's default limit for streams is 2^27. */
#define WINDOW_LOG_MAX 25

struct zstd *zstd_new(void)
{
	ZSTD_DStream *stream = ZSTD_createDStream();

	if (stream != NULL)
		ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, WINDOW_LOG_MAX);
	return (struct zstd *)stream;
}

void zstd_free(struct zstd *zstd)
{
	ZSTD_freeDStream((ZSTD_DStream *)zstd);
}

long zstd_feed(struct zstd *zstd, struct cursor *in, unsigned char *out, size_t room)
{
	ZSTD_inBuffer input = { in->at, in->left, 0 };
	ZSTD_outBuffer output = { out, room, 0 };
	size_t result = ZSTD_decompressStream((ZSTD_DStream *)zstd, &output, &input);

	if (ZSTD_isError(result))
		return -1;
	cursor_take(in, input.pos);
	return (long)output.pos;
}

#else

struct zstd *zstd_new(void)
{
	errno = ENOSYS;
	return NULL;
}

void zstd_free(struct zstd *zstd)
{
	(void)zstd;
}

long zstd_feed(struct zstd *zstd, struct cursor *in, unsigned char *out, size_t room)
{
	(void)zstd;
	(void)in;
	(void)out;
	(void)room;
	errno = ENOSYS;
	return -1;
}

#endif
