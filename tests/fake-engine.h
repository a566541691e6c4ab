/* SPDX-License-Identifier: MIT */
/*
 * fake-engine - a scripted engine in place of the kernel: its snapshots come when the test sends
 * them, so that a decoder that stops, a thread that does not start and one that does not end are
 * ordinary cases.
 *
 * Included by the one file of a test, which runs the engine in a child.
 */
#ifndef FAKE_ENGINE_H
#define FAKE_ENGINE_H

#include "capture/evset.h"
#include "fake-kernel.h"
#include "fixture.h"
#include "source/source.h"
#include "tap.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#define NONE (-1)

/* --- the script, and what the engine was asked: shared with the child ------------------------- */

struct script {
	/* Set before the run. */
	const char *error;     /* at the start */
	unsigned int final_at; /* the COMMAND_FINISH that sends the final snapshot; 0: none */
	bool stands_at_end;    /* its thread does not end */
	/* While it runs. */
	_Atomic unsigned int sent, final; /* snapshots, the number of the final one, or 0 */
	_Atomic unsigned int starts, taken, finishes, zeroes, frees;
	_Atomic bool is_bounded; /* the last finish had a time limit */
	_Atomic int toggled;	 /* row, or NONE */
	_Atomic double interval_s;
};

static struct script *script;
static int snapshots; /* eventfd: one to take for each */

static inline void send_one(void)
{
	uint64_t one = 1;

	script->sent++;
	if (write(snapshots, &one, sizeof(one)) < 0)
		bail("eventfd: %s", strerror(errno));
}

static inline void send_final(void)
{
	script->final = script->sent + 1;
	send_one();
}

static inline void begin_script(void)
{
	if (script == NULL) {
		script = mmap(NULL, sizeof(*script), PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		if (script == MAP_FAILED)
			bail("mmap: %s", strerror(errno));
	} else {
		close(snapshots);
	}
	memset(script, 0, sizeof(*script));
	script->toggled = NONE;
	snapshots = eventfd(0, EFD_SEMAPHORE | EFD_CLOEXEC);
	if (snapshots < 0)
		bail("eventfd: %s", strerror(errno));
}

/* --- the engine ------------------------------------------------------------------------------- */

static struct source the_engine;
static pthread_t feeder;

/* For each one sent, put a snapshot into the mailbox and wait until main has taken it. */
static inline void *feed(void *arg)
{
	uint64_t one;

	(void)arg;
	while (read(snapshots, &one, sizeof(one)) > 0) {
		struct snapshot *snap = fixture_snapshot();

		snap->seq = script->taken + 1;
		snap->is_final = snap->seq == script->final;
		mailbox_put(&the_engine.mailbox, snap);
		mailbox_wait_free(&the_engine.mailbox);
		script->taken++;
	}
	return NULL;
}

static inline const char *start_engine(struct source *source, double first_tick_s)
{
	(void)source;
	(void)first_tick_s;
	script->starts++;
	errno = EAGAIN;
	return script->error;
}

static inline void command_engine(struct source *source, const struct command *command)
{
	(void)source;
	switch (command->kind) {
	case COMMAND_TOGGLE:
		script->toggled = (int)command->id;
		break;
	case COMMAND_ADD:
	case COMMAND_REMOVE:
	case COMMAND_STREAM:
	case COMMAND_PAUSE:
	case COMMAND_MOVE:
		break;
	case COMMAND_ZERO:
		script->zeroes++;
		break;
	case COMMAND_INTERVAL:
		script->interval_s = command->seconds;
		break;
	case COMMAND_FINISH:
		script->is_bounded = command->until_ns != UINT64_MAX;
		if (++script->finishes == script->final_at)
			send_final();
		break;
	}
}

static inline bool free_engine(struct source *source, uint64_t until_ns)
{
	(void)source;
	(void)until_ns;
	script->frees++;
	return !script->stands_at_end;
}

static inline struct source *make_engine(void)
{
	static const struct source_ops ops = {
		.start = start_engine,
		.command = command_engine,
		.free = free_engine,
	};

	sigset_t all, before;

	/* Signals are for main. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	if (source_init(&the_engine, &ops) != 0 || pthread_create(&feeder, NULL, feed, NULL) != 0)
		bail("no engine: %s", strerror(errno));
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return &the_engine;
}

/* Nothing is open in it. */
static inline struct evset *empty_set(void)
{
	static const struct features none;
	static struct fake_kernel kernel = { .error = EACCES };
	static struct access access; /* borrowed by the set */
	const struct evset_config config = {
		.cgroup_fd = -1,
		.capacity = EVSET_FIRST,
		.features = &none,
		.access = &access,
	};
	char *reason;

	access = fake_access(&kernel);
	struct evset *set = evset_new(&config, &reason);

	free(reason);
	return set;
}

#endif
