/* SPDX-License-Identifier: MIT */
/*
 * callers - for each of several functions, the functions that called it, as a tree.
 *
 * A function's callers are its children, their callers are theirs.  The weight of each is that of the
 * samples in the root which came through it.
 */
#ifndef MODEL_CALLERS_H
#define MODEL_CALLERS_H

#include <stddef.h>
#include <stdint.h>

struct callers;

/* `count` roots without callers; never NULL. */
struct callers *callers_new(size_t count);
void callers_free(struct callers *callers);

/* Add a chain of `names` [n], the innermost first, that led to a root. */
void callers_add(struct callers *callers, size_t root, const uint32_t *names, size_t n,
		 double weight);

struct caller {
	uint32_t name;
	uint32_t depth; /* 1: it called the root */
	double weight;
};

/*
 * The callers of a root whose weight is at least `least`, into *out (the caller frees): each before
 * those that called it, the heaviest of one function first.  Returns how many.  The lighter ones are
 * gone then.
 */
size_t callers_list(struct callers *callers, size_t root, double least, struct caller **out);

#endif
