/* SPDX-License-Identifier: MIT */
/*
 * fake-evset - a table of events in place of open ones.
 *
 * Included by the one file of a test: what it defines is linked instead of
 * capture/evset.c, as far as the unit under test needs it.  The test defines
 * the rest.
 */
#ifndef FAKE_EVSET_H
#define FAKE_EVSET_H

#include "capture/evset.h"

struct evset {
	struct evset_event *events; /* [nevents] */
	size_t nevents, nslots;
	size_t nspare; /* of evset_add() */
};

size_t evset_count(const struct evset *set)
{
	return set->nevents;
}

size_t evset_capacity(const struct evset *set)
{
	return set->nevents + set->nspare;
}

const struct evset_event *evset_event(const struct evset *set, uint32_t number)
{
	return &set->events[number];
}

size_t evset_slots(const struct evset *set)
{
	return set->nslots;
}

size_t evset_targets(const struct evset *set)
{
	(void)set;
	return 1;
}

#endif
