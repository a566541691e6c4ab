/* SPDX-License-Identifier: MIT */
#include "capture/reader.h"

#include "base/precedence.h"
#include "base/sys.h"
#include "capture/periods.h"
#include "capture/readings.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Poll interval while no block is free: a 2 MiB ring fills in about 20 ms at 2.5 M events/s. */
#define STARVED_POLL_MSEC 2
#define UNTIL_WOKEN	  (-1)

/* In a burst this part of the ring is unread when the watermark is reached: half of the watermark. */
#define BURST_PART 8
/*
 * Whether samples were lost is seen without reading counters: the ring was full then.  The reader had
 * looked at it before, and looks again after it: at one of these times half of it was unread, but for the
 * record that found no room: a third, if that record takes no more than a third of the ring.
 */
#define CROWDED_PART 3

#define READER_NICE (-20)

struct reader {
	struct reader_config config;
	pthread_t thread;
	_Atomic int tid;      /* 0: the thread has not run yet */
	int wake;	      /* eventfd: a request came */
	struct queue *free;   /* free blocks: decoder -> reader */
	struct block *blocks; /* [config.blocks] */

	/* Requests: set by the control thread, taken by the reader with an exchange. */
	_Atomic unsigned int request;
	_Atomic bool is_count_wanted;
	_Atomic(const struct count *) alone; /* the counts requested; C2 */
	uint64_t alone_ns;		     /* when they were read */
	_Atomic bool is_stopped;
	_Atomic uint64_t starved;

	/* Used by the reader only. */
	struct block *filling;	    /* NULL: none */
	enum block_mark pending;    /* requested, and not yet pushed */
	const struct count *counts; /* read at that request, for its mark, if that has counts */
	uint64_t counts_ns;
	enum counts_of turn; /* array of the last mark's counts: COUNTS_EVEN or COUNTS_ODD */
	struct periods *periods;
	uint64_t adapted_ns; /* when the periods were last adapted */
	size_t pushed;	     /* blocks that the decoder was not woken for */
	bool is_over;	     /* the final mark was pushed */
	bool is_starved;     /* no block was free */
	bool is_ring_ready;  /* the watermark was reached */
	bool is_crowded;     /* the ring may have been full since the counters were last read */
	struct readings readings;
	size_t target; /* index of the next target to poll for the ring */
	int ring_fd;   /* the fd polled for the ring; -1: every target has ended */
};

static void wake_up(int fd)
{
	uint64_t one = 1;

	/* EAGAIN: the eventfd is at its maximum, so it is readable anyway. */
	if (write(fd, &one, sizeof(one)) < 0)
		return;
}

static void clear_wake(int fd)
{
	uint64_t count;

	if (read(fd, &count, sizeof(count)) < 0)
		return;
}

/* Read the head of the ring, if there is one. */
static void look(struct reader *reader)
{
	struct ring *ring = reader->config.ring;

	if (ring == NULL)
		return;
	ring_look(ring);
	reader->is_crowded |= ring_unread(ring) >= ring_bytes(ring) / CROWDED_PART;
}

/* Get a block to fill: false when none is free. */
static bool take_block(struct reader *reader)
{
	if (reader->filling != NULL)
		return true;

	reader->filling = queue_pop(reader->free);
	if (reader->filling == NULL)
		return false;
	reader->filling->used = 0;
	reader->filling->mark = BLOCK_MARK_NONE;
	return true;
}

/*
 * Once for several blocks: woken for each, the decoder may preempt this thread each time.  But
 * before all blocks are used, so that some are free again in time.
 */
static void wake_decoder(struct reader *reader)
{
	if (reader->pushed > 0)
		wake_up(reader->config.out_wake);
	reader->pushed = 0;
}

static void publish(struct reader *reader, enum block_mark mark)
{
	struct block *block = reader->filling;

	block->mark = mark;
	block->corrupt = reader->config.ring != NULL ? ring_corrupt(reader->config.ring) : 0;
	reader->filling = NULL;
	/* Never full: the queue has room for the blocks of all readers. */
	queue_push(reader->config.out, block);
	reader->pushed++;
	if (reader->pushed * 2 >= reader->config.blocks)
		wake_decoder(reader);
}

