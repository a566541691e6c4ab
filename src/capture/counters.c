/* SPDX-License-Identifier: MIT */
#include "capture/counters.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* An fd and its generation are in one word, so that the reader always gets a matching pair. */
typedef _Atomic uint64_t counter_word;

#define WORD_NONE 0u

struct counters {
	size_t events, targets;
	counter_word *words;		     /* [events * targets]: generation << 32 | fd + 1 */
	_Atomic uint32_t *paces;	     /* [events]; read after a word of the event: C1 */
	_Atomic uint64_t *shortest;	     /* [events]; the same; 0: 1 */
	atomic_bool *has_group;		     /* [events]; the same */
	_Atomic uint64_t *ids;		     /* [events]; the same */
	atomic_int *leaders;		     /* [counters_bundles(events)]: fd + 1; 0: none */
	_Atomic uint64_t *bounds;	     /* [events]; read after a block of the reader: Q1 */
	struct count *counts[COUNTS_ARRAYS]; /* [events] each */
};

static uint64_t word_pack(int fd, uint32_t generation)
{
	return (uint64_t)generation << 32 | ((uint32_t)fd + 1);
}

static int word_fd(uint64_t word)
{
	return (int)(uint32_t)word - 1;
}

static uint32_t word_generation(uint64_t word)
{
	return (uint32_t)(word >> 32);
}

struct counters *counters_new(size_t events, size_t targets)
{
	struct counters *counters = calloc(1, sizeof(*counters));

	if (counters == NULL)
		return NULL;
	counters->events = events;
	counters->targets = targets;
	counters->words = calloc(events * targets, sizeof(*counters->words));
	counters->paces = calloc(events, sizeof(*counters->paces));
	counters->shortest = calloc(events, sizeof(*counters->shortest));
	counters->has_group = calloc(events, sizeof(*counters->has_group));
	counters->ids = calloc(events, sizeof(*counters->ids));
	counters->leaders = calloc(counters_bundles(events), sizeof(*counters->leaders));
	counters->bounds = calloc(events, sizeof(*counters->bounds));
	bool has_all = counters->words != NULL && counters->paces != NULL &&
		       counters->shortest != NULL && counters->has_group != NULL &&
		       counters->ids != NULL && counters->leaders != NULL &&
		       counters->bounds != NULL;
	for (size_t i = 0; i < COUNTS_ARRAYS; i++) {
		counters->counts[i] = calloc(events, sizeof(*counters->counts[i]));
		has_all &= counters->counts[i] != NULL;
	}
	if (!has_all) {
		counters_free(counters);
		return NULL;
	}
	return counters;
}

void counters_free(struct counters *counters)
{
	if (counters == NULL)
		return;

	free(counters->words);
	free(counters->paces);
	free(counters->shortest);
	free(counters->has_group);
	free(counters->ids);
	free(counters->leaders);
	free(counters->bounds);
	for (size_t i = 0; i < COUNTS_ARRAYS; i++)
		free(counters->counts[i]);
	free(counters);
}

static counter_word *word_at(const struct counters *counters, size_t event, size_t target)
{
	return &counters->words[event * counters->targets + target];
}

void counters_set(struct counters *counters, size_t event, size_t target, int fd,
		  uint32_t generation)
{
	atomic_store_explicit(word_at(counters, event, target), word_pack(fd, generation),
			      memory_order_release); /* C1 */
}

void counters_set_pace(struct counters *counters, size_t event, uint32_t rate)
{
	atomic_store_explicit(&counters->paces[event], rate, memory_order_relaxed);
}

uint32_t counters_pace(const struct counters *counters, size_t event)
{
	return atomic_load_explicit(&counters->paces[event], memory_order_relaxed);
}

void counters_set_shortest(struct counters *counters, size_t event, uint64_t period)
{
	atomic_store_explicit(&counters->shortest[event], period, memory_order_relaxed);
}

uint64_t counters_shortest(const struct counters *counters, size_t event)
{
	uint64_t period = atomic_load_explicit(&counters->shortest[event], memory_order_relaxed);

	return period > 0 ? period : 1;
}

