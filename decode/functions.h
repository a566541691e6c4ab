/* SPDX-License-Identifier: MIT */
/*
 * functions - the functions of an ELF file, by their place in the file.
 *
 * Of a file's symbol table only what was asked for is kept: memory grows with the code that is hot, not
 * with the file.  A file is untrusted: it is read, not mapped, within limits, and may change meanwhile.
 * Without libelf (HAVE_LIBELF) nothing has a name.  A table is for one thread at a time.
 */
#ifndef DECODE_FUNCTIONS_H
#define DECODE_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/build-id.h"

struct functions;

/* Nothing is known yet; never NULL. */
struct functions *functions_new(void);
void functions_free(struct functions *functions);

/*
 * The function at an offset of the file, into *name: NULL when none is there; valid as long as the table.
 * False: that was not read yet.
 */
bool functions_find(const struct functions *functions, uint64_t offset, const char **name);

/*
 * Read what is at `offsets` [count] from .symtab or else .dynsym of the file `fd`;
 * all of them are known then.  `debug_fd`: the file that has its .symtab when it has none itself; or -1.
 */
void functions_read(struct functions *functions, int fd, int debug_fd, const uint64_t *offsets,
		    size_t count);

/* What is known in `from` at `offsets` [count]. */
void functions_copy(struct functions *functions, const struct functions *from,
		    const uint64_t *offsets, size_t count);

/* The bytes of memory in use. */
size_t functions_bytes(const struct functions *functions);

/* The build-id of an ELF file; of size 0 when it has none. */
struct build_id functions_build_id(int fd);

#endif
