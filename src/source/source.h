/* SPDX-License-Identifier: MIT */
/*
 * source - where snapshots come from, for those who only want snapshots: the
 * live engine, a replayed file, or a saved snapshot.
 */
#ifndef SOURCE_SOURCE_H
#define SOURCE_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/snapshot.h"
#include "source/engine.h"
#include "source/replay.h"
#include "source/saved.h"

/* What engine.h says of the function of the same name holds for each. */
struct source_ops {
	int (*fd)(const void *self);
	struct snapshot *(*take)(void *self);
	void (*toggle)(void *self, uint32_t row);
	void (*zero)(void *self);
	void (*interval)(void *self, double seconds);
	void (*finish)(void *self, uint64_t until_ns);
	bool (*free)(void *self, uint64_t until_ns);
};

struct source {
	const struct source_ops *ops; /* NULL: none yet */
	void *self;		      /* owned */
};

/* Take over an engine, a replay, a saved snapshot. */
struct source source_of_engine(struct engine *engine);
struct source source_of_replay(struct replay *replay);
struct source source_of_saved(struct saved *saved);

int source_fd(const struct source *source);
struct snapshot *source_take(struct source *source);
void source_toggle(struct source *source, uint32_t row);
void source_zero(struct source *source);
void source_interval(struct source *source, double seconds);
void source_finish(struct source *source, uint64_t until_ns);

/* One that was never started is allowed. */
bool source_free(struct source *source, uint64_t until_ns);

#endif
