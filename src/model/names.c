/* SPDX-License-Identifier: MIT */
#include "model/names.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

struct place {
	struct frame frame;
	uint32_t name;
	struct name found;
};

/* All code of a file that is in no function with a name: hundreds of offsets would hide the others. */
#define UNKNOWN "[unknown]"

#define NUMBER_BYTES 24

struct names {
	struct snapshot *snap;
	struct place *places; /* [nplaces] sorted by frame */
	size_t nplaces, room;
	uint32_t *index; /* [mask + 1] by frame: position in `places` plus one; 0: empty */
	size_t mask;
	char (*numbers)[NUMBER_BYTES]; /* [nplaces] of kernel addresses without a symbol */
	struct code_name *codes;       /* [ncodes] the places in files, in their order */
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

static bool is_in_file(const struct frame *frame)
{
	return frame->file != FRAME_PROCESS && frame->file != FRAME_KERNEL;
}

/* Those of one file together. */
static int by_place(const void *a, const void *b)
{
	const struct frame *left = &((const struct place *)a)->frame;
	const struct frame *right = &((const struct place *)b)->frame;

	if (left->file != right->file)
		return left->file < right->file ? -1 : 1;
	if (left->at != right->at)
		return left->at < right->at ? -1 : 1;
	return 0;
}

/* The index entry of a frame, or the empty one that is to be its. */
static uint32_t *entry_of(const struct names *names, struct frame frame)
{
	uint64_t hash = (frame.at + ((uint64_t)frame.file << 40)) * 0x9e3779b97f4a7c15ull;
	size_t at = (size_t)(hash >> 32) & names->mask;

	for (; names->index[at] != 0; at = (at + 1) & names->mask) {
		const struct frame *other = &names->places[names->index[at] - 1].frame;

		if (other->at == frame.at && other->file == frame.file)
			break;
	}
	return &names->index[at];
}

static void build_index(struct names *names)
{
	free(names->index);
	names->index = xcalloc(names->mask + 1, sizeof(*names->index));
	for (size_t i = 0; i < names->nplaces; i++)
		*entry_of(names, names->places[i].frame) = (uint32_t)i + 1;
}

static void add_place(struct names *names, struct frame frame)
{
	uint32_t *entry = entry_of(names, frame);

	if (*entry != 0)
		return;
	if (names->nplaces == names->room) {
		names->room *= 2;
		names->places = xreallocarray(names->places, names->room, sizeof(*names->places));
	}
	names->places[names->nplaces++] = (struct place){ .frame = frame };
	*entry = (uint32_t)names->nplaces;
	if (names->nplaces * 2 > names->mask) {
		names->mask = names->mask * 2 + 1;
		build_index(names);
	}
}

static void collect_places(const struct build *build, struct names *names)
{
	const struct chains *chains = build->model->chains;

	names->room = 512;
	names->places = xcalloc(names->room, sizeof(*names->places));
	names->mask = 1023;
	build_index(names);
	for (size_t i = 0; i < chains_count(chains); i++) {
		struct chain chain = chains_at(chains, i);

		if (names_weight(build, &chain) <= 0)
			continue;
		for (uint32_t at = 0; at < chain.nframes; at++)
			add_place(names, chain_frame(&chain, at));
	}
	qsort(names->places, names->nplaces, sizeof(*names->places), by_place);
	build_index(names);
}

/* --- their names ---------------------------------------------------------------------------- */

static struct name name_of_user(const struct build *build, int32_t pid)
{
	const char *comm = process_names_find(build->model->process_names, pid);

	return (struct name){ .symbol = comm != NULL ? comm : "?",
			      .module = "[user]",
			      .is_user = true };
}

static void name_processes(const struct build *build, const struct names *names)
{
	int32_t *pids = xcalloc(names->nplaces + 1, sizeof(*pids));
	size_t count = 0;

	for (; count < names->nplaces && names->places[count].frame.file == FRAME_PROCESS; count++)
		pids[count] = (int32_t)names->places[count].frame.at;
	process_names_keep(build->model->process_names, build->model, pids, count);
	free(pids);
}

/* The address, for one without a symbol. */
static const char *number(struct names *names, const struct place *place)
{
	char *text = names->numbers[place - names->places];

	snprintf(text, NUMBER_BYTES, "0x%llx", (unsigned long long)place->frame.at);
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
		name.symbol = resolver->symbol(resolver->ctx, place->frame.at, &name.module);
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
	struct place *places = names->places;

	while (places < names->places + names->nplaces && !is_in_file(&places->frame))
		places++;
	names->codes = xcalloc(names->nplaces + 1, sizeof(*names->codes));
	for (struct place *place = places; place < names->places + names->nplaces; place++) {
		if (is_in_file(&place->frame))
			names->codes[names->ncodes++] = (struct code_name){
				.file = maps_file(build->model->maps, place->frame.file),
				.offset = place->frame.at,
			};
	}
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
	names->numbers = xcalloc(names->nplaces + 1, sizeof(*names->numbers));
	name_codes(build, names);
	name_processes(build, names);
	for (size_t i = 0; i < names->nplaces; i++) {
		struct place *place = &names->places[i];

		if (place->frame.file == FRAME_PROCESS)
			place->found = name_of_user(build, (int32_t)place->frame.at);
		else if (place->frame.file == FRAME_KERNEL)
			place->found = name_of_kernel(build, names, place);
	}
	number_names(names);
	return names;
}

void names_free(struct names *names)
{
	if (names == NULL)
		return;

	free(names->places);
	free(names->index);
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

uint32_t names_of(const struct names *names, struct frame frame)
{
	return names->places[*entry_of(names, frame) - 1].name;
}
