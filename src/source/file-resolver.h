/* SPDX-License-Identifier: MIT */
/*
 * file-resolver - symbols, fields and names of code of a file, for the model.
 *
 * One thread.
 */
#ifndef SOURCE_FILE_RESOLVER_H
#define SOURCE_FILE_RESOLVER_H

#include <stddef.h>
#include <stdint.h>

#include "model/model.h"
#include "perfdata/reader.h"
#include "source/file-symbols.h"

struct file_resolver;

/* Borrows both. */
struct file_resolver *file_resolver_new(const struct perfdata *data, struct file_symbols *symbols);

/* NULL is allowed. */
void file_resolver_free(struct file_resolver *resolver);

/* The event `number` of the model is event `of_file` of the file. */
void file_resolver_event(struct file_resolver *resolver, uint32_t number, size_t of_file);

/* Valid as long as the resolver. */
struct model_resolver file_resolver_hooks(struct file_resolver *resolver);

#endif
