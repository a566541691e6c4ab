/* SPDX-License-Identifier: MIT */
/*
 * block - a buffer that passes records of one CPU from its reader to the decoder.
 *
 * A reader allocates a fixed number of blocks.  A block is used by the thread that has its pointer:
 * it goes from the reader through the block queue to the decoder, and back through the reader's
 * free queue.
 */
#ifndef CAPTURE_BLOCK_H
#define CAPTURE_BLOCK_H

#include <stddef.h>
#include <stdint.h>

/* The longest record (a header's size has 16 bits) fits in one block. */
#define BLOCK_BYTES 65536u

struct count;
struct reader;

enum block_mark {
	BLOCK_MARK_NONE,
	/* Without counts: all that was in the ring at the request is in this block or earlier ones. */
	BLOCK_MARK_ROUND,
	/* Has counts; all samples of the events counted there are in this block or earlier ones. */
	BLOCK_MARK_TICK,
	/* The same, with the events disabled before: the last block of its reader. */
	BLOCK_MARK_FINAL,
};

struct block {
	struct reader *home; /* the reader that allocated it */
	uint32_t slot;	     /* of the CPU */
	uint32_t used;	     /* bytes of records in data */
	enum block_mark mark;
	uint64_t corrupt;	    /* ring_corrupt() when the block was pushed */
	uint64_t read_ns;	    /* with counts: when the counters were read (CLOCK_MONOTONIC) */
	const struct count *counts; /* with counts: those, [events] (counters.h, C2) */
	_Alignas(64) unsigned char data[BLOCK_BYTES];
};

#endif
