/* SPDX-License-Identifier: MIT */
#include "model/names.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/* A kernel address; a place in user code; or, with file 0, the user code of a pid. */
struct place {
	bool is_user;
	uint32_t file;
	uint64_t at;
	uint32_t name;
	struct name found;
};

/* All code of a file that is in no function with a name: hundreds of offsets would hide the others. */
#define UNKNOWN "[unknown]"

#define NUMBER_BYTES 24

struct names {
	struct snapshot *snap;
	struct place *places; /* [nplaces] sorted by is_user, at */
	size_t nplaces;
	char (*numbers)[NUMBER_BYTES]; /* [nplaces] of kernel addresses without a symbol */
	struct code_name *codes;       /* [ncodes] the last of the places, in their order */
	size_t ncodes;
	struct name *all; /* [count] sorted; texts of others, or of the snapshot: */
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
	if (left->file != right->file)
		return left->file < right->file ? -1 : 1;
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
				(struct place){ .is_user = true, .at = (uint64_t)chain.pid };
		else if (chain.code.file != 0)
			names->places[names->nplaces++] = (struct place){ .is_user = true,
									  .file = chain.code.file,
									  .at = chain.code.offset };
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

/* The address, for one without a symbol. */
static const char *number(struct names *names, const struct place *place)
{
	char *text = names->numbers[place - names->places];

	snprintf(text, NUMBER_BYTES, "0x%llx", (unsigned long long)place->at);
	return text;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

static struct name name_of_code(const struct code_name *code)
{
	return (struct name){ .symbol = code->symbol != NULL ? code->symbol : UNKNOWN,
			      .module = last_part(code->file->path),
			      .is_user = true };
}

static struct name name_of_kernel(const struct build *build, struct names *names,
				  const struct place *place)
{
	const struct model_resolver *resolver = &build->model->resolver;
	struct name name = { .module = "[kernel]" };

	if (resolver->symbol != NULL)
		name.symbol = resolver->symbol(resolver->ctx, place->at, &name.module);
	if (name.symbol != NULL)
		return name;
	return (struct name){ .symbol = number(names, place), .module = "[kernel]" };
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

/* Ask for the symbols of all user code at once: a file is then read once. */
static void name_codes(const struct build *build, struct names *names)
{
	const struct model_resolver *resolver = &build->model->resolver;
	struct place *places = &names->places[names->nplaces];

	while (places > names->places && places[-1].file != 0)
		places--;
	names->ncodes = (size_t)(&names->places[names->nplaces] - places);
	names->codes = xcalloc(names->ncodes + 1, sizeof(*names->codes));
	for (size_t i = 0; i < names->ncodes; i++)
		names->codes[i] =
			(struct code_name){ .file = maps_file(build->model->maps, places[i].file),
					    .offset = places[i].at };
	if (resolver->code != NULL && names->ncodes > 0)
		resolver->code(resolver->ctx, names->codes, names->ncodes);
	for (size_t i = 0; i < names->ncodes; i++)
		places[i].found = name_of_code(&names->codes[i]);
}

struct names *names_new(const struct build *build)
{
	struct names *names = xcalloc(1, sizeof(*names));

	names->snap = build->snap;
	collect_places(build, names);
	drop_duplicates(names);
	names->numbers = xcalloc(names->nplaces + 1, sizeof(*names->numbers));
	name_codes(build, names);
	for (size_t i = 0; i < names->nplaces - names->ncodes; i++) {
		struct place *place = &names->places[i];

		place->found = place->is_user ? name_of_user(build, (int32_t)place->at) :
						name_of_kernel(build, names, place);
	}
	number_names(names);
	return names;
}

void names_free(struct names *names)
{
	if (names == NULL)
		return;

	free(names->places);
	free(names->codes);
	free(names->numbers);
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

static uint32_t number_of(const struct names *names, const struct place *key)
{
	const struct place *place =
		bsearch(key, names->places, names->nplaces, sizeof(*key), by_place);

	return place->name;
}

uint32_t names_of_kernel(const struct names *names, uint64_t ip)
{
	return number_of(names, &(struct place){ .at = ip });
}

uint32_t names_of_user(const struct names *names, const struct chain *chain)
{
	struct place key = { .is_user = true, .at = (uint64_t)chain->pid };

	if (chain->code.file != 0) {
		key.file = chain->code.file;
		key.at = chain->code.offset;
	}
	return number_of(names, &key);
}
