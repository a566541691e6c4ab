/* SPDX-License-Identifier: MIT */
/*
 * addresses - the weight of samples by instruction pointer.
 *
 * Kernel code is identified by its address, user code by its pid only: user symbols are not
 * resolved.  Recent weights fade by a quarter per tick, so that currently hot code ranks first.
 */
#ifndef MODEL_ADDRESSES_H
#define MODEL_ADDRESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct address {
	uint64_t ip; /* or the pid, for user code */
	bool is_user;
	double recent;	/* weight, faded at each tick */
	uint64_t total; /* weight since the start, or since zero */
};

struct addresses;

/* An empty table; never NULL. */
struct addresses *addresses_new(void);
void addresses_free(struct addresses *addresses);

/* Add a sample of `weight` at an address; user code: the pid instead.  Ignored when full. */
void addresses_hit(struct addresses *addresses, uint64_t ip, bool is_user, uint64_t weight);

/* All addresses, unsorted; valid until the next call that changes the table. */
size_t addresses_count(const struct addresses *addresses);
const struct address *addresses_all(const struct addresses *addresses);

/* At the end of a tick: fade all; more than half full, also drop those that faded out. */
void addresses_fade(struct addresses *addresses);

/* Drop all addresses: "zero". */
void addresses_zero(struct addresses *addresses);

#endif
