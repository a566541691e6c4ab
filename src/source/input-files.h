/* SPDX-License-Identifier: MIT */
/*
 * input-files - the files of the recording that -i names: one file or pipe, or a directory.
 *
 * Opening is separate from reading, because it needs the rights that the program was started with: sudo
 * perf record leaves files and directories of root's.
 */
#ifndef SOURCE_INPUT_FILES_H
#define SOURCE_INPUT_FILES_H

#include <stddef.h>

struct input_files {
	int *fds; /* the one with the header first; of the others, -errno of one that cannot be opened */
	size_t count;
};

/*
 * Open a file; of a directory (perf record --threads, --kcore) its files "data" and "data.0", "data.1"
 * and so on, which must be regular files, up to the last one.  0, or -1 and errno.
 */
int input_files_open(struct input_files *files, const char *path);

/* Take an open fd. */
void input_files_take(struct input_files *files, int fd);

/* Close all; allowed for one that is all 0. */
void input_files_close(struct input_files *files);

#endif
