/* SPDX-License-Identifier: MIT */
/*
 * block - a piece of one CPU's records on its way from reader to decoder.
 *
 * A reader owns a fixed number of blocks.  Ownership moves with the pointer:
 * reader, through the block queue, to the decoder, and through the reader's own
 * free queue back.
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
	BLOCK_MARK_TICK, /* all that was in the ring at the request is before it, then the counters were read */
	BLOCK_MARK_FINAL, /* the same, with the events disabled before: the last block of its reader */
};

struct block {
	struct reader *home; /* whose it is */
	uint32_t slot;	     /* which CPU's records */
	uint32_t used;	     /* bytes of records in data */
	enum block_mark mark;
	uint64_t corrupt;	    /* ring_corrupt() when it was filled */
	uint64_t read_ns;	    /* with a mark: when the counters were read (CLOCK_MONOTONIC) */
	const struct count *counts; /* with a mark: what they said, by event (counters.h, C2) */
	_Alignas(64) unsigned char data[BLOCK_BYTES];
};

#endif
