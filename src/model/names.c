/* SPDX-License-Identifier: MIT */
#include "model/names.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/* A kernel address, or the user code of a pid. */
struct place {
	uint64_t at;
	bool is_user;
	uint32_t name;
	struct name found;
};

struct names {
	struct snapshot *snap;
	struct place *places; /* [nplaces] sorted by is_user, at */
	size_t nplaces;
	struct name *all; /* [count] sorted; texts of tasks and the resolver, or of the snapshot: */
	bool *is_copied;  /* [count] */
	size_t count;
};

double names_weight(const struct build *build, const struct chain *chain)
{
	return build->tick->is_final ? (double)chain->total : chain->recent;
}

/* --- places --------------------------------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
	const struct place *left = a, *right = b;

	if (left->is_user != right->is_user)
		return left->is_user ? 1 : -1;
	if (left->at != right->at)
		return left->at < right->at ? -1 : 1;
	return 0;
}

static size_t count_places(const struct build *build)
{
	const struct chains *chains = build->model->chains;
	size_t count = 0;

	for (size_t i = 0; i < chains_count(chains); i++)
		count += chains_at(chains, i).nips + 1;
	return count;
}

static void collect_places(const struct build *build, struct names *names)
{
	const struct chains *chains = build->model->chains;

	names->places = xcalloc(count_places(build) + 1, sizeof(*names->places));
	for (size_t i = 0; i < chains_count(chains); i++) {
		struct chain chain = chains_at(chains, i);

		if (names_weight(build, &chain) <= 0)
			continue;
		for (uint32_t at = 0; at < chain.nips; at++)
			names->places[names->nplaces++] = (struct place){ .at = chain.ips[at] };
		if (chain.pid != 0)
			names->places[names->nplaces++] =
				(struct place){ .at = (uint64_t)chain.pid, .is_user = true };
	}
}

static void drop_duplicates(struct names *names)
{
	size_t kept = 0;

	qsort(names->places, names->nplaces, sizeof(*names->places), by_place);
	for (size_t i = 0; i < names->nplaces; i++) {
		if (kept == 0 || by_place(&names->places[kept - 1], &names->places[i]) != 0)
			names->places[kept++] = names->places[i];
	}
	names->nplaces = kept;
}

/* --- their names ---------------------------------------------------------------------------- */

static struct name name_of_user(const struct build *build, int32_t pid)
{
	const struct task *task = tasks_find(build->model->tasks, pid);

	return (struct name){ .symbol = task != NULL && task->comm[0] != '\0' ? task->comm : "?",
			      .module = "[user]",
			      .is_user = true };
}

static struct name name_of_kernel(const struct build *build, uint64_t ip)
{
	const struct model_resolver *resolver = &build->model->resolver;
	struct name name = { .module = "[kernel]" };
	char text[24];

	if (resolver->symbol != NULL)
		name.symbol = resolver->symbol(resolver->ctx, ip, &name.module);
	if (name.symbol != NULL)
		return name;
	snprintf(text, sizeof(text), "0x%llx", (unsigned long long)ip);
	return (struct name){ .symbol = snap_strdup(build->snap, text), .module = "[kernel]" };
}

static int by_name(const void *a, const void *b)
{
	const struct name *left = &(*(struct place *const *)a)->found;
	const struct name *right = &(*(struct place *const *)b)->found;
	int order = strcmp(left->symbol, right->symbol);

	if (order == 0)
		order = strcmp(left->module, right->module);
	return order != 0 ? order : left->is_user - right->is_user;
}

/* Number the places by their names: those of one symbol are one. */
static void number_names(struct names *names)
{
	struct place **sorted = xcalloc(names->nplaces + 1, sizeof(struct place *));

	for (size_t i = 0; i < names->nplaces; i++)
		sorted[i] = &names->places[i];
	qsort(sorted, names->nplaces, sizeof(struct place *), by_name);
	names->all = xcalloc(names->nplaces + 1, sizeof(*names->all));
	names->is_copied = xcalloc(names->nplaces + 1, sizeof(*names->is_copied));
	for (size_t i = 0; i < names->nplaces; i++) {
		if (i == 0 || by_name(&sorted[i - 1], &sorted[i]) != 0)
			names->all[names->count++] = sorted[i]->found;
		sorted[i]->name = (uint32_t)names->count - 1;
	}
	free(sorted);
}

struct names *names_new(const struct build *build)
{
	struct names *names = xcalloc(1, sizeof(*names));

	names->snap = build->snap;
	collect_places(build, names);
	drop_duplicates(names);
	for (size_t i = 0; i < names->nplaces; i++) {
		struct place *place = &names->places[i];

		place->found = place->is_user ? name_of_user(build, (int32_t)place->at) :
						name_of_kernel(build, place->at);
	}
	number_names(names);
	return names;
}

void names_free(struct names *names)
{
	if (names == NULL)
		return;

	free(names->places);
	free(names->all);
	free(names->is_copied);
	free(names);
}

/* --- asking --------------------------------------------------------------------------------- */

size_t names_count(const struct names *names)
{
	return names->count;
}

const struct name *names_at(struct names *names, uint32_t number)
{
	struct name *name = &names->all[number];

	if (!names->is_copied[number]) {
		name->symbol = snap_strdup(names->snap, name->symbol);
		name->module = snap_strdup(names->snap, name->module);
		names->is_copied[number] = true;
	}
	return name;
}

bool names_is_user(const struct names *names, uint32_t number)
{
	return names->all[number].is_user;
}

static uint32_t number_of(const struct names *names, uint64_t at, bool is_user)
{
	struct place key = { .at = at, .is_user = is_user };
	const struct place *place =
		bsearch(&key, names->places, names->nplaces, sizeof(key), by_place);

	return place->name;
}

uint32_t names_of_kernel(const struct names *names, uint64_t ip)
{
	return number_of(names, ip, false);
}

uint32_t names_of_user(const struct names *names, int32_t pid)
{
	return number_of(names, (uint64_t)pid, true);
}
