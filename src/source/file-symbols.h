/* SPDX-License-Identifier: MIT */
/*
 * file-symbols - the kernel's symbols for a recorded file: those of the running kernel, if it is the one
 * that was recorded.
 *
 * It is, if its build-id is the one that the file has for the kernel.  Where the kernel was then, the file says by
 * the address of a symbol (perf record's MMAP record of the kernel).  If it is elsewhere now, after a reboot with KASLR,
 * only the kernel proper has symbols: modules are elsewhere by other amounts.  Without a build-id the release must be the
 * same and the kernel at the same address.  Code of BPF programs has no symbols: they come and go.
 *
 * One thread.
 */
#ifndef SOURCE_FILE_SYMBOLS_H
#define SOURCE_FILE_SYMBOLS_H

#include <stdint.h>

#include "base/build-id.h"
#include "decode/record.h"
#include "perfdata/reader.h"

/* The running kernel; borrowed by who uses it. */
struct running_kernel {
	int kallsyms; /* /proc/kallsyms, opened with the rights to see addresses; or -1 */
	const char *release;
	struct build_id id; /* of size 0: unknown */
};

struct file_symbols;

/* Borrows both, which may have got no further than the file's head; kernel NULL: no symbols.  Never NULL. */
struct file_symbols *file_symbols_new(const struct perfdata *data,
				      const struct running_kernel *kernel);
void file_symbols_free(struct file_symbols *symbols);

/* Take from an MMAP record where the kernel was; other records are no error. */
void file_symbols_map(struct file_symbols *symbols, const struct record *record);

/*
 * As in struct model_resolver.  Call it, and file_symbols_note(), when records were read that have samples: the first
 * call decides, and waits until the symbols are read (some 70 ms).
 */
const char *file_symbols_find(struct file_symbols *symbols, uint64_t address, const char **module);

/* Why there are none, once, for the user; else NULL. */
const char *file_symbols_note(struct file_symbols *symbols);

#endif
