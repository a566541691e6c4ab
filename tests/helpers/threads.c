/* SPDX-License-Identifier: MIT */
/*
 * threads N CALLS: N threads, which make CALLS getppid() calls each once a line was read; then N short-lived
 * threads do the same, one after the other, while the others only wake 50 times a second.  Prints "done", and ends at the end of its input.
 */
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static unsigned long calls;
static pthread_barrier_t begin, done;

static void make_calls(void)
{
	for (unsigned long i = 0; i < calls; i++)
		syscall(SYS_getppid);
}

static void *lasting(void *unused)
{
	pthread_barrier_wait(&begin);
	make_calls();
	pthread_barrier_wait(&done);
	while (poll(NULL, 0, 20) == 0)
		;
	return unused;
}

static void *short_lived(void *unused)
{
	make_calls();
	return unused;
}

static pthread_t start(void *(*run)(void *))
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run, NULL) != 0) {
		fputs("threads: no thread can be made\n", stderr);
		exit(1);
	}
	return thread;
}

int main(int argc, char **argv)
{
	unsigned int count = argc > 2 ? (unsigned int)strtoul(argv[1], NULL, 10) : 1;

	calls = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
	pthread_barrier_init(&begin, NULL, count + 1);
	pthread_barrier_init(&done, NULL, count + 1);
	for (unsigned int i = 0; i < count; i++)
		start(lasting);
	if (getchar() == EOF)
		return 1;
	pthread_barrier_wait(&begin);
	pthread_barrier_wait(&done);
	for (unsigned int i = 0; i < count; i++)
		pthread_join(start(short_lived), NULL);
	puts("done");
	fflush(stdout);
	while (getchar() != EOF)
		;
	return 0;
}
