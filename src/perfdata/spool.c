/* SPDX-License-Identifier: MIT */
#include "perfdata/spool.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/sys.h"
#include "base/xalloc.h"
#include "perfdata/layout.h"

#define CHUNK_BYTES (64u << 10)
#define SPOOL_NICE  (-20)

/* Bytes to append, or a head and an end. */
struct chunk {
	struct chunk *next;
	bool is_end;
	size_t used, size;
	uint64_t end_bytes;
	char bytes[];
};

struct spool {
	struct output *output;
	size_t room;
	pthread_t thread;
	pthread_mutex_t lock; /* of all below; not held while the thread writes */
	pthread_cond_t given, written;
	struct chunk *first, *last; /* what waits */
	size_t size;		    /* of their memory, and of the one that is being written */
	size_t ends;		    /* of these */
	bool is_urged;		    /* write also a chunk that is not full */
	bool is_ending;
	int error; /* why nothing more is written, or 0 */
};

/* --- the thread ----------------------------------------------------------------------------- */

static bool is_ready(const struct spool *spool)
{
	const struct chunk *chunk = spool->first;

	return chunk != NULL && (chunk->next != NULL || chunk->is_end || spool->is_urged);
}

/* Wait for a chunk; NULL: the thread is to end. */
static struct chunk *take(struct spool *spool)
{
	while (!spool->is_ending && !is_ready(spool))
		pthread_cond_wait(&spool->given, &spool->lock);
	if (spool->is_ending)
		return NULL;

	struct chunk *chunk = spool->first;
	spool->first = chunk->next;
	return chunk;
}

static int write_chunk(struct output *output, const struct chunk *chunk)
{
	if (!chunk->is_end)
		return output_append(output, chunk->bytes, chunk->used, chunk->end_bytes);
	return output_end(output, chunk->bytes, chunk->bytes + PERFDATA_HEAD_BYTES,
			  chunk->used - PERFDATA_HEAD_BYTES);
}

static void *spool_main(void *arg)
{
	struct spool *spool = arg;
	struct chunk *chunk;

	/* The decoder, which gives, has this too.  Refused without rights. */
	setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), SPOOL_NICE);
	pthread_mutex_lock(&spool->lock);
	while (spool->error == 0 && (chunk = take(spool)) != NULL) {
		pthread_mutex_unlock(&spool->lock);
		int error = write_chunk(spool->output, chunk) == 0 ? 0 : errno;
		pthread_mutex_lock(&spool->lock);
		spool->error = error;
		spool->size -= chunk->size;
		spool->ends -= chunk->is_end;
		free(chunk);
		if (spool->first == NULL)
			spool->is_urged = false;
		pthread_cond_broadcast(&spool->written);
	}
	pthread_mutex_unlock(&spool->lock);
	return NULL;
}

/* Signals are for the caller's other threads, which may not block them yet.  0, or an error. */
static int start(struct spool *spool)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int error = pthread_create(&spool->thread, NULL, spool_main, spool);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}

struct spool *spool_new(struct output *output, size_t room)
{
	struct spool *spool = xcalloc(1, sizeof(*spool));
	pthread_condattr_t monotonic;

	spool->output = output;
	spool->room = room;
	pthread_mutex_init(&spool->lock, NULL);
	pthread_cond_init(&spool->given, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&spool->written, &monotonic);
	pthread_condattr_destroy(&monotonic);
	int error = start(spool);
	if (error == 0) {
		pthread_setname_np(spool->thread, "perftop-writer");
		return spool;
	}
	pthread_cond_destroy(&spool->written);
	pthread_cond_destroy(&spool->given);
	pthread_mutex_destroy(&spool->lock);
	free(spool);
	errno = error;
	return NULL;
}

bool spool_free(struct spool *spool, uint64_t until_ns)
{
	struct chunk *next;

	pthread_mutex_lock(&spool->lock);
	spool->is_ending = true;
	pthread_cond_signal(&spool->given);
	pthread_mutex_unlock(&spool->lock);
	if (!sys_join(spool->thread, until_ns)) {
		pthread_detach(spool->thread);
		return false;
	}
	for (struct chunk *chunk = spool->first; chunk != NULL; chunk = next) {
		next = chunk->next;
		free(chunk);
	}
	pthread_cond_destroy(&spool->written);
	pthread_cond_destroy(&spool->given);
	pthread_mutex_destroy(&spool->lock);
	free(spool);
	return true;
}

