/* SPDX-License-Identifier: MIT */
/* The thread that writes a recording, with a disk that takes one write at a time, when it is told to. */
#include "perfdata/spool.h"

#include "base/strbuf.h"
#include "base/sys.h"
#include "perfdata/layout.h"
#include "tap.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROOM   (192u << 10) /* three chunks */
#define A_MSEC NSEC_PER_MSEC

/* --- the disk --------------------------------------------------------------------------------- */

/* What was written: an append as its bytes, an end as [head:end]. */
struct output {
	sem_t has_begun, may_end;
	struct strbuf written;
	uint64_t end_bytes;
	int error; /* of the next write, or 0 */
};

static struct output disk;

static int take_write(struct output *output)
{
	sem_post(&output->has_begun);
	while (sem_wait(&output->may_end) != 0)
		;
	errno = output->error;
	return output->error == 0 ? 0 : -1;
}

int output_append(struct output *output, const void *bytes, size_t len, uint64_t end_bytes)
{
	if (take_write(output) != 0)
		return -1;
	strbuf_add(&output->written, bytes, len);
	output->end_bytes = end_bytes;
	return 0;
}

int output_end(struct output *output, const void *head, const void *end, size_t end_len)
{
	if (take_write(output) != 0)
		return -1;
	strbuf_putc(&output->written, '[');
	strbuf_add(&output->written, head, strnlen(head, PERFDATA_HEAD_BYTES));
	strbuf_putc(&output->written, ':');
	strbuf_add(&output->written, end, end_len);
	strbuf_putc(&output->written, ']');
	return 0;
}

static struct spool *begin(void)
{
	memset(&disk, 0, sizeof(disk));
	sem_init(&disk.has_begun, 0, 0);
	sem_init(&disk.may_end, 0, 0);
	strbuf_init(&disk.written);
	struct spool *spool = spool_new(&disk, ROOM);
	if (spool == NULL)
		bail("no thread");
	return spool;
}

static void let_write(unsigned int writes)
{
	while (writes-- > 0)
		sem_post(&disk.may_end);
}

static void wait_for_write(void)
{
	while (sem_wait(&disk.has_begun) != 0)
		;
}

static uint64_t soon(void)
{
	return sys_monotonic_ns() + 5 * A_MSEC;
}

static int append(struct spool *spool, const char *text)
{
	return spool_append(spool, text, strlen(text), 7);
}

static int end(struct spool *spool, const char *head, const char *text)
{
	char bytes[PERFDATA_HEAD_BYTES] = "";

	snprintf(bytes, sizeof(bytes), "%s", head);
	return spool_end(spool, bytes, text, strlen(text));
}

/* Free it and what the disk has. */
static void finish(struct spool *spool)
{
	ok(spool_free(spool, UINT64_MAX), "its thread ends");
	strbuf_fini(&disk.written);
}

/* --- tests ------------------------------------------------------------------------------------ */

static void test_order(void)
{
	struct spool *spool = begin();

	append(spool, "one");
	append(spool, "two");
	ok(!spool_has_end(spool), "no end was given");
	is_int(end(spool, "head", "tail"), 0, "what is given is taken while the disk does nothing");
	append(spool, "three");
	ok(spool_has_end(spool), "an end waits");
	let_write(3);
	is_int(spool_settle(spool, UINT64_MAX), 0, "once it has written all");
	is_str(disk.written.text, "onetwo[head:tail]three", "all is there, in order");
	is_u64(disk.end_bytes, 7, "and the size of an end is passed on");
	ok(!spool_has_end(spool), "no end waits any more");
	finish(spool);
}

static void test_settle(void)
{
	struct spool *spool = begin();

	is_int(spool_settle(spool, 0), 0, "without anything there is nothing to wait for");
	append(spool, "one");
	errno = 0;
	is_int(spool_settle(spool, soon()), -1, "a disk that does nothing");
	is_int(errno, ETIMEDOUT, "is waited for until then");
	wait_for_write();
	append(spool, "two");
	let_write(2);
	is_int(spool_settle(spool, UINT64_MAX), 0, "it goes on");
	is_str(disk.written.text, "onetwo", "with both");
	finish(spool);
}