/*
 * Copy the records up to the head seen by ring_look() into blocks: false when no block was free for
 * the rest.  While a mark is pending the head is not read again: later records come after the mark,
 * so a kernel that writes as fast as we read cannot delay it.
 */
static bool drain(struct reader *reader)
{
	struct ring *ring = reader->config.ring;

	if (ring == NULL)
		return true;
	if (reader->pending == BLOCK_MARK_NONE)
		look(reader);
	while (ring_unread(ring) > 0) {
		if (!take_block(reader)) {
			atomic_fetch_add_explicit(&reader->starved, 1, memory_order_relaxed);
			return false;
		}

		struct block *block = reader->filling;
		size_t got = ring_copy(ring, block->data + block->used, BLOCK_BYTES - block->used);
		block->used += (uint32_t)got;
		ring_release(ring);
		if (ring_unread(ring) > 0)
			publish(reader, BLOCK_MARK_NONE);
	}
	ring_release(ring); /* corrupt contents were skipped: release them too */
	return true;
}

static void read_counts(struct reader *reader, enum block_mark asked)
{
	enum counts_of next = reader->turn == COUNTS_EVEN ? COUNTS_ODD : COUNTS_EVEN;

	look(reader);
	reader->counts = readings_take(&reader->readings, next, sys_monotonic_ns(),
				       asked == BLOCK_MARK_FINAL || reader->is_crowded);
	reader->counts_ns = sys_monotonic_ns();
	reader->is_crowded = false;
}

/*
 * Take a new request: read the counters, then the ring's head.  In this order all samples of the
 * events counted come before the mark; a few samples can be newer than the counts.  Returns whether
 * there are new counts.
 */
static bool take_request(struct reader *reader)
{
	enum block_mark asked = atomic_exchange_explicit(&reader->request, BLOCK_MARK_NONE,
							 memory_order_acquire); /* C2 */

	if (asked == BLOCK_MARK_NONE)
		return false;
	reader->pending = asked;
	if (asked == BLOCK_MARK_FINAL)
		counters_disable(reader->config.counters);
	if (asked != BLOCK_MARK_ROUND)
		read_counts(reader, asked);
	look(reader);
	return asked != BLOCK_MARK_ROUND;
}

static void answer_counts(struct reader *reader)
{
	if (!atomic_exchange_explicit(&reader->is_count_wanted, false,
				      memory_order_acquire)) /* C2 */
		return;

	const struct count *counts =
		counters_read(reader->config.counters, COUNTS_ALONE, reader->config.has_lost);
	reader->alone_ns = sys_monotonic_ns();
	atomic_store_explicit(&reader->alone, counts, memory_order_release); /* C2 */
}

/* Publish the mark, with the counts of the request, if it has them. */
static void close_books(struct reader *reader)
{
	struct block *block = reader->filling;

	if (reader->pending != BLOCK_MARK_ROUND) {
		reader->turn = reader->turn == COUNTS_EVEN ? COUNTS_ODD : COUNTS_EVEN;
		block->counts = reader->counts;
		block->read_ns = reader->counts_ns;
	}
	reader->is_over = reader->pending == BLOCK_MARK_FINAL;
	publish(reader, reader->pending);
	reader->pending = BLOCK_MARK_NONE;
}

/*
 * Whether the ring fills fast.  The kernel wakes the reader after each watermark's bytes, also when
 * most of them have been read since.
 */
static bool is_burst(struct reader *reader)
{
	struct ring *ring = reader->config.ring;

	if (reader->is_starved || !reader->is_ring_ready)
		return reader->is_starved;
	if (reader->pending == BLOCK_MARK_NONE)
		look(reader);
	return ring_unread(ring) >= ring_bytes(ring) / BURST_PART;
}

/* Adapt periods at a request, in a burst, or when their wait is over. */
static void adapt_periods(struct reader *reader, bool has_counts)
{
	uint64_t now_ns = has_counts ? reader->counts_ns : sys_monotonic_ns();
	uint64_t since_ns = now_ns - reader->adapted_ns;
	bool all = is_burst(reader) && since_ns >= periods_wait_ns(reader->periods, PERIODS_ALL);

	if (reader->pending == BLOCK_MARK_FINAL ||
	    (!has_counts && !all && since_ns < periods_wait_ns(reader->periods, PERIODS_LONGER)))
		return;
	reader->adapted_ns = now_ns;
	if (has_counts)
		periods_settle(reader->periods, reader->counts, now_ns);
	else
		periods_adapt(reader->periods, all ? PERIODS_ALL : PERIODS_LONGER, now_ns);
}

