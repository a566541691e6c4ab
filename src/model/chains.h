/* SPDX-License-Identifier: MIT */
/*
 * chains - the weight of samples by call chain.
 *
 * The kernel's part of a chain is identified by its addresses, the user code that called it by its pid
 * only.  A sample in user code has no chain, but its place in a file; until that is known, its address.
 * Without call chains a chain is the address of the sample.  Recent weights fade by a quarter per tick, so that
 * currently hot code ranks first.
 */
#ifndef MODEL_CHAINS_H
#define MODEL_CHAINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode/record.h"
#include "model/maps.h"

/* The most kernel addresses of a chain; further ones, which are the outermost, are left out. */
#define CHAIN_MOST 512

struct chain {
	const uint64_t *ips; /* [nips] kernel code, the innermost first */
	uint32_t nips;
	int32_t pid; /* whose user code that is, or was called from; 0: unknown, or from none */
	struct code code; /* without kernel code: the place in a file, with pid 0; file 0: unknown */
	double recent;	  /* weight, faded at each tick */
	uint64_t total;	  /* weight since the start, or since zero */
};

struct chains;

/* An empty table; never NULL. */
struct chains *chains_new(void);
void chains_free(struct chains *chains);

/*
 * Add the weight of a sample to its chain.  `code` is where it is, if it is in user code: NULL when that is
 * not known yet; file 0: in none.  When the table is full, a new chain's is added to that of its innermost
 * address alone, or that of its pid; if that is new too, it is ignored.
 */
void chains_sample(struct chains *chains, const struct record *record, const struct code *code,
		   uint64_t weight);

/* Where an address of user code is: false when that is not known yet; file 0: it will never be. */
struct chain_places {
	void *ctx;
	bool (*find)(void *ctx, int32_t pid, uint64_t address, struct code *code);
};

/* Ask for the places of all samples whose place was not known. */
void chains_place(struct chains *chains, const struct chain_places *places);

/* How many chains there are, and one; valid until the next call that changes the table. */
size_t chains_count(const struct chains *chains);
struct chain chains_at(const struct chains *chains, size_t number);

/* At the end of a tick: fade all; more than half full, also drop those that faded out. */
void chains_fade(struct chains *chains);

/* Drop all chains: "zero". */
void chains_zero(struct chains *chains);

#endif
