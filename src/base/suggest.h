/* SPDX-License-Identifier: MIT */
/*
 * suggest - "did you mean": the name nearest to what was typed.
 */
#ifndef BASE_SUGGEST_H
#define BASE_SUGGEST_H

#include <stddef.h>

struct suggest {
	const char *typed; /* borrowed */
	char best[128];	   /* "" while nothing is near enough */
	size_t distance;   /* of best */
};

/* Start; only names within about a third of the typed length in edits count as near. */
void suggest_init(struct suggest *suggest, const char *typed);

/* Offer one candidate. */
void suggest_offer(struct suggest *suggest, const char *name);

/* The nearest so far, or NULL. */
const char *suggest_best(const struct suggest *suggest);

#endif
