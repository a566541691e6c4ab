/* SPDX-License-Identifier: MIT */
/*
 * chains - the weight of each event's samples by call chain.
 *
 * A chain is the kernel's functions that a sample was in, the innermost first, then those of the
 * user code that called them.  Without call chains it is the place of the sample alone.  User code
 * is identified by its place in a file, and where that is not known by its process.  Recent weights
 * fade by a quarter per tick, so that currently hot code ranks first.
 */
#ifndef MODEL_CHAINS_H
#define MODEL_CHAINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode/record.h"
#include "model/maps.h"

/* The most frames of a chain; further ones, which are the outermost, are left out. */
#define CHAIN_MOST 512

/* Of struct frame, in place of a file's number. */
#define FRAME_PROCESS 0		 /* user code of no known file */
#define FRAME_KERNEL  UINT32_MAX /* kernel code */

struct frame {
	uint32_t file; /* number of the file, as in struct code, or one of these */
	uint64_t at;   /* offset in the file; pid of the process; address in the kernel */
};

struct chain {
	uint32_t event;
	const struct frame
		*frames; /* [nframes] at least one, the innermost first; see chain_frame() */
	uint32_t nframes;
	int32_t pid;	/* whose code is in frames of no known place yet; else 0 */
	double recent;	/* weight, faded at each tick */
	uint64_t total; /* weight since the start, or since zero */
};

/* Where an address of user code was at a time: false when that is not known yet; file 0: it will never be. */
struct chain_places {
	void *ctx;
	bool (*find)(void *ctx, int32_t pid, uint64_t address, uint64_t time_ns, struct code *code);
};

struct chains;

/* An empty table; never NULL. */
struct chains *chains_new(void);
void chains_free(struct chains *chains);

/*
 * Add the weight of an event's sample to its chain; `places` are those known now.  When the table is full, a new chain's is
 * added to that of its innermost frame alone, or, of user code, to its process; if that is new too, it is ignored.
 */
void chains_sample(struct chains *chains, uint32_t event, const struct record *record,
		   const struct chain_places *places, uint64_t weight);

/* Ask for the places of all samples whose places were not all known, at no particular time (UINT64_MAX). */
void chains_place(struct chains *chains, const struct chain_places *places);

/* How many chains there are, and one; valid until the next call that changes the table. */
size_t chains_count(const struct chains *chains);
struct chain chains_at(const struct chains *chains, size_t number);

/* One of its frames; of a place that is not known yet FRAME_PROCESS. */
struct frame chain_frame(const struct chain *chain, uint32_t at);

/* At the end of a tick: fade all; more than half full, also drop those that faded out. */
void chains_fade(struct chains *chains);

/* Drop all chains: "zero". */
void chains_zero(struct chains *chains);

#endif
