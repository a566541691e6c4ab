/* SPDX-License-Identifier: MIT */
/*
 * resolver - the answers that the model asks for: symbols, fields, names.
 *
 * Joins what decode/ can explain to what the model shows.  Decoder thread only.
 */
#ifndef RESOLVER_H
#define RESOLVER_H

#include "capture/evset.h"
#include "capture/tracefs.h"
#include "model/model.h"

struct resolver;

/* Borrows both; `tracefs` may be NULL. */
struct resolver *resolver_new(const struct evset *set, const struct tracefs *tracefs);
void resolver_free(struct resolver *resolver);

/* The questions, for model_new(). */
struct model_resolver resolver_hooks(struct resolver *resolver);

/* Once, a line for the user when kernel symbols cannot be had; else NULL. */
const char *resolver_note(struct resolver *resolver);

#endif
