/* SPDX-License-Identifier: MIT */
/*
 * code-names - names of user code, from the files that it was mapped from.
 *
 * A file is used only if it is the one that was mapped: with its build-id, else with its device and inode.
 * Symbols that the file itself does not have are looked for in the debug file of its build-id.  Paths are
 * untrusted: only regular files are opened.  One thread.
 */
#ifndef SOURCE_CODE_NAMES_H
#define SOURCE_CODE_NAMES_H

#include <stddef.h>

#include "model/model.h"
#include "perfdata/build-ids.h"

struct code_names;

/* Where debug files are, by their build-ids. */
#define CODE_NAMES_DEBUG "/usr/lib/debug/.build-id"

/*
 * Borrows `ids` (or NULL), the build-ids of files that come without one, and `debug`, the folder of debug
 * files; never NULL.
 */
struct code_names *code_names_new(const struct build_ids *ids, const char *debug);
void code_names_free(struct code_names *names);

/* As in struct model_resolver; files are read meanwhile.  Symbols are valid until the next call. */
void code_names_find(struct code_names *names, struct code_name *places, size_t count);

#endif
