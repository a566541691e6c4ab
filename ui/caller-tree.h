/* SPDX-License-Identifier: MIT */
/*
 * caller-tree - which callers of a symbol are shown, and how deep each is drawn.
 *
 * All are open until one is closed; that outlives the snapshots, by the path to it.
 */
#ifndef UI_CALLER_TREE_H
#define UI_CALLER_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/snapshot.h"

#define CALLER_NONE SIZE_MAX

struct caller_line {
	uint64_t id;	/* of the path from the symbol to it */
	size_t parent;	/* that it called, or CALLER_NONE: the symbol itself */
	size_t callers; /* how many called it */
	int level;	/* steps to the right */
	bool is_first;	/* it called the symbol, or is one of several callers */
	bool is_closed;
};

struct caller_tree {
	const struct snap_symbol *symbol; /* borrowed; NULL: none */
	struct caller_line *lines;	  /* [symbol->ncallers] */
	size_t *shown;			  /* [nshown] of these, without those below closed ones */
	size_t nshown;
	uint64_t *closed; /* [nclosed] ids */
	size_t nclosed;
};

/* Show this symbol's callers; NULL: none.  Zeroed before the first call. */
void caller_tree_set(struct caller_tree *tree, const struct snap_symbol *symbol);
void caller_tree_fini(struct caller_tree *tree);

/* Close or open one, by its index; of one without callers nothing changes. */
void caller_tree_close(struct caller_tree *tree, size_t at, bool is_closed);

#endif
