/* SPDX-License-Identifier: MIT */
#include "ui/cpu-units.h"

#include "base/xalloc.h"

#include <stdio.h>
#include <stdlib.h>

const char *unit_kind_name(enum unit_kind kind)
{
	static const char *const names[UNIT_KINDS] = {
		[UNIT_CPU] = "cpu",   [UNIT_CORE] = "core",	  [UNIT_CACHE] = "cache",
		[UNIT_NODE] = "node", [UNIT_PACKAGE] = "package", [UNIT_TYPE] = "type",
	};

	return kind < UNIT_KINDS ? names[kind] : "";
}

char *cpu_unit_name(const struct cpu_units *units, size_t unit, char out[UNIT_NAME_MAX])
{
	int32_t id = units->ids[unit];
	char number[CPU_TEXT_MAX];

	if (units->kind == UNIT_CPU)
		snprintf(out, UNIT_NAME_MAX, "cpu%s", snap_cpu_text(id, number));
	else if (units->kind == UNIT_TYPE && id <= 1)
		snprintf(out, UNIT_NAME_MAX, "%s", id == 0 ? "P" : "E");
	else if (units->kind == UNIT_PACKAGE)
		snprintf(out, UNIT_NAME_MAX, "pkg%d", (int)id);
	else
		snprintf(out, UNIT_NAME_MAX, "%s%d", unit_kind_name(units->kind), (int)id);
	return out;
}

/* --- finding them ----------------------------------------------------------------------------- */

static int32_t id_of(const struct snap_cpu *cpu, enum unit_kind kind)
{
	switch (kind) {
	case UNIT_CORE:
		return cpu->core;
	case UNIT_CACHE:
		return cpu->cache;
	case UNIT_NODE:
		return cpu->node;
	case UNIT_PACKAGE:
		return cpu->package;
	case UNIT_TYPE:
		return cpu->type;
	default:
		return cpu->id;
	}
}

static int rising(const void *a, const void *b)
{
	int32_t left = *(const int32_t *)a, right = *(const int32_t *)b;

	return (left > right) - (left < right);
}

static void forget(struct cpu_units *units)
{
	free(units->of);
	free(units->ids);
	*units = (struct cpu_units){ .kind = units->kind };
}

static size_t find(const struct cpu_units *units, int32_t id)
{
	const int32_t *at;

	if (units->count == 0)
		return UNIT_NONE;
	at = bsearch(&id, units->ids, units->count, sizeof(*units->ids), rising);
	return at ? (size_t)(at - units->ids) : UNIT_NONE;
}

/* The different numbers of the online CPUs; none when one of these is in no unit. */
static void list_ids(struct cpu_units *units, const struct snapshot *snap)
{
	size_t count = 0;

	units->ids = xcalloc(snap->ncpus + 1, sizeof(*units->ids));
	for (size_t slot = 0; slot < snap->ncpus; slot++) {
		int32_t id = id_of(&snap->cpus[slot], units->kind);

		if (id >= 0 || units->kind == UNIT_CPU)
			units->ids[count++] = id;
		else if (snap->cpus[slot].is_online)
			return;
	}
	qsort(units->ids, count, sizeof(*units->ids), rising);
	for (size_t i = 0; i < count; i++) {
		if (i == 0 || units->ids[i] != units->ids[i - 1])
			units->ids[units->count++] = units->ids[i];
	}
}

static void take(struct cpu_units *units, enum unit_kind kind, const struct snapshot *snap,
		 size_t fewer_than)
{
	forget(units);
	units->kind = kind;
	list_ids(units, snap);
	if (kind != UNIT_CPU && (units->count < 2 || units->count >= fewer_than)) {
		forget(units);
		return;
	}
	units->ncpus = snap->ncpus;
	units->of = xcalloc(snap->ncpus + 1, sizeof(*units->of));
	for (size_t slot = 0; slot < snap->ncpus; slot++)
		units->of[slot] = find(units, id_of(&snap->cpus[slot], kind));
}

void cpu_units_take(struct unit_kinds *kinds, const struct snapshot *snap)
{
	size_t count = SIZE_MAX;

	for (int kind = 0; kind < UNIT_KINDS; kind++) {
		struct cpu_units *units = &kinds->units[kind];

		take(units, (enum unit_kind)kind, snap, count);
		if (units->count > 0)
			count = units->count;
	}
}

void cpu_units_fini(struct unit_kinds *kinds)
{
	for (int kind = 0; kind < UNIT_KINDS; kind++)
		forget(&kinds->units[kind]);
}

/* --- choosing --------------------------------------------------------------------------------- */

enum unit_kind cpu_units_larger(const struct unit_kinds *kinds, enum unit_kind kind)
{
	for (int at = (int)kind + 1; at < UNIT_KINDS; at++)
		if (kinds->units[at].count > 0)
			return (enum unit_kind)at;
	return UNIT_KINDS;
}

enum unit_kind cpu_units_smaller(const struct unit_kinds *kinds, enum unit_kind kind)
{
	for (int at = (int)kind - 1; at >= 0; at--)
		if (kinds->units[at].count > 0)
			return (enum unit_kind)at;
	return UNIT_KINDS;
}

const struct cpu_units *cpu_units_within(const struct unit_kinds *kinds, enum unit_kind least,
					 size_t most)
{
	enum unit_kind kind = kinds->units[least].count > 0 ? least : UNIT_CPU, next;

	while (kinds->units[kind].count > most &&
	       (next = cpu_units_larger(kinds, kind)) != UNIT_KINDS)
		kind = next;
	return &kinds->units[kind];
}
