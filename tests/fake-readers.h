/* SPDX-License-Identifier: MIT */
/*
 * fake-readers - scripted readers and slots of the event set, so that a reader that stops, is late or
 * does not start is an ordinary case.
 *
 * Included by the one file of a test: what it defines is linked instead of
 * capture/reader.c and capture/evset.c.
 */
#ifndef FAKE_READERS_H
#define FAKE_READERS_H

#include "base/sys.h"
#include "capture/queue.h"
#include "capture/reader.h"
#include "fake-evset.h"
#include "tap.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATIENCE_MSEC 10000
#define SLOTS	      2
#define READER_BLOCKS 4

enum { FIRST = EVSET_FIRST, SECOND, EVENTS, ADDED = EVENTS, CAPACITY };

/* --- the script ------------------------------------------------------------------------------ */

enum manner {
	ANSWERS,     /* at once */
	HELD,	     /* when answer() is called */
	COUNTS_ONLY, /* held, but answers requests for counts alone */
};

struct reader {
	struct reader_config config;
	enum block_mark due; /* asked for, and held */
	struct block blocks[READER_BLOCKS];
	struct count counts[READER_BLOCKS][CAPACITY]; /* with a block */
	bool is_taken[READER_BLOCKS];
	struct count alone[CAPACITY];
	bool has_alone;
	bool is_stopped, is_joined;
	uint64_t joined_until_ns; /* how long its end was waited for */
};

/* The script, and the requests; shared by the test and the decoder thread, under the lock. */
static struct {
	pthread_mutex_t lock;
	enum manner manner[SLOTS];
	bool is_refused[SLOTS];		      /* no thread for its reader */
	struct count counts[SLOTS][CAPACITY]; /* what the counters return */
	bool is_slot_closed[SLOTS];
	unsigned int requests[SLOTS], retirements, starts;
	bool holds_opening;	       /* evset_switch_on() waits */
	struct reader *readers[SLOTS]; /* the newest of each */
	int cpus[SLOTS];
	struct evset_event events[CAPACITY];
	struct evset set;
} script;

static uint64_t ids[SLOTS];

static inline void lock(void)
{
	pthread_mutex_lock(&script.lock);
}

static inline void unlock(void)
{
	pthread_mutex_unlock(&script.lock);
}

static inline size_t free_block(const struct reader *reader)
{
	for (size_t at = 0; at < READER_BLOCKS; at++) {
		if (!reader->is_taken[at])
			return at;
	}
	bail("more marks are asked for than there are blocks");
}

static inline void push_mark(struct reader *reader, enum block_mark mark)
{
	uint64_t one = 1;
	size_t at = free_block(reader);

	reader->is_taken[at] = true;
	memcpy(reader->counts[at], script.counts[reader->config.slot], sizeof(reader->counts[at]));
	reader->blocks[at].home = reader;
	reader->blocks[at].slot = reader->config.slot;
	reader->blocks[at].mark = mark;
	reader->blocks[at].counts = reader->counts[at];
	reader->blocks[at].read_ns = sys_monotonic_ns();
	queue_push(reader->config.out, &reader->blocks[at]);
	if (write(reader->config.out_wake, &one, sizeof(one)) < 0)
		return;
}

static inline void count(uint32_t slot, uint32_t event, uint64_t value)
{
	lock();
	if (script.events[event].state == EVSET_ON)
		script.counts[slot][event].value += value;
	unlock();
}

static inline void set_manner(uint32_t slot, enum manner manner)
{
	lock();
	script.manner[slot] = manner;
	unlock();
}

/* Let a held reader send the mark that is due. */
static inline void answer(uint32_t slot)
{
	struct reader *reader = script.readers[slot];

	lock();
	if (reader->due != BLOCK_MARK_NONE)
		push_mark(reader, reader->due);
	reader->due = BLOCK_MARK_NONE;
	unlock();
}

static inline bool is_true(bool (*is_so)(void))
{
	lock();
	bool is_now = is_so();
	unlock();
	return is_now;
}

static inline bool until(bool (*is_so)(void))
{
	for (int i = 0; i < PATIENCE_MSEC && !is_true(is_so); i++)
		poll(NULL, 0, 1);
	return is_true(is_so);
}

/* --- what the engine calls ------------------------------------------------------------------- */

struct reader *reader_start(const struct reader_config *config)
{
	if (script.is_refused[config->slot]) { /* written before the engine starts */
		errno = EAGAIN;
		return NULL;
	}

	struct reader *reader = aligned_alloc(64, sizeof(*reader));
	memset(reader, 0, sizeof(*reader));
	reader->config = *config;
	lock();
	free(script.readers[config->slot]);
	script.readers[config->slot] = reader;
	script.starts++;
	unlock();
	return reader;
}

void reader_request(struct reader *reader, enum block_mark mark)
{
	uint32_t slot = reader->config.slot;

	lock();
	script.requests[slot]++;
	/* The mark of a tick that was due comes first, and an event after it. */
	if (reader->due != BLOCK_MARK_NONE && script.manner[slot] == ANSWERS) {
		push_mark(reader, reader->due);
		script.counts[slot][FIRST].value++;
	}
	reader->due = mark;
	if (script.manner[slot] == ANSWERS) {
		push_mark(reader, mark);
		reader->due = BLOCK_MARK_NONE;
	}
	unlock();
}

