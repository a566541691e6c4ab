/* SPDX-License-Identifier: MIT */
#include "source/code-files.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/xalloc.h"

/* A regular file to read; -1: there is none.  Opening a FIFO or a device could wait, or do things. */
static int open_file(const char *path)
{
	struct stat status;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0)
		return -1;
	if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
		return fd;
	close(fd);
	return -1;
}

static struct build_id wanted_id(const struct code_files *files, const struct code_file *file)
{
	if (file->build_id.size == 0 && files->ids != NULL)
		return build_ids_find(files->ids, file->path);
	return file->build_id;
}

static bool is_same_inode(int fd, const struct code_file *file)
{
	struct stat status;

	return file->inode != 0 && fstat(fd, &status) == 0 && status.st_ino == file->inode &&
	       major(status.st_dev) == file->major && minor(status.st_dev) == file->minor;
}

/* The file that was mapped, and its build-id; -1: it is not there any more. */
static int open_mapped(const struct code_files *files, const struct code_file *file,
		       struct build_id *id)
{
	struct build_id wanted = wanted_id(files, file);
	int fd = open_file(file->path);

	if (fd < 0)
		return -1;
	*id = functions_build_id(fd);
	if (wanted.size != 0 ? build_id_is_same(&wanted, id) : is_same_inode(fd, file))
		return fd;
	close(fd);
	return -1;
}

/* The file with the symbols of one that was stripped; -1: there is none. */
static int open_debug(const struct code_files *files, const struct build_id *id)
{
	char hex[2 * BUILD_ID_MAX + 1] = "";

	if (id->size < 2)
		return -1;
	for (size_t i = 0; i < id->size; i++)
		snprintf(&hex[2 * i], 3, "%02x", id->bytes[i]);

	char *path = xasprintf("%s/%.2s/%s.debug", files->debug, hex, &hex[2]);
	int fd = open_file(path);
	free(path);
	if (fd < 0)
		return -1;

	struct build_id found = functions_build_id(fd);
	if (build_id_is_same(id, &found))
		return fd;
	close(fd);
	return -1;
}

struct functions *code_files_read(const struct code_files *files, const struct code_file *file,
				  const uint64_t *offsets, size_t count)
{
	struct functions *functions = functions_new();
	struct build_id id = { .size = 0 };
	int fd = open_mapped(files, file, &id);
	int debug = fd >= 0 ? open_debug(files, &id) : -1;

	functions_read(functions, fd, debug, offsets, count);
	if (debug >= 0)
		close(debug);
	if (fd >= 0)
		close(fd);
	return functions;
}
