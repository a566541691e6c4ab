/* SPDX-License-Identifier: MIT */
/*
 * event-ref - the event that a view is about, found again in each snapshot.
 *
 * By its name; of several with that name it is the one nearest to its last index.
 */
#ifndef UI_EVENT_REF_H
#define UI_EVENT_REF_H

#include <stdint.h>

#include "model/snapshot.h"

/* Zeroed: of no event. */
struct event_ref {
	char *name;  /* owned; NULL: of no event */
	uint32_t at; /* its last index */
};

/* Refer to this one from now on; the name is copied. */
void event_ref_set(struct event_ref *ref, const char *name, uint32_t at);
void event_ref_fini(struct event_ref *ref);

/* It in this snapshot, at index ref->at; NULL when it is not there. */
const struct snap_event *event_ref_find(struct event_ref *ref, const struct snapshot *snap);

#endif