/* --- giving --------------------------------------------------------------------------------- */

/* In the last chunk that waits. */
static size_t room_in_last(const struct spool *spool)
{
	return spool->first != NULL && !spool->last->is_end ?
		       spool->last->size - spool->last->used :
		       0;
}

/* Anything fits where nothing waits. */
static bool fits(const struct spool *spool, size_t len)
{
	return spool->size == 0 || (spool->size < spool->room && len <= spool->room - spool->size);
}

static int result_of(const struct spool *spool)
{
	if (spool->error == 0)
		return 0;
	errno = spool->error;
	return -1;
}

/* A new last chunk, once there is room for it: NULL and errno. */
static struct chunk *add_chunk(struct spool *spool, size_t len, bool is_end)
{
	size_t size = is_end || len > CHUNK_BYTES ? len : CHUNK_BYTES;

	while (spool->error == 0 && !fits(spool, size)) {
		spool->is_urged = true;
		pthread_cond_signal(&spool->given);
		pthread_cond_wait(&spool->written, &spool->lock);
	}
	if (result_of(spool) != 0)
		return NULL;

	struct chunk *chunk = xreallocarray(NULL, 1, sizeof(*chunk) + size);
	*chunk = (struct chunk){ .is_end = is_end, .size = size };
	if (spool->first == NULL)
		spool->first = chunk;
	else
		spool->last->next = chunk;
	spool->last = chunk;
	spool->size += size;
	spool->ends += is_end;
	pthread_cond_signal(&spool->given);
	return chunk;
}

static void put(struct chunk *chunk, const void *bytes, size_t len)
{
	memcpy(chunk->bytes + chunk->used, bytes, len);
	chunk->used += len;
}

size_t spool_room(struct spool *spool)
{
	pthread_mutex_lock(&spool->lock);
	size_t left = spool->room > spool->size ? spool->room - spool->size : 0;
	if (left < CHUNK_BYTES)
		left = room_in_last(spool);
	pthread_mutex_unlock(&spool->lock);
	return left;
}

bool spool_has_end(struct spool *spool)
{
	pthread_mutex_lock(&spool->lock);
	bool result = spool->ends > 0;
	pthread_mutex_unlock(&spool->lock);
	return result;
}

int spool_append(struct spool *spool, const void *bytes, size_t len, uint64_t end_bytes)
{
	pthread_mutex_lock(&spool->lock);
	struct chunk *chunk = spool->error == 0 && room_in_last(spool) >= len ?
				      spool->last :
				      add_chunk(spool, len, false);
	if (chunk != NULL) {
		put(chunk, bytes, len);
		chunk->end_bytes = end_bytes;
	}
	int result = result_of(spool);
	pthread_mutex_unlock(&spool->lock);
	return result;
}

int spool_end(struct spool *spool, const void *head, const void *end, size_t end_len)
{
	pthread_mutex_lock(&spool->lock);
	struct chunk *chunk = add_chunk(spool, PERFDATA_HEAD_BYTES + end_len, true);
	if (chunk != NULL) {
		put(chunk, head, PERFDATA_HEAD_BYTES);
		put(chunk, end, end_len);
	}
	int result = result_of(spool);
	pthread_mutex_unlock(&spool->lock);
	return result;
}

int spool_settle(struct spool *spool, uint64_t until_ns)
{
	const struct timespec until = { .tv_sec = (time_t)(until_ns / NSEC_PER_SEC),
					.tv_nsec = (long)(until_ns % NSEC_PER_SEC) };
	int error = 0;

	pthread_mutex_lock(&spool->lock);
	spool->is_urged = spool->first != NULL;
	pthread_cond_signal(&spool->given);
	while (error == 0 && spool->error == 0 && spool->size > 0)
		error = pthread_cond_timedwait(&spool->written, &spool->lock, &until);
	if (spool->error != 0)
		error = spool->error;
	pthread_mutex_unlock(&spool->lock);
	errno = error;
	return error == 0 ? 0 : -1;
}
