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
	/* The chains that have a weight, by event: those of event n are chains[first[n]] to first[n + 1]. */
	uint32_t *chains;
	size_t *first;
	size_t *ranks; /* [names] which of the event's hits it is, or NO_RANK */

	/* Of the event that is built: */
	size_t from, to;  /* its chains */
	struct hit *hits; /* the heaviest first */
	size_t nhits;	  /* those that are kept in the snapshot */
	double sum;	  /* of all, also those not kept */
};

/* --- chains by event ------------------------------------------------------------------------ */

static bool has_weight(const struct build *build, const struct chain *chain)
{
	return build->indexes[chain->event] != NO_INDEX && names_weight(build, chain) > 0;
}

static void sort_chains(struct symbols *symbols)
{
	const struct build *build = symbols->build;
	const struct chains *table = build->model->chains;
	size_t nrows = build->model->nrows, count = chains_count(table);

	symbols->first = xcalloc(nrows + 2, sizeof(*symbols->first));
	symbols->chains = xcalloc(count + 1, sizeof(*symbols->chains));
	for (size_t i = 0; i < count; i++) {
		struct chain chain = chains_at(table, i);

		if (has_weight(build, &chain))
			symbols->first[chain.event + 2]++;
	}
	for (size_t row = 2; row < nrows + 2; row++)
		symbols->first[row] += symbols->first[row - 1];
	/* While they are put, first[n + 1] is where the next one of event n goes. */
	for (size_t i = 0; i < count; i++) {
		struct chain chain = chains_at(table, i);

		if (has_weight(build, &chain))
			symbols->chains[symbols->first[chain.event + 1]++] = (uint32_t)i;
	}
}

static struct chain chain_at(const struct symbols *symbols, size_t place)
{
	return chains_at(symbols->build->model->chains, symbols->chains[place]);
}

static uint32_t innermost(const struct symbols *symbols, const struct chain *chain)
{
	return names_of(symbols->names, chain_frame(chain, 0));
}

/* --- symbols -------------------------------------------------------------------------------- */

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

/* A name's rank is the place of its hit, until they are sorted; at the end all are NO_RANK again. */
static void weigh(struct symbols *symbols)
{
	symbols->hits = xcalloc(symbols->to - symbols->from + 1, sizeof(*symbols->hits));
	symbols->nhits = 0;
	symbols->sum = 0;
	for (size_t i = symbols->from; i < symbols->to; i++) {
		struct chain chain = chain_at(symbols, i);
		double weight = names_weight(symbols->build, &chain);
		uint32_t name = innermost(symbols, &chain);

		if (symbols->ranks[name] == NO_RANK) {
			symbols->ranks[name] = symbols->nhits;
			symbols->hits[symbols->nhits++].name = name;
		}
		symbols->hits[symbols->ranks[name]].weight += weight;
		symbols->sum += weight;
	}
	for (size_t i = 0; i < symbols->nhits; i++)
		symbols->ranks[symbols->hits[i].name] = NO_RANK;
	qsort(symbols->hits, symbols->nhits, sizeof(*symbols->hits), by_weight);
	keep_top(symbols);
}

/* --- callers -------------------------------------------------------------------------------- */

/* Several frames of a process's code of no known file are one. */
static void add_chain(const struct symbols *symbols, struct callers *callers,
		      const struct chain *chain)
{
	uint32_t names[CHAIN_MOST];
	size_t rank = symbols->ranks[innermost(symbols, chain)], n = 0;

	if (rank == NO_RANK)
		return;
	for (uint32_t i = 1; i < chain->nframes; i++) {
		struct frame frame = chain_frame(chain, i);

		if (frame.file != FRAME_PROCESS || chain_frame(chain, i - 1).file != FRAME_PROCESS)
			names[n++] = names_of(symbols->names, frame);
	}
	callers_add(callers, rank, names, n, names_weight(symbols->build, chain));
}

static struct callers *find_callers(struct symbols *symbols)
{
	struct callers *callers = callers_new(symbols->nhits);

	for (size_t i = 0; i < symbols->nhits; i++)
		symbols->ranks[symbols->hits[i].name] = i;
	for (size_t i = symbols->from; i < symbols->to; i++) {
		struct chain chain = chain_at(symbols, i);

		add_chain(symbols, callers, &chain);
	}
	for (size_t i = 0; i < symbols->nhits; i++)
		symbols->ranks[symbols->hits[i].name] = NO_RANK;
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

static void build_event(struct symbols *symbols, struct snap_event *event)
{
	weigh(symbols);

	struct callers *callers = find_callers(symbols);
	struct snap_symbol *out = snap_alloc(symbols->build->snap, symbols->nhits, sizeof(*out));

	for (size_t i = 0; i < symbols->nhits; i++) {
		const struct name *name = names_at(symbols->names, symbols->hits[i].name);

		out[i] = (struct snap_symbol){ .symbol = name->symbol,
					       .module = name->module,
					       .is_user = name->is_user,
					       .share = symbols->hits[i].weight / symbols->sum };
		write_callers(symbols, callers, i, &out[i]);
	}
	event->symbols = out;
	event->nsymbols = symbols->nhits;
	callers_free(callers);
	free(symbols->hits);
}

void build_symbols(const struct build *build)
{
	struct symbols symbols = { .build = build, .names = names_new(build) };
	size_t nnames = names_count(symbols.names);

	sort_chains(&symbols);
	symbols.ranks = xcalloc(nnames + 1, sizeof(*symbols.ranks));
	for (size_t i = 0; i < nnames; i++)
		symbols.ranks[i] = NO_RANK;
	for (size_t i = 0; i < build->snap->nevents; i++) {
		struct snap_event *event = &build->events[i];

		symbols.from = symbols.first[build->numbers[i]];
		symbols.to = symbols.first[build->numbers[i] + 1];
		if (symbols.from == symbols.to)
			continue;
		build_event(&symbols, event);
		if (event->is_symbol_event) {
			build->snap->symbols = event->symbols;
			build->snap->nsymbols = event->nsymbols;
		}
	}
	names_free(symbols.names);
	free(symbols.chains);
	free(symbols.first);
	free(symbols.ranks);
}
