/* SPDX-License-Identifier: MIT */
/*
 * code-files - functions from the files that user code was mapped from.
 *
 * A file is used only if it is the one that was mapped: with its build-id, else with its device and inode.
 * Symbols that the file itself does not have are looked for in the debug file of its build-id.  Paths are
 * untrusted: only regular files are opened.  Any thread.
 */
#ifndef SOURCE_CODE_FILES_H
#define SOURCE_CODE_FILES_H

#include <stddef.h>
#include <stdint.h>

#include "decode/functions.h"
#include "model/model.h"
#include "perfdata/build-ids.h"

/* Where debug files are, by their build-ids. */
#define CODE_FILES_DEBUG "/usr/lib/debug/.build-id"

/* Both borrowed. */
struct code_files {
	const struct build_ids *ids; /* of files that come without one; or NULL */
	const char *debug;	     /* the folder of debug files */
};

/* A new table in which the offsets [count] of a file are known; never NULL. */
struct functions *code_files_read(const struct code_files *files, const struct code_file *file,
				  const uint64_t *offsets, size_t count);

#endif
