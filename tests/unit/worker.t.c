/* SPDX-License-Identifier: MIT */
/* Work in a thread: in order, waited for no longer than asked for, left behind when it hangs. */
#include "base/worker.h"

#include "tap.h"

#include <poll.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/sys.h"
#include "base/xalloc.h"

#define MS NSEC_PER_MSEC

struct number {
	struct work work;
	int value;
	sem_t *waits_for; /* or NULL */
};

#define is_i64(got, want, ...) is_u64((uint64_t)(got), (uint64_t)(want), __VA_ARGS__)

static atomic_int frees, worker_nice, waits; /* how often one is waited for */

static void run(struct work *work)
{
	struct number *number = (struct number *)work;

	if (number->waits_for != NULL) {
		atomic_fetch_add(&waits, 1);
		sem_wait(number->waits_for);
	}
	number->value *= 10;
	atomic_store(&worker_nice, getpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid)));
}

static void drop(struct work *work)
{
	atomic_fetch_add(&frees, 1);
	free(work);
}

static const struct worker_ops ops = { .run = run, .free = drop };

static void give(struct worker *worker, int value, sem_t *waits_for)
{
	struct number *number = xcalloc(1, sizeof(*number));

	number->value = value;
	number->waits_for = waits_for;
	if (!worker_give(worker, &number->work))
		bail("worker_give");
}

/* The value of the next one that is done within `msec`; -1: none. */
static int take(struct worker *worker, uint64_t msec)
{
	struct work *work = worker_take(worker, sys_monotonic_ns() + msec * MS);
	int value = work != NULL ? ((struct number *)work)->value : -1;

	free(work);
	return value;
}

static void check_order(void)
{
	struct worker *worker = worker_new("test", &ops);
	uint64_t start_ns = sys_monotonic_ns();

	is_i64(take(worker, 60000), -1, "nothing was given, nothing comes");
	ok(sys_monotonic_ns() - start_ns < 30000 * MS, "and is not waited for");
	for (int i = 1; i <= 3; i++)
		give(worker, i, NULL);
	is_i64(take(worker, 60000), 10, "work comes back done");
	is_i64(take(worker, 60000), 20, "in the order in which");
	is_i64(take(worker, 60000), 30, "it was given");
	is_i64(take(worker, 60000), -1, "each once");
	give(worker, 4, NULL);
	is_i64(take(worker, 60000), 40, "and more of it later");
	worker_free(worker);
	worker_free(NULL);
}

static void check_waits(void)
{
	struct worker *worker = worker_new("test", &ops);
	sem_t gate;

	sem_init(&gate, 0, 0);
	give(worker, 1, &gate);
	give(worker, 2, NULL);
	is_i64(take(worker, 0), -1, "what is not done is not waited for");
	is_i64(take(worker, 5), -1, "or so long as asked for");
	sem_post(&gate);
	is_i64(take(worker, 60000), 10, "until it is done");
	is_i64(take(worker, 60000), 20, "with what had to wait for it");
	worker_free(worker);
	sem_destroy(&gate);
}

/* What nobody takes is freed, done or not. */
static void check_end(void)
{
	struct worker *worker = worker_new("test", &ops);

	atomic_store(&frees, 0);
	worker_free(worker);
	is_i64(atomic_load(&frees), 0, "no work, no thread");
	worker = worker_new("test", &ops);
	for (int i = 0; i < 5; i++)
		give(worker, i, NULL);
	worker_free(worker);
	is_i64(atomic_load(&frees), 5, "what nobody took is freed");
}

static void check_hanging(void)
{
	static struct worker *worker; /* not lost: it is no leak */
	static sem_t never;

	worker = worker_new("test", &ops);
	sem_init(&never, 0, 0);
	atomic_store(&waits, 0);
	give(worker, 1, &never);
	while (atomic_load(&waits) == 0)
		poll(NULL, 0, 1);
	atomic_store(&frees, 0);
	worker_free(worker);
	is_i64(atomic_load(&frees), 0,
	       "a thread that hangs keeps its work, and the end does not wait");
	/* It ends, and frees nothing. */
	sem_post(&never);
	poll(NULL, 0, 20);
}

static void *give_hurried(void *arg)
{
	if (setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), 7) != 0)
		bail("setpriority");
	give(arg, 1, NULL);
	return NULL;
}

static void check_nice(void)
{
	struct worker *worker = worker_new("test", &ops);
	pthread_t maker;

	/* Only rights make it nicer to itself; without them it keeps its maker's nice value. */
	if (geteuid() != 0) {
		skip(1, "not root");
		worker_free(worker);
		return;
	}
	pthread_create(&maker, NULL, give_hurried, worker);
	pthread_join(maker, NULL);
	take(worker, 60000);
	is_i64(atomic_load(&worker_nice), getpriority(PRIO_PROCESS, (id_t)getpid()),
	       "the nice value is the main thread's");
	worker_free(worker);
}

int main(void)
{
	plan_lazy();
	check_order();
	check_waits();
	check_end();
	check_nice();
	check_hanging();
	return done();
}
