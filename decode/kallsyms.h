/* SPDX-License-Identifier: MIT */
/*
 * kallsyms - the kernel's symbols, from the text of /proc/kallsyms.
 *
 * Some 120,000 lines take 40 ms to read, so this is loaded on first use, by a
 * separate thread.  A table is immutable once loaded.
 */
#ifndef DECODE_KALLSYMS_H
#define DECODE_KALLSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct kallsyms;

/*
 * Read the code symbols of `file`, which is borrowed.  NULL and errno; EACCES
 * when every address is 0, which is what kptr_restrict shows to unprivileged
 * readers: addresses would resolve to arbitrary names.
 */
struct kallsyms *kallsyms_load(FILE *file);
void kallsyms_free(struct kallsyms *symbols);

/*
 * The symbol that holds `address`: its name (valid as long as the table), with
 * its module in *module ("[kernel]" for the kernel proper) and the offset in
 * *offset; NULL when there is none below it.
 */
const char *kallsyms_find(const struct kallsyms *symbols, uint64_t address, const char **module,
			  uint64_t *offset);

/* The address of one of the kernel proper, the lowest of several: false when it has none. */
bool kallsyms_address(const struct kallsyms *symbols, const char *name, uint64_t *address);

/* How many symbols it has. */
size_t kallsyms_count(const struct kallsyms *symbols);

#endif