void counters_set_group(struct counters *counters, size_t event, bool has_group)
{
	atomic_store_explicit(&counters->has_group[event], has_group, memory_order_relaxed);
}

bool counters_has_group(const struct counters *counters, size_t event)
{
	return atomic_load_explicit(&counters->has_group[event], memory_order_relaxed);
}

void counters_set_leader(struct counters *counters, size_t bundle, int leader)
{
	atomic_store_explicit(&counters->leaders[bundle], leader + 1,
			      memory_order_release); /* C1 */
}

static int leader_of(const struct counters *counters, size_t bundle)
{
	return atomic_load_explicit(&counters->leaders[bundle], memory_order_acquire) - 1; /* C1 */
}

void counters_set_id(struct counters *counters, size_t event, uint64_t id)
{
	atomic_store_explicit(&counters->ids[event], id, memory_order_relaxed);
}

bool counters_has_bundles(const struct counters *counters)
{
	for (size_t bundle = 0; bundle < counters_bundles(counters->events); bundle++) {
		if (leader_of(counters, bundle) >= 0)
			return true;
	}
	return false;
}

void counters_set_bound(struct counters *counters, size_t event, uint64_t period)
{
	atomic_store_explicit(&counters->bounds[event], period, memory_order_relaxed);
}

uint64_t counters_bound(const struct counters *counters, size_t event)
{
	return atomic_load_explicit(&counters->bounds[event], memory_order_relaxed);
}

int counters_clear(struct counters *counters, size_t event, size_t target)
{
	return word_fd(atomic_exchange_explicit(word_at(counters, event, target), WORD_NONE,
						memory_order_acq_rel));
}

int counters_fd(const struct counters *counters, size_t event, size_t target)
{
	return word_fd(atomic_load_explicit(word_at(counters, event, target),
					    memory_order_acquire)); /* C1 */
}

uint32_t counters_generation(const struct counters *counters, size_t event, size_t target)
{
	return word_generation(atomic_load_explicit(word_at(counters, event, target),
						    memory_order_acquire)); /* C1 */
}

size_t counters_events(const struct counters *counters)
{
	return counters->events;
}

size_t counters_targets(const struct counters *counters)
{
	return counters->targets;
}

/* What read(2) returns; `lost` only where the kernel has it. */
struct one {
	uint64_t value, enabled, running, id, lost;
};

#define GROUP_HEAD 3 /* how many, enabled, running; then of each event value, id[, lost] */

/* What read(2) of a group returns, with its leader. */
struct group_words {
	uint64_t words[GROUP_HEAD + 3 * (1 + COUNTERS_BUNDLE)];
	size_t count, stride; /* count 0: it could not be read */
};

_Static_assert(COUNTERS_GROUP_MAX <= 1 + COUNTERS_BUNDLE, "a group fits");

static void read_words(int fd, bool has_lost, struct group_words *group)
{
	ssize_t got = read(fd, group->words, sizeof(group->words));

	group->stride = has_lost ? 3 : 2;
	group->count = 0;
	if (got >= (ssize_t)(GROUP_HEAD * sizeof(uint64_t)))
		group->count = ((size_t)got / sizeof(uint64_t) - GROUP_HEAD) / group->stride;
}

static struct one one_of(const struct group_words *group, size_t at)
{
	const uint64_t *words = group->words, *of = &words[GROUP_HEAD + at * group->stride];

	return (struct one){ of[0], words[1], words[2], of[1], group->stride > 2 ? of[2] : 0 };
}

/* The kernel puts the event that was read first: it leads the group. */
static bool read_group(int fd, bool has_lost, struct one *one)
{
	struct group_words group;

	read_words(fd, has_lost, &group);
	if (group.count == 0)
		return false;
	*one = one_of(&group, 0);
	return true;
}

static bool read_alone(int fd, bool has_lost, struct one *one)
{
	size_t want = has_lost ? sizeof(*one) : offsetof(struct one, lost);

	*one = (struct one){ 0 };
	/* 0 bytes: a pinned event that could not be scheduled (kernel: perf_read). */
	return read(fd, one, want) == (ssize_t)want;
}