/* How long to sleep when there is nothing to do. */
static int sleep_msec(const struct reader *reader)
{
	if (!periods_are_longer(reader->periods))
		return UNTIL_WOKEN;

	/* Not too early: nothing would be due then. */
	uint64_t wait_ns = periods_wait_ns(reader->periods, PERIODS_LONGER);
	return (int)((wait_ns + NSEC_PER_MSEC - 1) / NSEC_PER_MSEC);
}

/* Empty the ring, answer a request.  Returns how long to sleep. */
static int work(struct reader *reader)
{
	bool has_counts = take_request(reader);

	answer_counts(reader);
	adapt_periods(reader, has_counts);
	reader->is_starved = !drain(reader) ||
			     (reader->pending != BLOCK_MARK_NONE && !take_block(reader));
	if (reader->is_starved)
		return STARVED_POLL_MSEC;
	/* A FINAL request that came meanwhile has set the eventfd again. */
	if (reader->pending != BLOCK_MARK_NONE)
		close_books(reader);
	else if (reader->filling != NULL && reader->filling->used > 0)
		publish(reader, BLOCK_MARK_NONE);
	return sleep_msec(reader);
}

/*
 * It uses little CPU time, but must run soon: on a saturated CPU the ring overflows before a reader
 * of normal priority, or with time slices of the usual length, is scheduled (doc/performance.md, Loss).
 * Without the rights it keeps its priority.
 */
static void take_precedence(const struct reader *reader)
{
	struct sched_param param = { .sched_priority = reader->config.realtime };

	if (reader->config.realtime > 0)
		sched_setscheduler(0, SCHED_FIFO, &param);
	else
		precedence_take(READER_NICE, PRECEDENCE_SLICE_LEAST_NS);
}

static void settle_in(struct reader *reader)
{
	atomic_store_explicit(&reader->tid, (int)syscall(SYS_gettid), memory_order_relaxed);

	/* On its own CPU a counter's read(2) is local.  If pinning is refused, reads are only slower. */
	if (reader->config.cpu >= 0) {
		size_t bytes = CPU_ALLOC_SIZE(reader->config.cpu + 1);
		cpu_set_t *set = CPU_ALLOC(reader->config.cpu + 1);

		if (set != NULL) {
			CPU_ZERO_S(bytes, set);
			CPU_SET_S(reader->config.cpu, bytes, set);
			sched_setaffinity(0, bytes, set);
			CPU_FREE(set);
		}
	}
	take_precedence(reader);
	pthread_setname_np(pthread_self(), READER_THREAD_NAME);
}

/*
 * Poll the fd of the next target that is open: the kernel wakes all fds that write to the ring
 * (ring_buffer_wakeup).
 */
static void next_target(struct reader *reader)
{
	const struct counters *counters = reader->config.counters;

	reader->ring_fd = -1;
	while (reader->ring_fd < 0 && reader->target < counters_targets(counters))
		reader->ring_fd =
			counters_fd(counters, reader->config.ring_event, reader->target++);
}

/* Sleep until the watermark is reached, a request comes, or `timeout` ms have passed. */
static void wait_for_work(struct reader *reader, int timeout)
{
	struct pollfd fds[] = {
		{ .fd = reader->wake, .events = POLLIN },
		{ .fd = reader->ring_fd, .events = POLLIN },
	};
	/* While no block is free the ring would stay readable: wait for the timeout only. */
	bool is_ring_watched = !reader->is_starved;
	int ready = poll(fds, is_ring_watched ? 2 : 1, timeout);

	/* No memory for poll(2): sleep; the next round checks everything anyway. */
	if (ready < 0 && errno != EINTR)
		poll(NULL, 0, STARVED_POLL_MSEC);
	reader->is_ring_ready = ready > 0 && is_ring_watched && (fds[1].revents & POLLIN);
	if (ready <= 0)
		return;
	if (fds[0].revents & POLLIN)
		clear_wake(reader->wake);
	/* This target has ended: its fd would be ready forever. */
	if (is_ring_watched && (fds[1].revents & (POLLHUP | POLLERR | POLLNVAL)))
		next_target(reader);
}