/* Blocks of half a chunk, until there is no room. */
static unsigned int fill(struct spool *spool)
{
	static char block[32u << 10];
	unsigned int count = 0;

	memset(block, 'x', sizeof(block));
	while (spool_room(spool) >= sizeof(block) && count < 100) {
		spool_append(spool, block, sizeof(block), 0);
		count++;
	}
	return count;
}

static void *append_late(void *arg)
{
	append(arg, "late");
	return NULL;
}

static void test_room(void)
{
	struct spool *spool = begin();
	pthread_t waiter;

	is_u64(spool_room(spool), ROOM, "at first all room is there");
	is_int((int)fill(spool), 6, "blocks that take it");
	is_u64(spool_room(spool), 0, "and no more");
	wait_for_write();
	is_u64(spool_room(spool), 0, "what is being written takes room, too");
	pthread_create(&waiter, NULL, append_late, spool);
	ok(!sys_join(waiter, soon()), "who gives more waits");
	let_write(1);
	pthread_join(waiter, NULL);
	ok(true, "until a chunk was written");
	ok(spool_room(spool) > 0, "the rest of its room is there");
	let_write(3);
	is_int(spool_settle(spool, UINT64_MAX), 0, "all is written");
	is_u64(disk.written.len, 6 * (32u << 10) + 4, "each block");
	is_str(disk.written.text + disk.written.len - 5, "xlate", "the late one last");
	is_u64(spool_room(spool), ROOM, "and all room is there again");
	finish(spool);
}

static void test_large(void)
{
	struct spool *spool = begin();
	char *large = calloc(1, 2 * ROOM);

	if (large == NULL)
		bail("no memory");
	is_int(spool_append(spool, large, 2 * ROOM, 0), 0,
	       "more than its room is taken when nothing waits");
	is_u64(spool_room(spool), 0, "and fills it");
	let_write(1);
	is_int(spool_settle(spool, UINT64_MAX), 0, "it is written");
	is_u64(disk.written.len, 2 * ROOM, "whole");
	free(large);
	finish(spool);
}

static void test_failure(void)
{
	struct spool *spool = begin();

	disk.error = ENOSPC;
	append(spool, "one");
	end(spool, "head", "tail");
	append(spool, "two");
	let_write(1);
	errno = 0;
	is_int(spool_settle(spool, UINT64_MAX), -1, "a full disk");
	is_int(errno, ENOSPC, "is why it failed");
	errno = 0;
	is_int(append(spool, "three"), -1, "nothing is taken any more");
	is_int(errno, ENOSPC, "and why");
	is_int(end(spool, "head", "tail"), -1, "no end either");
	is_u64(disk.written.len, 0, "and nothing written");
	finish(spool);
}

static void test_hanging(void)
{
	/* It is left behind, with its memory: no leak, as long as something points to it. */
	static struct spool *spool;

	spool = begin();
	append(spool, "one");
	spool_settle(spool, soon());
	wait_for_write();
	ok(!spool_free(spool, soon()), "a disk that hangs keeps the thread");
	/* Let its thread end before the test does. */
	let_write(1);
	while (sem_trywait(&disk.may_end) == 0)
		sem_post(&disk.may_end);
}

/* A signal to the process waits for the thread that will read it. */
static void test_signals(void)
{
	struct spool *spool = begin();
	sigset_t blocked, pending;

	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &blocked, NULL);
	kill(getpid(), SIGUSR1);
	append(spool, "one");
	let_write(1);
	spool_settle(spool, UINT64_MAX);
	sigpending(&pending);
	ok(sigismember(&pending, SIGUSR1), "its thread takes no signals");
	signal(SIGUSR1, SIG_IGN);
	pthread_sigmask(SIG_UNBLOCK, &blocked, NULL);
	finish(spool);
}

int main(void)
{
	plan_lazy();
	test_order();
	test_settle();
	test_room();
	test_large();
	test_failure();
	test_signals();
	test_hanging();
	return done();
}
