/* SPDX-License-Identifier: MIT */
/*
 * ksymbols - kernel addresses to names, loaded when the first one is asked for.
 *
 * The first question starts a thread that reads /proc/kallsyms; until it is
 * done there are no answers.  Questions come from one thread.
 */
#ifndef DECODE_KSYMBOLS_H
#define DECODE_KSYMBOLS_H

#include <stdint.h>

#include "capture/access.h"

struct ksymbols;

/* Opens nothing and reads nothing yet.  Borrows `access`, by which the file is opened. */
struct ksymbols *ksymbols_new(const struct access *access);

/* Waits for a load that is under way.  NULL is allowed. */
void ksymbols_free(struct ksymbols *ksymbols);

/* As kallsyms_find(): NULL while loading, when that failed, or when no symbol is there. */
const char *ksymbols_find(struct ksymbols *ksymbols, uint64_t address, const char **module);

/* Have them loaded before the next question, however long that takes (some 70 ms). */
void ksymbols_wait(struct ksymbols *ksymbols);

/* Why there are none: an errno (EACCES: hidden by kptr_restrict), or 0. */
int ksymbols_error(const struct ksymbols *ksymbols);

#endif
