/* SPDX-License-Identifier: MIT */
#include "base/xalloc.h"

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void (*_Atomic failure_hook)(void);

/*
 * No stdio, no exit(): other threads may hold stdio locks, or be using what an
 * atexit handler would free.
 */
void xalloc_fail(void)
{
	static const char line[] = "perftop-ng: out of memory\n";

	/* Cleared first: a hook that runs out of memory must not be called again. */
	void (*hook)(void) = atomic_exchange(&failure_hook, NULL);
	if (hook)
		hook();

	ssize_t ignored = write(STDERR_FILENO, line, sizeof(line) - 1);
	(void)ignored;
	_exit(1);
}

void xalloc_on_failure(void (*hook)(void))
{
	atomic_store(&failure_hook, hook);
}

/* calloc(0) may return NULL: allocate one byte instead. */
void *xcalloc(size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size ? size : 1);
	if (!memory)
		xalloc_fail();
	return memory;
}

void *xreallocarray(void *old, size_t count, size_t size)
{
	void *memory = reallocarray(old, count ? count : 1, size ? size : 1);
	if (!memory)
		xalloc_fail();
	return memory;
}

char *xstrdup(const char *text)
{
	char *copy = strdup(text);
	if (!copy)
		xalloc_fail();
	return copy;
}

char *xstrndup(const char *text, size_t max)
{
	char *copy = strndup(text, max);
	if (!copy)
		xalloc_fail();
	return copy;
}

char *xasprintf(const char *format, ...)
{
	char *text;
	va_list args;

	va_start(args, format);
	int len = vasprintf(&text, format, args);
	va_end(args);
	if (len < 0)
		xalloc_fail();
	return text;
}
