/* SPDX-License-Identifier: MIT */
/*
 * code-names - names of user code, each read once from its file.
 *
 * Used by one thread.  Live, files are read by another one, which may hang in a file of a network or of
 * another user; then a name is unknown until it has been read.
 */
#ifndef SOURCE_CODE_NAMES_H
#define SOURCE_CODE_NAMES_H

#include <stddef.h>

#include "model/model.h"
#include "source/code-files.h"

struct code_names;

/* Names that are read at once, whatever that takes; never NULL. */
struct code_names *code_names_new(const struct code_files *files);

/*
 * Names that are read by a thread, which may still use what `files` borrows after code_names_free().  It is
 * started by the first look-up of something unknown; never NULL.
 */
struct code_names *code_names_new_live(const struct code_files *files);
void code_names_free(struct code_names *names);

/*
 * As in struct model_resolver.  Symbols are valid until the next call.  With a thread it waits for it, but
 * only shortly, and not at all while it is late.
 */
void code_names_find(struct code_names *names, struct code_name *places, size_t count);

/* The next calls are of the end: they wait longer, so that no name is missing. */
void code_names_settle(struct code_names *names);

#endif
