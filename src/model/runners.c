/* SPDX-License-Identifier: MIT */
#include "model/runners.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "model/timeline.h"

struct runners {
	struct runner all[RUNNERS_MOST];
	uint16_t count;
	uint16_t last; /* most often also the next one */
};

struct runners *runners_new(void)
{
	struct runners *runners = xcalloc(1, sizeof(*runners));

	runners->all[RUNNER_OTHERS] = (struct runner){ "others", RUNNER_SHORT_LIVED, UINT64_MAX };
	runners->count = 1;
	return runners;
}

void runners_free(struct runners *runners)
{
	free(runners);
}

const struct runner *runners_at(const struct runners *runners, uint16_t number)
{
	return &runners->all[number];
}

static bool is_it(const struct runner *runner, int32_t tid, const char *comm)
{
	return runner->tid == tid && strcmp(runner->comm, comm) == 0;
}

/* A number that no timeline has any more, or a new one, or RUNNER_OTHERS. */
static uint16_t free_number(struct runners *runners, uint64_t slot)
{
	if (runners->count < RUNNERS_MOST)
		return runners->count++;
	for (uint16_t i = 1; i < runners->count; i++) {
		if (slot - runners->all[i].last_slot > TIMELINE_SLOTS &&
		    slot > runners->all[i].last_slot)
			return i;
	}
	return RUNNER_OTHERS;
}

static uint16_t find(struct runners *runners, int32_t tid, const char *comm, uint64_t slot)
{
	uint16_t number = 1;

	if (is_it(&runners->all[runners->last], tid, comm))
		return runners->last;
	while (number < runners->count && !is_it(&runners->all[number], tid, comm))
		number++;
	if (number < runners->count)
		return number;

	number = free_number(runners, slot);
	if (number != RUNNER_OTHERS) {
		runners->all[number] = (struct runner){ .tid = tid };
		snprintf(runners->all[number].comm, sizeof(runners->all[number].comm), "%s", comm);
	}
	return number;
}

uint16_t runners_number(struct runners *runners, int32_t tid, const char *comm, uint64_t slot)
{
	struct runner *runner;

	runners->last = find(runners, tid, comm, slot);
	runner = &runners->all[runners->last];
	if (slot > runner->last_slot)
		runner->last_slot = slot;
	return runners->last;
}
