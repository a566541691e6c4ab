/* SPDX-License-Identifier: MIT */
/*
 * resolver - the answers that the model asks for: symbols, fields, names.
 *
 * Joins what decode/ can explain to what the model shows.  Decoder thread only.
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

/* The questions, for model_new(). */
struct model_resolver resolver_hooks(struct resolver *resolver);

/* Have all kernel symbols at hand for the next snapshot: for the last one, which nothing follows. */
void resolver_settle(struct resolver *resolver);

/* Once, a line for the user when kernel symbols cannot be had; else NULL. */
const char *resolver_note(struct resolver *resolver);

#endif
