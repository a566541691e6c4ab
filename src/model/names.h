/* SPDX-License-Identifier: MIT */
/*
 * names - the symbols of the code in a table of chains, each numbered once.
 *
 * Made for one snapshot: texts of names are valid as long as the snapshot, the table as long as the
 * chains are not changed.
 */
#ifndef MODEL_NAMES_H
#define MODEL_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/build-inside.h"

struct name {
	const char *symbol, *module; /* as in struct snap_symbol */
	bool is_user;
};

struct names;

/* Look up all code of the chains that have a weight; never NULL. */
struct names *names_new(const struct build *build);
void names_free(struct names *names);

/*
 * How many there are; and one by its number, in the order of symbols and modules.  Its texts are copied
 * into the snapshot when it is first asked for.
 */
size_t names_count(const struct names *names);
const struct name *names_at(struct names *names, uint32_t number);

/* Whether that one is user code. */
bool names_is_user(const struct names *names, uint32_t number);

/* The number of a frame (chain_frame()) of a chain with a weight. */
uint32_t names_of(const struct names *names, struct frame frame);

/* What a chain counts in this snapshot: its recent weight, in the final one its total. */
double names_weight(const struct build *build, const struct chain *chain);

#endif
