/* SPDX-License-Identifier: MIT */
/*
 * perftop-slow - the program with a decoder that takes DECODER_MSEC milliseconds more for a block, or for
 * the first of each DECODER_EVERY blocks.
 *
 * Linked with --wrap=decoder_feed: every call of it comes here; the program itself is unchanged.
 */
#include "decode/decoder.h"

#include <stdlib.h>
#include <time.h>

void __real_decoder_feed(struct decoder *decoder, uint32_t slot, const unsigned char *bytes,
			 size_t len);
void __wrap_decoder_feed(struct decoder *decoder, uint32_t slot, const unsigned char *bytes,
			 size_t len);

static long number(const char *name, long otherwise)
{
	const char *text = getenv(name);

	return text != NULL ? atol(text) : otherwise;
}

void __wrap_decoder_feed(struct decoder *decoder, uint32_t slot, const unsigned char *bytes,
			 size_t len)
{
	/* The decoder has one thread. */
	static long block;
	long msec = number("DECODER_MSEC", 10);
	struct timespec time = { .tv_sec = msec / 1000, .tv_nsec = msec % 1000 * 1000000 };

	if (block++ % number("DECODER_EVERY", 1) == 0)
		nanosleep(&time, NULL);
	__real_decoder_feed(decoder, slot, bytes, len);
}
