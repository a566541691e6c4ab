/* SPDX-License-Identifier: MIT */
#include "decode/ksymbols.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "decode/kallsyms.h"

struct ksymbols {
	const struct access *access;
	bool is_started, is_joined;
	pthread_t thread;
	_Atomic(struct kallsyms *) table; /* published with release, read with acquire */
	_Atomic int error;
};

struct ksymbols *ksymbols_new(const struct access *access)
{
	struct ksymbols *ksymbols = xcalloc(1, sizeof(*ksymbols));

	ksymbols->access = access;
	return ksymbols;
}

static void *load(void *arg)
{
	struct ksymbols *ksymbols = arg;
	int fd = ksymbols->access->open_kallsyms(ksymbols->access->ctx);
	FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
	struct kallsyms *table = file != NULL ? kallsyms_load(file) : NULL;

	if (table == NULL)
		atomic_store_explicit(&ksymbols->error, errno, memory_order_release);
	if (file != NULL)
		fclose(file);
	atomic_store_explicit(&ksymbols->table, table, memory_order_release);
	return NULL;
}

/* Why there is no table, or 0. */
static int error_of(const struct ksymbols *ksymbols)
{
	return atomic_load_explicit(&ksymbols->error, memory_order_acquire);
}

static void start(struct ksymbols *ksymbols)
{
	ksymbols->is_started = true;
	int error = pthread_create(&ksymbols->thread, NULL, load, ksymbols);

	if (error != 0) {
		atomic_store_explicit(&ksymbols->error, error, memory_order_release);
		ksymbols->is_started = false;
		return;
	}
	pthread_setname_np(ksymbols->thread, "perftop-symbols");
}

static void join(struct ksymbols *ksymbols)
{
	if (ksymbols->is_started && !ksymbols->is_joined)
		pthread_join(ksymbols->thread, NULL);
	ksymbols->is_joined = true;
}

void ksymbols_wait(struct ksymbols *ksymbols)
{
	if (!ksymbols->is_started && error_of(ksymbols) == 0)
		start(ksymbols);
	join(ksymbols);
}

void ksymbols_free(struct ksymbols *ksymbols)
{
	if (ksymbols == NULL)
		return;

	join(ksymbols);
	kallsyms_free(atomic_load_explicit(&ksymbols->table, memory_order_acquire));
	free(ksymbols);
}

const char *ksymbols_find(struct ksymbols *ksymbols, uint64_t address, const char **module)
{
	struct kallsyms *table = atomic_load_explicit(&ksymbols->table, memory_order_acquire);
	uint64_t offset;

	if (table != NULL)
		return kallsyms_find(table, address, module, &offset);
	if (!ksymbols->is_started && error_of(ksymbols) == 0)
		start(ksymbols);
	return NULL;
}

bool ksymbols_address(struct ksymbols *ksymbols, const char *name, uint64_t *address)
{
	ksymbols_wait(ksymbols);

	const struct kallsyms *table = atomic_load_explicit(&ksymbols->table, memory_order_acquire);
	return table != NULL && kallsyms_address(table, name, address);
}

const char *ksymbols_complaint(const struct ksymbols *ksymbols)
{
	int error = error_of(ksymbols);

	if (error == 0)
		return NULL;
	return error == EACCES ?
		       "kernel symbols are hidden (kernel.kptr_restrict): addresses are shown "
		       "instead" :
		       "kernel symbols cannot be read from /proc/kallsyms: addresses are shown "
		       "instead";
}
