/* SPDX-License-Identifier: MIT */
/* What a message says of a thread that does not go on. */
#include "run/stuck.h"

#include "tap.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_bool is_over;

static void *spin(void *unused)
{
	while (!atomic_load(&is_over))
		;
	return unused;
}

static void *read_pipe(void *end)
{
	char byte;

	while (read(*(int *)end, &byte, 1) > 0)
		;
	return NULL;
}

static pthread_t start(const char *name, void *(*run)(void *), void *ctx)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run, ctx) != 0 || pthread_setname_np(thread, name) != 0)
		bail("no thread");
	return thread;
}

static void says(const char *name, const char *part, const char *what)
{
	char *said = NULL;

	/* It may not have begun to wait. */
	for (unsigned int i = 0; i < 1000 && (said == NULL || strstr(said, part) == NULL); i++) {
		free(said);
		usleep(1000);
		said = stuck_thread(name);
	}
	if (!ok(said != NULL && strstr(said, part) != NULL, "%s", what))
		diag("%s", said != NULL ? said : "nothing");
	free(said);
}

int main(void)
{
	int ends[2];

	plan_lazy();
	ok(stuck_thread("no such thread") == NULL, "no thread has the name");
	if (pipe(ends) != 0)
		bail("no pipe");

	pthread_t reader = start("a) reader", read_pipe, &ends[0]);
	says("a) reader", "a) reader waits in the kernel", "a thread that reads a pipe waits");
	close(ends[1]);
	pthread_join(reader, NULL);
	close(ends[0]);

	pthread_t spinner = start("spinner", spin, NULL);
	says("spinner", "spinner is still busy", "one that runs does not wait");
	atomic_store(&is_over, true);
	pthread_join(spinner, NULL);
	return done();
}
