/* SPDX-License-Identifier: MIT */
/*
 * ksymbols - kernel addresses to names, loaded at the first look-up.
 *
 * The first look-up starts a thread that reads /proc/kallsyms; until that is done
 * look-ups return NULL.  All look-ups are made by one thread.
 */
#ifndef DECODE_KSYMBOLS_H
#define DECODE_KSYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/access.h"

struct ksymbols;

/* Opens nothing and reads nothing yet.  Borrows `access`, which opens the file. */
struct ksymbols *ksymbols_new(const struct access *access);

/* Waits for a load in progress.  NULL is allowed. */
void ksymbols_free(struct ksymbols *ksymbols);

/* As kallsyms_find(): NULL while loading, when that failed, or when no symbol is there. */
const char *ksymbols_find(struct ksymbols *ksymbols, uint64_t address, const char **module);

/* Load them, if that was not begun, and wait until they are there (some 70 ms). */
void ksymbols_wait(struct ksymbols *ksymbols);

/* Wait as well: the address of a symbol of the kernel proper; false when there is none. */
bool ksymbols_address(struct ksymbols *ksymbols, const char *name, uint64_t *address);

/* Why there are none, as a line for the user; or NULL. */
const char *ksymbols_complaint(const struct ksymbols *ksymbols);

#endif
