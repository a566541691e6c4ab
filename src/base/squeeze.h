/* SPDX-License-Identifier: MIT */
/*
 * squeeze - a block of memory made smaller by libzstd, and back.
 *
 * Each call is by itself; any thread.
 */
#ifndef BASE_SQUEEZE_H
#define BASE_SQUEEZE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Compress `bytes` bytes into at most `room`: how many those are; 0 when they do not fit, or always
 * when built without libzstd.
 */
size_t squeeze(void *out, size_t room, const void *in, size_t bytes);

/* The `bytes` bytes that squeeze() made `packed` bytes of; false only when memory is short. */
bool unsqueeze(void *out, size_t bytes, const void *in, size_t packed);

#endif
