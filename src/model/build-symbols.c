/* SPDX-License-Identifier: MIT */
#include "model/build-inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

struct hit {
	const char *symbol, *module;
	double weight;
};

static struct hit resolve(const struct build *build, const struct address *address)
{
	const struct model *model = build->model;
	const struct model_resolver *resolver = &model->resolver;
	struct hit hit = { .weight = build->tick->is_final ? (double)address->total :
							     address->recent };

	if (address->is_user) {
		const struct task *task = tasks_find(model->tasks, (int32_t)address->ip);

		hit.symbol = task != NULL && task->comm[0] != '\0' ? task->comm : "?";
		hit.module = "[user]";
		return hit;
	}
	hit.symbol = resolver->symbol != NULL ?
			     resolver->symbol(resolver->ctx, address->ip, &hit.module) :
			     NULL;
	if (hit.symbol == NULL) {
		char text[24];

		snprintf(text, sizeof(text), "0x%llx", (unsigned long long)address->ip);
		hit.symbol = snap_strdup(build->snap, text);
		hit.module = "[kernel]";
	}
	return hit;
}

static int by_symbol(const void *a, const void *b)
{
	const struct hit *left = a, *right = b;
	int order = strcmp(left->symbol, right->symbol);

	return order != 0 ? order : strcmp(left->module, right->module);
}

static int by_weight(const void *a, const void *b)
{
	const struct hit *left = a, *right = b;

	if (left->weight != right->weight)
		return left->weight > right->weight ? -1 : 1;
	return by_symbol(a, b);
}

/* Merge the hits of each symbol and sort by weight; returns how many are left. */
static size_t merge_hits(struct hit *hits, size_t count)
{
	size_t kept = 0;

	qsort(hits, count, sizeof(*hits), by_symbol);
	for (size_t i = 0; i < count; i++) {
		if (kept > 0 && by_symbol(&hits[kept - 1], &hits[i]) == 0)
			hits[kept - 1].weight += hits[i].weight;
		else
			hits[kept++] = hits[i];
	}
	qsort(hits, kept, sizeof(*hits), by_weight);
	return kept;
}

void build_symbols(const struct build *build)
{
	const struct model *model = build->model;
	struct snapshot *snap = build->snap;
	const struct address *addresses = addresses_all(model->addresses);
	size_t known = addresses_count(model->addresses), count = 0;
	struct hit *hits = xcalloc(known + 1, sizeof(*hits));
	double sum = 0;

	for (size_t i = 0; i < known; i++) {
		hits[count] = resolve(build, &addresses[i]);
		sum += hits[count].weight;
		if (hits[count].weight > 0)
			count++;
	}
	count = merge_hits(hits, count);
	if (count > model->config.top)
		count = model->config.top;

	struct snap_symbol *symbols = snap_alloc(snap, count, sizeof(*symbols));
	for (size_t i = 0; i < count; i++) {
		symbols[i].symbol = snap_strdup(snap, hits[i].symbol);
		symbols[i].module = snap_strdup(snap, hits[i].module);
		symbols[i].share = hits[i].weight / sum;
	}
	free(hits);
	snap->symbols = symbols;
	snap->nsymbols = count;
}
