/* SPDX-License-Identifier: MIT */
/*
 * maps - which files' code is mapped where, in each process.
 *
 * Filled from MMAP records, which say what is mapped but not what is unmapped: a newer mapping replaces
 * what it overlaps.  What was mapped before the first record is read from elsewhere, once for each process
 * whose program began before, and is asked for by maps_unread().  Memory is bounded: what does not fit is
 * unknown.
 */
#ifndef MODEL_MAPS_H
#define MODEL_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode/record.h"
#include "model/map-files.h"

/* A place in a file's code. */
struct code {
	uint32_t file; /* number of the file; 0: unknown */
	uint64_t offset;
};

struct maps;

/* An empty table; never NULL. */
struct maps *maps_new(void);
void maps_free(struct maps *maps);

/* Take an MMAP record; only those of code of a file are kept. */
void maps_map(struct maps *maps, const struct record *record);

/*
 * The process whose mappings are to be read, so that those of `pid` are known: itself, or when that could not
 * be read, the one that it was forked from if that mapped nothing else since.  0: none, all is known.
 */
int32_t maps_unread(struct maps *maps, int32_t pid);

/*
 * Take the mappings [count] of a process as they were at a time (CLOCK_MONOTONIC); 0 of them: it is gone, or
 * may not be read.  Those of records that are newer stay.  Ignored when it executed a program since.
 */
void maps_read(struct maps *maps, int32_t pid, const struct record_map *all, size_t count,
	       uint64_t time_ns);

/* A new process has the mappings of its parent; one that executes a program has none of before. */
void maps_fork(struct maps *maps, int32_t pid, int32_t parent, uint64_t time_ns);
void maps_exec(struct maps *maps, int32_t pid, uint64_t time_ns);

/*
 * A process ended, or its first thread: what is known of it stays for some ticks, for records of other CPUs, and
 * since the last maps_go_on().
 */
void maps_exit(struct maps *maps, int32_t pid);
void maps_tick(struct maps *maps);

/* Whether maps_exit() was called for any that is still known. */
bool maps_has_ended(const struct maps *maps);

/* Another thread of the process runs. */
void maps_go_on(struct maps *maps, int32_t pid);

/*
 * The code at an address of a process at a time; file 0: it is not known any more.  False: it is not known,
 * but can become known by records of other CPUs, or by maps_read().
 */
bool maps_find(const struct maps *maps, int32_t pid, uint64_t address, uint64_t time_ns,
	       struct code *code);

/* Takes the mappings [count] of a process, of code; valid during the call. */
typedef void maps_fn(void *ctx, int32_t pid, const struct record_map *all, size_t count);

/* Call it for each process, and those that ended lately. */
void maps_each(const struct maps *maps, maps_fn *take, void *ctx);

/* A file by its number, which is from a struct code and not 0. */
const struct code_file *maps_file(const struct maps *maps, uint32_t file);

#endif
