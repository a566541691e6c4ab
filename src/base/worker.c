/* SPDX-License-Identifier: MIT */
#include "base/worker.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/sys.h"
#include "base/xalloc.h"

#define END_NSEC (50 * NSEC_PER_MSEC)

struct list {
	struct work *first, *last;
};

struct worker {
	const char *name;
	struct worker_ops ops;
	bool has_thread;
	pthread_t thread;
	pthread_mutex_t lock; /* of all below; not held while work is run */
	pthread_cond_t given, done;
	bool is_ending, is_running;
	struct list to_do, results;
};

static void append(struct list *list, struct work *work)
{
	work->next = NULL;
	if (list->first == NULL)
		list->first = work;
	else
		list->last->next = work;
	list->last = work;
}

static struct work *take_first(struct list *list)
{
	struct work *work = list->first;

	if (work != NULL)
		list->first = work->next;
	return work;
}

struct worker *worker_new(const char *name, const struct worker_ops *ops)
{
	struct worker *worker = xcalloc(1, sizeof(*worker));
	pthread_condattr_t monotonic;

	worker->name = name;
	worker->ops = *ops;
	pthread_mutex_init(&worker->lock, NULL);
	pthread_cond_init(&worker->given, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&worker->done, &monotonic);
	pthread_condattr_destroy(&monotonic);
	return worker;
}

/* A new thread has the nice value of its maker: the decoder thread's is -20. */
static void be_nice(void)
{
	int nice = getpriority(PRIO_PROCESS, (id_t)getpid());

	setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), nice);
}

static void *worker_main(void *arg)
{
	struct worker *worker = arg;

	be_nice();
	pthread_mutex_lock(&worker->lock);
	while (!worker->is_ending) {
		struct work *work = take_first(&worker->to_do);

		if (work == NULL) {
			pthread_cond_wait(&worker->given, &worker->lock);
			continue;
		}
		worker->is_running = true;
		pthread_mutex_unlock(&worker->lock);
		worker->ops.run(work);
		pthread_mutex_lock(&worker->lock);
		worker->is_running = false;
		append(&worker->results, work);
		pthread_cond_signal(&worker->done);
	}
	pthread_mutex_unlock(&worker->lock);
	return NULL;
}

static bool start(struct worker *worker)
{
	errno = pthread_create(&worker->thread, NULL, worker_main, worker);
	if (errno != 0)
		return false;
	pthread_setname_np(worker->thread, worker->name);
	worker->has_thread = true;
	return true;
}

bool worker_give(struct worker *worker, struct work *work)
{
	if (!worker->has_thread && !start(worker))
		return false;
	pthread_mutex_lock(&worker->lock);
	append(&worker->to_do, work);
	pthread_cond_signal(&worker->given);
	pthread_mutex_unlock(&worker->lock);
	return true;
}

struct work *worker_take(struct worker *worker, uint64_t until_ns)
{
	struct timespec until = { .tv_sec = (time_t)(until_ns / NSEC_PER_SEC),
				  .tv_nsec = (long)(until_ns % NSEC_PER_SEC) };
	int error = 0;

	pthread_mutex_lock(&worker->lock);
	while (error == 0 && worker->results.first == NULL &&
	       (worker->is_running || worker->to_do.first != NULL))
		error = pthread_cond_timedwait(&worker->done, &worker->lock, &until);
	struct work *work = take_first(&worker->results);
	pthread_mutex_unlock(&worker->lock);
	return work;
}

static void free_all(struct worker *worker, struct list *list)
{
	struct work *work;

	while ((work = take_first(list)) != NULL)
		worker->ops.free(work);
}

static bool end(struct worker *worker)
{
	if (!worker->has_thread)
		return true;
	pthread_mutex_lock(&worker->lock);
	worker->is_ending = true;
	pthread_cond_signal(&worker->given);
	pthread_mutex_unlock(&worker->lock);
	return sys_join(worker->thread, sys_monotonic_ns() + END_NSEC);
}

void worker_free(struct worker *worker)
{
	if (worker == NULL)
		return;
	if (!end(worker)) {
		pthread_detach(worker->thread);
		return;
	}
	free_all(worker, &worker->to_do);
	free_all(worker, &worker->results);
	pthread_cond_destroy(&worker->given);
	pthread_cond_destroy(&worker->done);
	pthread_mutex_destroy(&worker->lock);
	free(worker);
}
