/* SPDX-License-Identifier: MIT */
/*
 * xalloc - allocation that exits the program cleanly when it fails.
 *
 * For the many small allocations where no caller could do better than give up.
 * Out of memory calls the hook (which restores the terminal), prints one line to
 * stderr and exits with 1.  Any thread, except that reader threads allocate
 * nothing after start-up.
 */
#ifndef BASE_XALLOC_H
#define BASE_XALLOC_H

#include <stddef.h>

/* Zeroed memory for `count` objects of `size` bytes; the overflow of the product is checked. */
void *xcalloc(size_t count, size_t size);

/* Like reallocarray(); the added part is not zeroed. */
void *xreallocarray(void *old, size_t count, size_t size);

/* A copy, which the caller frees. */
char *xstrdup(const char *text);

/* At most `max` bytes of text, terminated. */
char *xstrndup(const char *text, size_t max);

/* printf into memory that the caller frees. */
char *xasprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What all of these do when memory is short, for one who learns it elsewhere. */
_Noreturn void xalloc_fail(void);

/* Set the hook to run before the exit; NULL for none.  Set once, at start. */
void xalloc_on_failure(void (*hook)(void));

#endif
