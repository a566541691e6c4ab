/* SPDX-License-Identifier: MIT */
/*
 * process-names - the names of the processes whose code of no file is in the chains.
 *
 * They are kept as long as those chains count, which is longer than an exited process has a row.
 * A name is that of the process's first thread.  Decoder thread only.
 */
#ifndef MODEL_PROCESS_NAMES_H
#define MODEL_PROCESS_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct model;
struct process_names;

/* Empty; never NULL. */
struct process_names *process_names_new(void);
void process_names_free(struct process_names *names);

/* Look up the names of these processes [count], in ascending order; drop those of all others. */
void process_names_keep(struct process_names *names, const struct model *model, const int32_t *pids,
			size_t count);

/* The name of one of them; NULL: unknown.  Valid until the next process_names_keep(). */
const char *process_names_find(const struct process_names *names, int32_t pid);

#endif
