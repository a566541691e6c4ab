/* SPDX-License-Identifier: MIT */
#include "capture/queue.h"

#include "tap.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "base/sys.h"

#define PRODUCERS   4
#define PUSHES	    40000
#define BUFFERS	    3
#define STRESS_NSEC (5 * NSEC_PER_SEC)

static void *number(uintptr_t value)
{
	return (void *)(value + 1); /* never NULL */
}

/* --- one thread ----------------------------------------------------------------------------- */

static void check_capacity(size_t asked, size_t want)
{
	struct queue *queue = queue_new(asked);
	size_t pushed = 0;

	ok(queue != NULL && queue_pop(queue) == NULL, "a new queue for %zu is empty", asked);
	is_u64(queue_length(queue), 0, "and has length 0");
	while (pushed <= want && queue_push(queue, number(pushed)))
		pushed++;
	is_u64(pushed, want, "it takes %zu", want);
	is_u64(queue_length(queue), want, "and has that length");
	ok(!queue_push(queue, number(99)), "and no more");
	ok(queue_pop(queue) == number(0), "the first comes out first");
	ok(queue_push(queue, number(want)), "which makes room for one");
	ok(!queue_push(queue, number(99)), "and only for one");

	unsigned int bad = 0;
	for (size_t i = 1; i <= want; i++)
		bad += queue_pop(queue) != number(i);
	is_u64(bad, 0, "the others follow in order");
	ok(queue_pop(queue) == NULL && queue_length(queue) == 0, "then it is empty");
	queue_free(queue);
}

/* Every fill level, lap after lap. */
static void check_laps(size_t capacity)
{
	struct queue *queue = queue_new(capacity);
	uintptr_t in = 0, next = 0;
	unsigned int bad = 0;

	for (int lap = 0; lap < 1000; lap++) {
		for (size_t level = 1; level <= capacity; level++) {
			for (size_t i = 0; i < level; i++)
				bad += !queue_push(queue, number(in++));
			bad += queue_length(queue) != level;
			for (size_t i = 0; i < level; i++)
				bad += queue_pop(queue) != number(next++);
			bad += queue_pop(queue) != NULL;
		}
	}
	is_u64(bad, 0, "%llu pointers through %zu cells", (unsigned long long)in, capacity);
	queue_free(queue);
}

/* --- many producers ------------------------------------------------------------------------- */

/* Circulates as blocks do: its producer fills it, the consumer reads it and gives it back. */
struct buffer {
	struct producer *home;
	uint64_t sequence, check[4];
};

struct producer {
	struct queue *out, *home;
	struct buffer buffers[BUFFERS];
	uint64_t id, pushed, full;
	pthread_t thread;
};

static void fill(struct buffer *buffer, uint64_t id, uint64_t sequence)
{
	buffer->sequence = sequence;
	for (size_t i = 0; i < 4; i++)
		buffer->check[i] = sequence * 31 + id + i;
}

static bool is_whole(const struct buffer *buffer)
{
	for (size_t i = 0; i < 4; i++)
		if (buffer->check[i] != buffer->sequence * 31 + buffer->home->id + i)
			return false;
	return true;
}

/* Where other programs are busy each yield takes a time slice or more: the rest is not pushed then. */
static atomic_bool is_over;
static atomic_uint producing; /* how many producers still do */

static void *produce(void *arg)
{
	struct producer *producer = arg;

	while (producer->pushed < PUSHES && !atomic_load_explicit(&is_over, memory_order_relaxed)) {
		struct buffer *buffer = queue_pop(producer->home);

		if (buffer == NULL) {
			sched_yield();
			continue;
		}
		fill(buffer, producer->id, producer->pushed++);
		while (!queue_push(producer->out, buffer)) {
			producer->full++;
			sched_yield();
		}
	}
	atomic_fetch_sub(&producing, 1);
	return NULL;
}

static void start(struct producer *producer, struct queue *out, uint64_t id)
{
	*producer = (struct producer){ .out = out, .home = queue_new(BUFFERS), .id = id };
	for (size_t i = 0; i < BUFFERS; i++) {
		producer->buffers[i].home = producer;
		queue_push(producer->home, &producer->buffers[i]);
	}
	if (pthread_create(&producer->thread, NULL, produce, producer) != 0)
		bail("no thread");
}

struct tally {
	uint64_t next[PRODUCERS]; /* the sequence that must come */
	uint64_t disordered, torn, refused, got;
};

static void take(struct tally *tally, struct buffer *buffer)
{
	struct producer *home = buffer->home;

	tally->torn += !is_whole(buffer);
	tally->disordered += buffer->sequence != tally->next[home->id];
	tally->next[home->id] = buffer->sequence + 1;
	tally->got++;
	tally->refused += !queue_push(home->home, buffer);
}

/* Pointers are neither lost, doubled nor reordered, and what they point to is complete. */
static void check_stress(size_t capacity, unsigned int pause)
{
	struct queue *out = queue_new(capacity);
	static struct producer producers[PRODUCERS];
	struct tally tally = { 0 };
	uint64_t until_ns = sys_monotonic_ns() + STRESS_NSEC;

	atomic_store(&is_over, false);
	atomic_store(&producing, PRODUCERS);
	for (uint64_t i = 0; i < PRODUCERS; i++)
		start(&producers[i], out, i);
	for (;;) {
		bool is_last = atomic_load(&producing) == 0;
		struct buffer *buffer = queue_pop(out);

		if (buffer != NULL)
			take(&tally, buffer);
		else if (is_last)
			break;
		/* A slow consumer now and then, so that the queue is full as often as empty. */
		if (buffer == NULL || (pause != 0 && tally.got % pause == 0)) {
			sched_yield();
			atomic_store(&is_over, sys_monotonic_ns() >= until_ns);
		}
	}

	uint64_t full = 0;
	for (size_t i = 0; i < PRODUCERS; i++) {
		pthread_join(producers[i].thread, NULL);
		is_u64(tally.next[i], producers[i].pushed, "all of producer %zu through %zu cells",
		       i, capacity);
		full += producers[i].full;
		queue_free(producers[i].home);
	}
	is_u64(tally.disordered, 0, "each producer's are in order");
	is_u64(tally.torn, 0, "none is torn");
	is_u64(tally.refused, 0, "and each fits into its producer's queue");
	ok(queue_pop(out) == NULL && queue_length(out) == 0, "nothing is left over");
	diag("%llu passed, the queue was full %llu times", (unsigned long long)tally.got,
	     (unsigned long long)full);
	queue_free(out);
}

int main(void)
{
	plan_lazy();
	check_capacity(0, 2);
	check_capacity(2, 2);
	check_capacity(3, 4);
	check_capacity(4, 4);
	check_capacity(100, 128);
	check_laps(2);
	check_laps(4);
	check_laps(64);
	queue_free(NULL);
	check_stress(2, 0);
	check_stress(2, 7);
	check_stress(4, 3);
	check_stress(PRODUCERS * BUFFERS, 0);
	return done();
}
