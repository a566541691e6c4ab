/* SPDX-License-Identifier: MIT */
#include "model/build-inside.h"

#define ASKED_MAX  64 /* processes at once; the others follow */
#define ROUNDS_MAX 16 /* of asking, at one tick */

struct placing {
	struct model *model;
	struct process_maps asked[ASKED_MAX];
	size_t nasked;
};

static void ask(struct placing *placing, int32_t pid)
{
	for (size_t i = 0; i < placing->nasked; i++) {
		if (placing->asked[i].pid == pid)
			return;
	}
	if (placing->nasked < ASKED_MAX)
		placing->asked[placing->nasked++] = (struct process_maps){ .pid = pid };
}

/* What neither a record nor /proc told is of no file: memory that code was generated in. */
static bool find_place(void *ctx, int32_t pid, uint64_t address, uint64_t time_ns,
		       struct code *code)
{
	struct placing *placing = ctx;
	struct model *model = placing->model;

	if (maps_find(model->maps, pid, address, time_ns, code) || model->resolver.mappings == NULL)
		return true;

	int32_t unread = maps_unread(model->maps, pid);
	if (unread == 0)
		return true;
	ask(placing, unread);
	return false;
}

/* Have the mappings read that were asked for: whether there are new ones. */
static bool read_mappings(struct placing *placing)
{
	const struct model_resolver *resolver = &placing->model->resolver;
	bool is_any = false;

	if (placing->nasked == 0)
		return false;
	resolver->mappings(resolver->ctx, placing->asked, placing->nasked);
	for (size_t i = 0; i < placing->nasked; i++) {
		const struct process_maps *process = &placing->asked[i];

		if (!process->is_read)
			continue;
		maps_read(placing->model->maps, process->pid, process->all, process->count,
			  process->time_ns);
		is_any = true;
	}
	placing->nasked = 0;
	return is_any;
}

void build_place_code(struct model *model)
{
	struct placing placing = { .model = model };
	struct chain_places places = { .ctx = &placing, .find = find_place };

	for (int round = 0; round < ROUNDS_MAX; round++) {
		chains_place(model->chains, &places);
		if (!read_mappings(&placing))
			break;
	}
}
