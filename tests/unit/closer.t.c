/* SPDX-License-Identifier: MIT */
/* The closer, with an access that closes nothing: it can be held in the middle of a close. */
#include "capture/closer.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>

#include "tap.h"

#define MANY 1000

static pthread_t caller;
static sem_t may_close, is_closing;
static _Atomic bool is_held;
static _Atomic int closed, last;
static _Atomic int disordered, on_caller;

static void close_event(void *ctx, int fd)
{
	(void)ctx;
	sem_post(&is_closing);
	if (is_held)
		sem_wait(&may_close);
	disordered += fd <= last;
	on_caller += pthread_equal(pthread_self(), caller);
	last = fd;
	closed++;
}

static const struct access slow = { .close_event = close_event };

static void begin(bool holds)
{
	is_held = holds;
	closed = last = disordered = on_caller = 0;
	sem_init(&may_close, 0, 0);
	sem_init(&is_closing, 0, 0);
}

static void test_stop(void)
{
	struct closer *closer = closer_new(&slow);

	begin(false);
	for (int fd = 1; fd <= MANY; fd++)
		closer_take(closer, fd);
	closer_stop(closer);
	is_int(closed, MANY, "stop waits until all are closed");
	is_int(disordered, 0, "in the order in which they came");
	is_int(on_caller, 0, "none of them by the caller");
}

/* More than a pipe of fd numbers takes, while the first is not closed yet. */
static void test_never_waits(void)
{
	struct closer *closer = closer_new(&slow);
	int most = 20000;

	begin(true);
	for (int fd = 1; fd <= most; fd++)
		closer_take(closer, fd);
	is_int(closed, 0, "%d are taken while the first is being closed", most);
	is_held = false;
	sem_post(&may_close);
	closer_stop(closer);
	is_int(closed, most, "and all are closed");
}

static void *release_later(void *arg)
{
	(void)arg;
	usleep(20000);
	sem_post(&may_close);
	return NULL;
}

static void test_leave(void)
{
	struct closer *closer = closer_new(&slow);
	pthread_t thread;

	begin(true);
	for (int fd = 1; fd <= MANY; fd++)
		closer_take(closer, fd);
	sem_wait(&is_closing);
	if (pthread_create(&thread, NULL, release_later, NULL) != 0)
		bail("no thread");
	closer_leave(closer);
	is_int(closed, 1, "leave waits for the fd that is being closed only");
	pthread_join(thread, NULL);
}

static void test_unused(void)
{
	begin(false);
	closer_stop(closer_new(&slow));
	closer_leave(closer_new(&slow));
	closer_stop(NULL);
	closer_leave(NULL);
	is_int(closed, 0, "without an fd nothing happens");
}

int main(void)
{
	plan_lazy();
	caller = pthread_self();
	test_stop();
	test_never_waits();
	test_leave();
	test_unused();
	return done();
}