static void *reader_main(void *arg)
{
	struct reader *reader = arg;
	int timeout = UNTIL_WOKEN;

	settle_in(reader);
	while (!reader->is_over &&
	       !atomic_load_explicit(&reader->is_stopped, memory_order_relaxed)) {
		wait_for_work(reader, timeout);
		timeout = work(reader);
		wake_decoder(reader);
	}
	return NULL;
}

static bool make_blocks(struct reader *reader)
{
	reader->free = queue_new(reader->config.blocks);
	reader->blocks = aligned_alloc(_Alignof(struct block),
				       reader->config.blocks * sizeof(*reader->blocks));
	if (reader->free == NULL || reader->blocks == NULL)
		return false;

	for (size_t i = 0; i < reader->config.blocks; i++) {
		struct block *block = &reader->blocks[i];

		/* Do not touch the data: blocks that are never used take no memory. */
		block->home = reader;
		block->slot = reader->config.slot;
		queue_push(reader->free, block);
	}
	return true;
}

static void reader_free(struct reader *reader)
{
	int error = errno;

	if (reader->wake >= 0)
		close(reader->wake);
	queue_free(reader->free);
	periods_free(reader->periods);
	free(reader->blocks);
	free(reader);
	errno = error;
}

struct reader *reader_start(const struct reader_config *config)
{
	struct reader *reader = calloc(1, sizeof(*reader));

	if (reader == NULL)
		return NULL;
	reader->config = *config;
	if (reader->config.blocks < 2)
		reader->config.blocks = 2;
	reader->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	reader->periods = periods_new(config->counters, config->has_lost, config->slot);
	reader->readings = (struct readings){ .counters = config->counters,
					      .periods = reader->periods,
					      .has_lost = config->has_lost };
	if (reader->wake < 0 || reader->periods == NULL || !make_blocks(reader)) {
		reader_free(reader);
		return NULL;
	}

	reader->ring_fd = -1;
	if (reader->config.ring != NULL)
		next_target(reader);
	errno = pthread_create(&reader->thread, NULL, reader_main, reader);
	if (errno != 0) {
		reader_free(reader);
		return NULL;
	}
	return reader;
}

void reader_request(struct reader *reader, enum block_mark mark)
{
	atomic_store_explicit(&reader->request, mark, memory_order_release); /* C2 */
	wake_up(reader->wake);
}

void reader_ask_counts(struct reader *reader)
{
	atomic_store_explicit(&reader->alone, NULL, memory_order_relaxed);
	atomic_store_explicit(&reader->is_count_wanted, true, memory_order_release); /* C2 */
	wake_up(reader->wake);
}

const struct count *reader_counts(struct reader *reader, uint64_t *read_ns)
{
	const struct count *counts =
		atomic_load_explicit(&reader->alone, memory_order_acquire); /* C2 */

	if (counts != NULL)
		*read_ns = reader->alone_ns;
	return counts;
}

void reader_give_back(struct reader *reader, struct block *block)
{
	queue_push(reader->free, block);
}

int reader_tid(const struct reader *reader)
{
	return atomic_load_explicit(&reader->tid, memory_order_relaxed);
}

uint64_t reader_starved(const struct reader *reader)
{
	return atomic_load_explicit(&reader->starved, memory_order_relaxed);
}

void reader_unpin(const struct reader *reader)
{
	cpu_set_t any;

	/* The kernel limits this to the CPUs that the process may use. */
	memset(&any, 0xff, sizeof(any));
	if (reader_tid(reader) != 0)
		sched_setaffinity(reader_tid(reader), sizeof(any), &any);
}

void reader_stop(struct reader *reader)
{
	atomic_store_explicit(&reader->is_stopped, true, memory_order_relaxed);
	wake_up(reader->wake);
}

bool reader_join(struct reader *reader, uint64_t until_ns)
{
	if (reader == NULL)
		return true;
	if (!sys_join(reader->thread, until_ns))
		return false;
	reader_free(reader);
	return true;
}
