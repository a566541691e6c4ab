/* SPDX-License-Identifier: MIT */
#include "ui/trouble.h"

#include "base/xalloc.h"

struct rows {
	const struct snapshot *snap;
	struct trouble_row *list;
	size_t count;
};

static double throttled_since(const struct snapshot *snap, uint32_t event, uint32_t slot)
{
	for (size_t i = 0; i < snap->nthrottled; i++)
		if (snap->throttled[i].event == event && snap->throttled[i].slot == slot)
			return snap->throttled[i].since_s;
	return RATE_UNKNOWN;
}

static bool is_in_trouble(const struct snap_event *event, const struct snap_event_cpu *on)
{
	return on->is_throttled || on->throttles || on->lost || snap_event_is_wrong_on(event, on);
}

/* Whether `a` is in more trouble than `b`, by totals: these change their order rarely. */
static bool is_worse(const struct snap_event *event, const struct snap_event_cpu *a,
		     const struct snap_event_cpu *b)
{
	if (snap_event_is_wrong_on(event, a) != snap_event_is_wrong_on(event, b))
		return snap_event_is_wrong_on(event, a);
	if (a->throttles != b->throttles)
		return a->throttles > b->throttles;
	return a->lost > b->lost;
}

/* Its worst slots, in the order of their numbers; how many. */
static size_t worst_slots(const struct snapshot *snap, const struct snap_event *event,
			  uint32_t slots[TROUBLE_OWN_ROWS])
{
	size_t count = 0;

	for (uint32_t slot = 0; slot < snap->ncpus; slot++) {
		const struct snap_event_cpu *on = &event->cpus[slot];
		size_t least = 0;

		if (!is_in_trouble(event, on))
			continue;
		if (count < TROUBLE_OWN_ROWS) {
			slots[count++] = slot;
			continue;
		}
		for (size_t i = 1; i < count; i++)
			if (!is_worse(event, &event->cpus[slots[i]], &event->cpus[slots[least]]))
				least = i;
		if (!is_worse(event, on, &event->cpus[slots[least]]))
			continue;
		for (size_t i = least; i + 1 < count; i++)
			slots[i] = slots[i + 1];
		slots[count - 1] = slot;
	}
	return count;
}

static struct trouble_row *add_row(struct rows *rows, uint32_t event, int cpu)
{
	struct trouble_row *row = &rows->list[rows->count++];

	*row = (struct trouble_row){ .event = event, .cpu = cpu, .since_s = RATE_UNKNOWN };
	row->sums = snap_event_no_cpu();
	return row;
}

static void add_own(struct rows *rows, uint32_t number, uint32_t slot)
{
	const struct snapshot *snap = rows->snap;
	const struct snap_event_cpu *on = &snap->events[number].cpus[slot];
	struct trouble_row *row = add_row(rows, number, snap->cpus[slot].id);

	row->ncpus = 1;
	row->sums = *on;
	if (on->is_throttled)
		row->since_s = throttled_since(snap, number, slot);
}

static void add_others(struct rows *rows, uint32_t number, const uint32_t *own, size_t nown)
{
	const struct snapshot *snap = rows->snap;
	struct trouble_row *row =
		add_row(rows, number, nown ? TROUBLE_CPU_OTHERS : TROUBLE_CPU_ALL);
	size_t next = 0;

	for (uint32_t slot = 0; slot < snap->ncpus; slot++) {
		if (next < nown && own[next] == slot) {
			next++;
			continue;
		}
		snap_event_add_cpu(&row->sums, &snap->events[number].cpus[slot]);
		row->ncpus++;
	}
}

static void add_event(struct rows *rows, uint32_t number)
{
	const struct snapshot *snap = rows->snap;
	uint32_t slots[TROUBLE_OWN_ROWS];
	size_t count = worst_slots(snap, &snap->events[number], slots);

	for (size_t i = 0; i < count; i++)
		add_own(rows, number, slots[i]);
	if (count < snap->ncpus)
		add_others(rows, number, slots, count);
}

enum trouble trouble_of(const struct snap_event *event)
{
	if (event->is_throttled || event->throttles)
		return TROUBLE_THROTTLED;
	if (event->lost || snap_event_is_wrong(event))
		return TROUBLE_LOST;
	return TROUBLE_NONE;
}

struct trouble_row *trouble_rows(const struct snapshot *snap, size_t *count)
{
	struct rows rows = { .snap = snap };

	rows.list = xcalloc(snap->nevents * (TROUBLE_OWN_ROWS + 1) + 1, sizeof(*rows.list));
	for (enum trouble trouble = 0; trouble < TROUBLES; trouble++)
		for (uint32_t i = 0; i < snap->nevents; i++)
			if (snap->events[i].cpus && trouble_of(&snap->events[i]) == trouble)
				add_event(&rows, i);
	*count = rows.count;
	return rows.list;
}
