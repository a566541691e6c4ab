/* SPDX-License-Identifier: MIT */
#include "capture/reader.h"

#include "base/sys.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* How soon to look again when no block was free: a 2 MiB ring fills in some 20 ms at 2.5 M events/s. */
#define STARVED_POLL_MSEC 2

#define READER_NICE (-20)

struct reader {
	struct reader_config config;
	pthread_t thread;
	sem_t is_up;
	int tid;
	int wake;	      /* eventfd: a request came */
	struct queue *free;   /* blocks that came back: decoder -> reader */
	struct block *blocks; /* [config.blocks] */

	/* The control thread asks here; the reader takes it with an exchange. */
	_Atomic unsigned int request;
	_Atomic uint64_t starved;

	/* The reader's own. */
	struct block *filling; /* NULL: none at hand */
	enum block_mark pending;
};

static void wake_up(int fd)
{
	uint64_t one = 1;

	/* EAGAIN means that the eventfd is at its maximum: whoever sleeps there wakes anyway. */
	if (write(fd, &one, sizeof(one)) < 0)
		return;
}

static void clear_wake(int fd)
{
	uint64_t count;

	if (read(fd, &count, sizeof(count)) < 0)
		return;
}

/* Have a block to fill: false when all are on their way. */
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

static void publish(struct reader *reader, enum block_mark mark)
{
	struct block *block = reader->filling;

	block->mark = mark;
	block->corrupt = reader->config.ring != NULL ? ring_corrupt(reader->config.ring) : 0;
	reader->filling = NULL;
	/* Never full: it has room for every block that there is. */
	queue_push(reader->config.out, block);
	wake_up(reader->config.out_wake);
}

/* Copy what was there at the look into blocks: false when no block was free for the rest. */
static bool drain(struct reader *reader)
{
	struct ring *ring = reader->config.ring;

	if (ring == NULL)
		return true;
	ring_look(ring);
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
	ring_release(ring); /* after a corrupt look there is room to give back, too */
	return true;
}

static void close_books(struct reader *reader)
{
	if (reader->pending == BLOCK_MARK_NONE) {
		reader->pending = atomic_exchange_explicit(&reader->request, BLOCK_MARK_NONE,
							   memory_order_acquire); /* C2 */
		if (reader->pending == BLOCK_MARK_FINAL)
			counters_disable(reader->config.counters);
	}
}

/* One round: empty the ring, answer a request.  Returns how long to sleep, -2 when all is over. */
static int work(struct reader *reader)
{
	close_books(reader);
	if (!drain(reader))
		return STARVED_POLL_MSEC;

	if (reader->pending == BLOCK_MARK_NONE) {
		if (reader->filling != NULL && reader->filling->used > 0)
			publish(reader, BLOCK_MARK_NONE);
		return -1;
	}

	if (!take_block(reader))
		return STARVED_POLL_MSEC;
	counters_read(reader->config.counters, reader->config.has_lost);
	reader->filling->read_ns = sys_monotonic_ns();
	bool is_over = reader->pending == BLOCK_MARK_FINAL;
	publish(reader, reader->pending);
	reader->pending = BLOCK_MARK_NONE;
	return is_over ? -2 : -1;
}

/*
 * It works little, but in time: on a CPU that others saturate, a ring fills while its reader stands in
 * line.  Without the rights it stays what it is.
 */
static void take_precedence(const struct reader *reader)
{
	struct sched_param param = { .sched_priority = reader->config.realtime };

	if (reader->config.realtime > 0)
		sched_setscheduler(0, SCHED_FIFO, &param);
	else
		setpriority(PRIO_PROCESS, (id_t)reader->tid, READER_NICE);
}

static void settle_in(struct reader *reader)
{
	reader->tid = (int)syscall(SYS_gettid);

	/* On its own CPU a counter's read(2) is local.  Where this is refused it is only slower. */
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
	pthread_setname_np(pthread_self(), "perftop-reader");
	sem_post(&reader->is_up);
}

static void *reader_main(void *arg)
{
	struct reader *reader = arg;
	struct pollfd fds[] = {
		{ .fd = reader->wake, .events = POLLIN },
		{ .fd = reader->config.ring_fd, .events = POLLIN },
	};
	int timeout = -1;

	settle_in(reader);
	while (timeout != -2) {
		/* While no block is free the ring stays readable; only time helps then. */
		int watched = timeout == -1 ? 2 : 1;

		if (poll(fds, (nfds_t)watched, timeout) > 0) {
			if (fds[0].revents & POLLIN)
				clear_wake(reader->wake);
			/* The watched task has ended: its ring would be "ready" for ever. */
			if (watched == 2 && (fds[1].revents & (POLLHUP | POLLERR | POLLNVAL)))
				fds[1].fd = -1;
		}
		timeout = work(reader);
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

		/* The data stays untouched: blocks that are never needed take no memory. */
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
	free(reader->blocks);
	sem_destroy(&reader->is_up);
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
	sem_init(&reader->is_up, 0, 0);
	reader->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (reader->wake < 0 || !make_blocks(reader)) {
		reader_free(reader);
		return NULL;
	}

	errno = pthread_create(&reader->thread, NULL, reader_main, reader);
	if (errno != 0) {
		reader_free(reader);
		return NULL;
	}
	while (sem_wait(&reader->is_up) != 0)
		continue;
	return reader;
}

void reader_request(struct reader *reader, enum block_mark mark)
{
	atomic_store_explicit(&reader->request, mark, memory_order_release); /* C2 */
	wake_up(reader->wake);
}

void reader_give_back(struct reader *reader, struct block *block)
{
	queue_push(reader->free, block);
}

int reader_tid(const struct reader *reader)
{
	return reader->tid;
}

uint64_t reader_starved(const struct reader *reader)
{
	return atomic_load_explicit(&reader->starved, memory_order_relaxed);
}

void reader_join(struct reader *reader)
{
	if (reader == NULL)
		return;

	pthread_join(reader->thread, NULL);
	reader_free(reader);
}