/* Add it to the sum. */
static void add_one(const struct one *one, struct count *sum)
{
	sum->value += one->value;
	sum->enabled_ns += one->enabled;
	sum->running_ns += one->running;
	sum->id = sum->is_open ? 0 : one->id;
	sum->lost += one->lost;
	sum->is_open = true;
}

struct count counters_read_event(const struct counters *counters, size_t event, bool has_lost)
{
	struct count sum = { 0 };
	struct one one;

	for (size_t target = 0; target < counters->targets; target++) {
		uint64_t word = atomic_load_explicit(word_at(counters, event, target),
						     memory_order_acquire); /* C1 */

		if (word == WORD_NONE)
			continue;
		sum.generation = word_generation(word);
		/* An fd without a count adds nothing. */
		if (counters_has_group(counters, event) ?
			    read_group(word_fd(word), has_lost, &one) :
			    read_alone(word_fd(word), has_lost, &one))
			add_one(&one, &sum);
	}
	return sum;
}

struct count *counters_array(struct counters *counters, enum counts_of which)
{
	return counters->counts[which];
}

/* The counts of a bundle, as far as its leader has them. */
struct bundle {
	struct group_words group;
	size_t next; /* member of the group: the leader is the first */
};

static void read_bundle(const struct counters *counters, size_t number, bool has_lost,
			struct bundle *bundle)
{
	int leader = leader_of(counters, number);

	bundle->next = 1;
	bundle->group.count = 0;
	if (leader >= 0)
		read_words(leader, has_lost, &bundle->group);
}

/* Members are mostly in the order of the events: the kernel appends each when it is opened. */
static bool find_member(struct bundle *bundle, uint64_t id, struct one *one)
{
	const struct group_words *group = &bundle->group;

	for (size_t tries = 1; tries < group->count; tries++) {
		if (bundle->next >= group->count)
			bundle->next = 1;
		*one = one_of(group, bundle->next++);
		if (one->id == id)
			return true;
	}
	return false;
}

/* counters_read_event(), from the bundle if that has it. */
static struct count read_member(const struct counters *counters, size_t event, bool has_lost,
				struct bundle *bundle)
{
	uint64_t word =
		atomic_load_explicit(word_at(counters, event, 0), memory_order_acquire); /* C1 */
	uint64_t id = atomic_load_explicit(&counters->ids[event], memory_order_relaxed);
	struct count count = { .generation = word_generation(word) };
	struct one one;

	if (word == WORD_NONE || !find_member(bundle, id, &one))
		return counters_read_event(counters, event, has_lost);
	add_one(&one, &count);
	return count;
}

const struct count *counters_read(struct counters *counters, enum counts_of which, bool has_lost)
{
	struct count *counts = counters_array(counters, which);
	struct bundle bundle = { .next = 1 };

	for (size_t event = 0; event < counters->events; event++) {
		if (event % COUNTERS_BUNDLE == 0)
			read_bundle(counters, event / COUNTERS_BUNDLE, has_lost, &bundle);
		counts[event] = read_member(counters, event, has_lost, &bundle);
	}
	return counts;
}

void counters_disable(struct counters *counters)
{
	/* The last event first: the ring's owner and the side-band stop after all others. */
	for (size_t i = counters->events * counters->targets; i-- > 0;) {
		uint64_t word =
			atomic_load_explicit(&counters->words[i], memory_order_acquire); /* C1 */

		if (word != WORD_NONE)
			ioctl(word_fd(word), PERF_EVENT_IOC_DISABLE, 0);
	}
}

void counters_enable_event(struct counters *counters, size_t event)
{
	bool is_at_one = counters_pace(counters, event) != 0 &&
			 counters_bound(counters, event) == 1;
	uint64_t one = 1;

	for (size_t target = 0; target < counters->targets; target++) {
		int fd = counters_fd(counters, event, target);

		if (fd >= 0 && ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) == 0 && is_at_one)
			ioctl(fd, PERF_EVENT_IOC_PERIOD, &one);
	}
}

void counters_enable(struct counters *counters)
{
	for (size_t event = 0; event < counters->events; event++)
		counters_enable_event(counters, event);
}
