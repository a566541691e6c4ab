/* SPDX-License-Identifier: MIT */
#include "source/source.h"

#include <stddef.h>

/* --- the engine ------------------------------------------------------------------------------- */

static int engine_fd_op(const void *self)
{
	return engine_fd(self);
}

static struct snapshot *engine_take_op(void *self)
{
	return engine_take(self);
}

static void engine_toggle_op(void *self, uint32_t row)
{
	engine_toggle(self, row);
}

static void engine_zero_op(void *self)
{
	engine_zero(self);
}

static void engine_interval_op(void *self, double seconds)
{
	engine_interval(self, seconds);
}

static void engine_finish_op(void *self, uint64_t until_ns)
{
	engine_finish(self, until_ns);
}

static bool engine_free_op(void *self, uint64_t until_ns)
{
	return engine_free(self, until_ns);
}

struct source source_of_engine(struct engine *engine)
{
	static const struct source_ops ops = {
		.fd = engine_fd_op,
		.take = engine_take_op,
		.toggle = engine_toggle_op,
		.zero = engine_zero_op,
		.interval = engine_interval_op,
		.finish = engine_finish_op,
		.free = engine_free_op,
	};

	return (struct source){ &ops, engine };
}

/* --- the replay ------------------------------------------------------------------------------- */

static int replay_fd_op(const void *self)
{
	return replay_fd(self);
}

static struct snapshot *replay_take_op(void *self)
{
	return replay_take(self);
}

static void replay_toggle_op(void *self, uint32_t row)
{
	replay_toggle(self, row);
}

static void replay_zero_op(void *self)
{
	replay_zero(self);
}

static void replay_interval_op(void *self, double seconds)
{
	replay_interval(self, seconds);
}

static void replay_finish_op(void *self, uint64_t until_ns)
{
	(void)until_ns; /* it ends where it stands */
	replay_finish(self);
}

static bool replay_free_op(void *self, uint64_t until_ns)
{
	(void)until_ns;
	replay_free(self);
	return true;
}

struct source source_of_replay(struct replay *replay)
{
	static const struct source_ops ops = {
		.fd = replay_fd_op,
		.take = replay_take_op,
		.toggle = replay_toggle_op,
		.zero = replay_zero_op,
		.interval = replay_interval_op,
		.finish = replay_finish_op,
		.free = replay_free_op,
	};

	return (struct source){ &ops, replay };
}

/* --- a saved snapshot ---------------------------------------------------------------------- */

static int saved_fd_op(const void *self)
{
	return saved_fd(self);
}

static struct snapshot *saved_take_op(void *self)
{
	return saved_take(self);
}

/* It is what it was: nothing can be switched, zeroed or sped up. */
static void saved_toggle_op(void *self, uint32_t row)
{
	(void)self;
	(void)row;
}

static void saved_zero_op(void *self)
{
	(void)self;
}

static void saved_interval_op(void *self, double seconds)
{
	(void)self;
	(void)seconds;
}

static void saved_finish_op(void *self, uint64_t until_ns)
{
	(void)until_ns;
	saved_finish(self);
}

static bool saved_free_op(void *self, uint64_t until_ns)
{
	(void)until_ns;
	saved_free(self);
	return true;
}

struct source source_of_saved(struct saved *saved)
{
	static const struct source_ops ops = {
		.fd = saved_fd_op,
		.take = saved_take_op,
		.toggle = saved_toggle_op,
		.zero = saved_zero_op,
		.interval = saved_interval_op,
		.finish = saved_finish_op,
		.free = saved_free_op,
	};

	return (struct source){ &ops, saved };
}

/* --- any --------------------------------------------------------------------------------------- */

int source_fd(const struct source *source)
{
	return source->ops->fd(source->self);
}

struct snapshot *source_take(struct source *source)
{
	return source->ops->take(source->self);
}

void source_toggle(struct source *source, uint32_t row)
{
	source->ops->toggle(source->self, row);
}

void source_zero(struct source *source)
{
	source->ops->zero(source->self);
}

void source_interval(struct source *source, double seconds)
{
	source->ops->interval(source->self, seconds);
}

void source_finish(struct source *source, uint64_t until_ns)
{
	source->ops->finish(source->self, until_ns);
}

bool source_free(struct source *source, uint64_t until_ns)
{
	bool is_whole = source->ops == NULL || source->ops->free(source->self, until_ns);

	*source = (struct source){ NULL, NULL };
	return is_whole;
}
