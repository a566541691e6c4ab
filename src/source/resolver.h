/* SPDX-License-Identifier: MIT */
/*
 * resolver - looks up symbols, fields and task names for the model, with the files of decode/.
 *
 * Decoder thread only.
 */
#ifndef SOURCE_RESOLVER_H
#define SOURCE_RESOLVER_H

#include "capture/access.h"
#include "capture/evset.h"
#include "model/model.h"

struct resolver;

/* Borrows both. */
struct resolver *resolver_new(const struct evset *set, const struct access *access);
void resolver_free(struct resolver *resolver);

/* The callbacks for model_new(); valid as long as the resolver. */
struct model_resolver resolver_hooks(struct resolver *resolver);

/* Where a sample of the event has the tid of the task that it wakes: 0 when it is no wakeup. */
uint32_t resolver_wakes_at(struct resolver *resolver, uint32_t event);

/* Before a final snapshot that may wait: for the kernel symbols now, and longer for user code in it. */
void resolver_settle(struct resolver *resolver);

/* When kernel symbols are not available: a line for the user, returned once; else NULL. */
const char *resolver_note(struct resolver *resolver);

#endif
