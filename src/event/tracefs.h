/* SPDX-License-Identifier: MIT */
/*
 * tracefs - the kernel's tracepoints as files: names, ids, formats.
 *
 * It is looked for at /sys/kernel/tracing, /sys/kernel/debug/tracing and then
 * in /proc/mounts: ENOENT means that it is not mounted, EACCES that this user
 * may not read its files, ENODATA that it is mounted and has no events.
 */
#ifndef EVENT_TRACEFS_H
#define EVENT_TRACEFS_H

#include <stddef.h>
#include <stdint.h>

struct tracefs;

enum tracefs_file {
	TRACEFS_SYSTEMS, /* the folder of all systems, to list it */
	TRACEFS_SYSTEM,	 /* the folder of one system, likewise */
	TRACEFS_ID,	 /* of system:name */
	TRACEFS_FORMAT,	 /* of system:name */
	TRACEFS_FILES,
};

/* Opens one of these: an fd that the caller owns, or -1 and errno. */
typedef int tracefs_opener(void *ctx, enum tracefs_file file, const char *system, const char *name);

/* Find the mount: NULL and errno, one of those above. */
struct tracefs *tracefs_open(void);

/* What one of these errnos means, and the fix: static. */
const char *tracefs_why(int error);

void tracefs_close(struct tracefs *tracefs);

/* Where it is mounted. */
const char *tracefs_path(const struct tracefs *tracefs);

/* From now on all is opened by `opener`, with `ctx` (borrowed), instead of with our own rights. */
void tracefs_open_by(struct tracefs *tracefs, tracefs_opener *opener, void *ctx);

/*
 * Open a file or folder with our own rights, whatever tracefs_open_by() says: an fd to read, or -1
 * and errno.  `system` and `name` (NULL where the file has none) must be plain: ENOENT.
 */
int tracefs_open_file(const struct tracefs *tracefs, enum tracefs_file file, const char *system,
		      const char *name);

/* The id of "system:name": -1 and errno. */
long tracefs_id(const struct tracefs *tracefs, const char *system, const char *name);

/* The text of its format file, which the caller frees: NULL and errno. */
char *tracefs_format(const struct tracefs *tracefs, const char *system, const char *name,
		     size_t *len);

/*
 * Call `visit` for each event whose system and name match the globs, sorted; a non-zero return ends it.
 * A name without wildcards is passed on without a look whether it is there, as tracefs_id() says that.
 */
int tracefs_each(const struct tracefs *tracefs, const char *system_glob, const char *name_glob,
		 int (*visit)(void *ctx, const char *system, const char *name), void *ctx);

#endif
