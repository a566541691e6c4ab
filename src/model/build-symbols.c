/* SPDX-License-Identifier: MIT */
#include "model/build-inside.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "model/callers.h"
#include "model/names.h"

#define NO_RANK SIZE_MAX

/* Callers with less than this share of their symbol's weight are left out. */
#define CALLER_LEAST 0.005

/* The weight of one name, as the innermost of chains. */
struct hit {
	uint32_t name;
	double weight;
};

struct symbols {
	const struct build *build;
	struct names *names;
	struct hit *hits; /* the heaviest first */
	size_t nhits;	  /* those that are kept in the snapshot */
	double sum;	  /* of all, also those not kept */
};

/* By name if the weights are the same: names are numbered in their order. */
static int by_weight(const void *a, const void *b)
{
	const struct hit *left = a, *right = b;

	if (left->weight != right->weight)
		return left->weight > right->weight ? -1 : 1;
	return left->name < right->name ? -1 : left->name > right->name;
}

/* Which of them the snapshot has, in their order. */
static void keep_top(struct symbols *symbols)
{
	const struct model_keep *keep = &symbols->build->model->config.keep;
	size_t count = symbols->nhits, nkept[2] = { 0, 0 };

	symbols->nhits = 0;
	for (size_t i = 0; i < count; i++) {
		bool is_user = names_is_user(symbols->names, symbols->hits[i].name);
		size_t *kept = &nkept[keep->of_each && is_user];

		if (*kept == keep->top || (is_user ? keep->no_user : keep->no_kernel))
			continue;
		(*kept)++;
		symbols->hits[symbols->nhits++] = symbols->hits[i];
	}
}

static void weigh(struct symbols *symbols)
{
	const struct model *model = symbols->build->model;
	size_t count = names_count(symbols->names);

	symbols->hits = xcalloc(count + 1, sizeof(*symbols->hits));
	for (uint32_t i = 0; i < count; i++)
		symbols->hits[i].name = i;
	for (size_t i = 0; i < chains_count(model->chains); i++) {
		struct chain chain = chains_at(model->chains, i);
		double weight = names_weight(symbols->build, &chain);

		if (weight <= 0)
			continue;
		symbols->hits[names_of(symbols->names, chain_frame(&chain, 0))].weight += weight;
		symbols->sum += weight;
	}
	for (size_t i = 0; i < count; i++) {
		if (symbols->hits[i].weight > 0)
			symbols->hits[symbols->nhits++] = symbols->hits[i];
	}
	qsort(symbols->hits, symbols->nhits, sizeof(*symbols->hits), by_weight);
	keep_top(symbols);
}

/* --- callers -------------------------------------------------------------------------------- */

/* Several frames of a process's code of no known file are one. */
static void add_chain(const struct symbols *symbols, struct callers *callers, const size_t *ranks,
		      const struct chain *chain)
{
	uint32_t names[CHAIN_MOST];
	size_t rank = ranks[names_of(symbols->names, chain_frame(chain, 0))], n = 0;

	if (rank == NO_RANK)
		return;
	for (uint32_t i = 1; i < chain->nframes; i++) {
		struct frame frame = chain_frame(chain, i);

		if (frame.file != FRAME_PROCESS || chain_frame(chain, i - 1).file != FRAME_PROCESS)
			names[n++] = names_of(symbols->names, frame);
	}
	callers_add(callers, rank, names, n, names_weight(symbols->build, chain));
}

static struct callers *find_callers(const struct symbols *symbols)
{
	const struct model *model = symbols->build->model;
	struct callers *callers = callers_new(symbols->nhits);
	size_t *ranks = xcalloc(names_count(symbols->names) + 1, sizeof(*ranks));

	for (size_t i = 0; i < names_count(symbols->names); i++)
		ranks[i] = NO_RANK;
	for (size_t i = 0; i < symbols->nhits; i++)
		ranks[symbols->hits[i].name] = i;
	for (size_t i = 0; i < chains_count(model->chains); i++) {
		struct chain chain = chains_at(model->chains, i);

		if (names_weight(symbols->build, &chain) > 0)
			add_chain(symbols, callers, ranks, &chain);
	}
	free(ranks);
	return callers;
}

static void write_callers(const struct symbols *symbols, struct callers *callers, size_t rank,
			  struct snap_symbol *symbol)
{
	struct caller *list;
	size_t count =
		callers_list(callers, rank, symbols->hits[rank].weight * CALLER_LEAST, &list);
	struct snap_caller *out = snap_alloc(symbols->build->snap, count, sizeof(*out));

	for (size_t i = 0; i < count; i++) {
		const struct name *name = names_at(symbols->names, list[i].name);

		out[i] = (struct snap_caller){ .symbol = name->symbol,
					       .module = name->module,
					       .share = list[i].weight / symbols->sum,
					       .depth = list[i].depth };
	}
	free(list);
	symbol->callers = out;
	symbol->ncallers = count;
}

void build_symbols(const struct build *build)
{
	struct symbols symbols = { .build = build, .names = names_new(build) };

	weigh(&symbols);

	struct callers *callers = find_callers(&symbols);
	struct snap_symbol *out = snap_alloc(build->snap, symbols.nhits, sizeof(*out));

	for (size_t i = 0; i < symbols.nhits; i++) {
		const struct name *name = names_at(symbols.names, symbols.hits[i].name);

		out[i] = (struct snap_symbol){ .symbol = name->symbol,
					       .module = name->module,
					       .is_user = name->is_user,
					       .share = symbols.hits[i].weight / symbols.sum };
		write_callers(&symbols, callers, i, &out[i]);
	}
	build->snap->symbols = out;
	build->snap->nsymbols = symbols.nhits;
	callers_free(callers);
	names_free(symbols.names);
	free(symbols.hits);
}