void reader_ask_counts(struct reader *reader)
{
	lock();
	reader->has_alone = script.manner[reader->config.slot] == COUNTS_ONLY;
	memcpy(reader->alone, script.counts[reader->config.slot], sizeof(reader->alone));
	unlock();
}

const struct count *reader_counts(struct reader *reader, uint64_t *read_ns)
{
	lock();
	bool has_alone = reader->has_alone;
	unlock();
	*read_ns = sys_monotonic_ns();
	return has_alone ? reader->alone : NULL;
}

void reader_give_back(struct reader *reader, struct block *block)
{
	lock();
	reader->is_taken[block - reader->blocks] = false;
	unlock();
}

void reader_unpin(const struct reader *reader)
{
	(void)reader;
}

void reader_stop(struct reader *reader)
{
	reader->is_stopped = true;
}

bool reader_join(struct reader *reader, uint64_t until_ns)
{
	if (reader != NULL) {
		reader->is_joined = true;
		reader->joined_until_ns = until_ns;
	}
	return true;
}

int evset_cpu(const struct evset *set, size_t slot)
{
	(void)set;
	lock();
	int cpu = script.cpus[slot];
	unlock();
	return cpu;
}

struct ring *evset_ring(const struct evset *set, size_t slot)
{
	(void)set;
	(void)slot;
	return NULL;
}

struct counters *evset_counters(const struct evset *set, size_t slot)
{
	(void)set;
	(void)slot;
	return NULL;
}

bool evset_is_slot_open(const struct evset *set, size_t slot)
{
	(void)set;
	(void)slot;
	return true;
}

bool evset_watches_all(const struct evset *set)
{
	(void)set;
	return true;
}

bool evset_watches(const struct evset *set, pid_t task)
{
	(void)set;
	(void)task;
	return true;
}

uint32_t evset_pace(const struct evset *set)
{
	(void)set;
	return 0;
}

void evset_limit_pace(struct evset *set, uint32_t pace)
{
	(void)set;
	(void)pace;
}

uint32_t evset_sampler(const struct evset *set, uint32_t number)
{
	(void)set;
	return number;
}

bool evset_is_limited(const struct evset *set, uint32_t number)
{
	(void)set;
	(void)number;
	return false;
}

uint64_t evset_rate(const struct evset *set, uint32_t number)
{
	return set->events[number].rate;
}

void evset_enable_owner(struct evset *set)
{
	(void)set;
}

void evset_enable_all(struct evset *set)
{
	(void)set;
}

int evset_open_slot(struct evset *set, size_t slot)
{
	(void)set;
	lock();
	script.is_slot_closed[slot] = false;
	unlock();
	return 0;
}

void evset_close_slot(struct evset *set, size_t slot)
{
	(void)set;
	lock();
	script.is_slot_closed[slot] = true;
	unlock();
}

/* New fds of an event on a slot, which begin at zero. */
static inline void open_counts(uint32_t slot, uint32_t number)
{
	script.counts[slot][number] = (struct count){
		.is_open = true,
		.generation = script.events[number].generation,
		.enabled_ns = 1,
		.running_ns = 1,
	};
}

uint32_t evset_add(struct evset *set, const struct event_spec *spec)
{
	lock();
	uint32_t number = (uint32_t)set->nevents++;
	set->nspare--;
	set->events[number] = (struct evset_event){
		.spec = { .name = (char *)"added", .kind = spec->kind, .scale = 1 },
		.state = EVSET_OFF,
		.attr = { .size = sizeof(struct perf_event_attr), .sample_period = 1 },
		.generation = 1,
		.ids = ids,
	};
	unlock();
	return number;
}

/* Whether evset_switch_on() waits. */
static inline bool is_opening_held(void)
{
	lock();
	bool is_held = script.holds_opening;
	unlock();
	return is_held;
}

static inline void set_holds_opening(bool is_held)
{
	lock();
	script.holds_opening = is_held;
	unlock();
}

void evset_switch_on(struct evset *set, uint32_t number)
{
	while (is_opening_held())
		poll(NULL, 0, 1);
	lock();
	if (!script.counts[0][number].is_open) {
		set->events[number].generation++;
		for (uint32_t slot = 0; slot < SLOTS; slot++)
			open_counts(slot, number);
	}
	set->events[number].state = EVSET_ON;
	unlock();
}

void evset_switch_off(struct evset *set, uint32_t number)
{
	lock();
	set->events[number].state = EVSET_OFF;
	unlock();
}

void evset_retire(struct evset *set, uint32_t number, struct closer *closer)
{
	(void)set;
	(void)closer;
	lock();
	for (size_t slot = 0; slot < SLOTS; slot++)
		script.counts[slot][number].is_open = false;
	script.retirements++;
	unlock();
}

#endif
