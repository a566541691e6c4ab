/* SPDX-License-Identifier: MIT */
/*
 * perftop-slow - the program with a decoder that takes DECODER_MSEC milliseconds more for each block.
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

void __wrap_decoder_feed(struct decoder *decoder, uint32_t slot, const unsigned char *bytes,
			 size_t len)
{
	const char *text = getenv("DECODER_MSEC");
	long msec = text != NULL ? atol(text) : 10;
	struct timespec time = { .tv_sec = msec / 1000, .tv_nsec = msec % 1000 * 1000000 };

	nanosleep(&time, NULL);
	__real_decoder_feed(decoder, slot, bytes, len);
}
