/* SPDX-License-Identifier: MIT */
/*
 * addresses - where samples hit: an instruction pointer's weight.
 *
 * Kernel code is known by address; user code by its process, as long as user
 * symbols are not resolved.  Weights fade by a quarter a tick, so that what is
 * hot now stands first.
 */
#ifndef MODEL_ADDRESSES_H
#define MODEL_ADDRESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct address {
	uint64_t ip; /* or the pid, for user code */
	bool is_user;
	double recent;	/* faded weight */
	uint64_t total; /* from the start */
};

struct addresses;

/* An empty table; never NULL. */
struct addresses *addresses_new(void);
void addresses_free(struct addresses *addresses);

/* One sample at an address (user code: the pid instead) that stands for `weight`. */
void addresses_hit(struct addresses *addresses, uint64_t ip, bool is_user, uint64_t weight);

/* All of them, in no order. */
size_t addresses_count(const struct addresses *addresses);
const struct address *addresses_all(const struct addresses *addresses);

/* A tick is over: fade, and forget what has faded out. */
void addresses_fade(struct addresses *addresses);

/* Forget all of them: "zero". */
void addresses_zero(struct addresses *addresses);

#endif
