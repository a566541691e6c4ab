/* SPDX-License-Identifier: MIT */
/* Rows of throttling and loss: those CPUs that have it, and one for the others. */
#include "ui/trouble.h"

#include "fixture.h"
#include "tap.h"

#include <stdlib.h>

#define MANY 512

static struct trouble_row *rows;
static size_t count;

static void take(const struct snapshot *snap)
{
	free(rows);
	rows = trouble_rows(snap, &count);
}

/* Lets the test change the CPUs of an event of a fixture. */
static struct snap_event_cpu *cpus_of(struct snapshot *snap, size_t event)
{
	return (struct snap_event_cpu *)snap->events[event].cpus;
}

static struct snap_event *event_at(struct snapshot *snap, size_t event)
{
	return (struct snap_event *)&snap->events[event];
}

static void test_calm(void)
{
	struct snapshot *snap = fixture_snapshot_many(4, MANY);

	take(snap);
	is_u64(count, 4, "without trouble an event has one row");
	ok(rows[0].cpu == TROUBLE_CPU_ALL && rows[0].ncpus == MANY, "of all CPUs");
	is_u64(rows[3].sums.total, snap->events[3].total, "whose total is the event's");
	snapshot_release(snap);
}

static void test_few(void)
{
	struct snapshot *snap = fixture_snapshot_many(4, MANY);
	struct snap_event_cpu *cpus = cpus_of(snap, 2);

	cpus[7].lost = event_at(snap, 2)->lost = 12;
	cpus_of(snap, 3)[9].throttles = event_at(snap, 3)->throttles = 1;
	take(snap);
	is_u64(count, 6, "trouble on one CPU of two events");
	ok(rows[0].event == 3 && rows[0].cpu == 9 && rows[0].ncpus == 1,
	   "the throttled event is first");
	ok(rows[1].event == 3 && rows[1].cpu == TROUBLE_CPU_OTHERS && rows[1].ncpus == MANY - 1,
	   "with its other CPUs below");
	ok(rows[2].event == 2 && rows[2].cpu == 7 && rows[2].sums.lost == 12, "then the lossy one");
	is_u64(rows[2].sums.total + rows[3].sums.total, snap->events[2].total,
	       "the rows add up to the event");
	is_u64(rows[4].event, 0, "and then the others, in their order");
	snapshot_release(snap);
}

static void test_many(void)
{
	struct snapshot *snap = fixture_snapshot_many(2, MANY);
	struct snap_event_cpu *cpus = cpus_of(snap, 0);
	uint64_t lost = 0;

	for (uint64_t slot = 0; slot < MANY; slot++)
		lost += cpus[slot].lost = slot * 7919 % MANY;
	event_at(snap, 0)->lost = lost;
	take(snap);
	is_u64(count, TROUBLE_OWN_ROWS + 2, "trouble on all CPUs has so many rows of its own");
	for (size_t i = 0; i < TROUBLE_OWN_ROWS; i++) {
		ok(rows[i].sums.lost >= MANY - TROUBLE_OWN_ROWS, "of the worst");
		ok(i == 0 || rows[i].cpu > rows[i - 1].cpu, "in the order of the CPUs");
		lost -= rows[i].sums.lost;
	}
	is_u64(rows[TROUBLE_OWN_ROWS].sums.lost, lost, "what the others lost is in theirs");
	cpus[4].is_balanced = event_at(snap, 0)->is_balanced = false;
	cpus[4].lost = 0;
	take(snap);
	ok(rows[0].cpu == 4, "books that do not balance are the worst trouble");
	snapshot_release(snap);
}

int main(void)
{
	plan_lazy();
	test_calm();
	test_few();
	test_many();
	free(rows);
	return done();
}
