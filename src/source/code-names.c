/* SPDX-License-Identifier: MIT */
#include "source/code-names.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "decode/functions.h"

/* What is known of all files is dropped when it is more than this, and read again. */
#define BYTES_MAX (8u << 20)

/* A file, by the address of its description. */
struct known {
	const struct code_file *file;
	struct functions *functions;
};

struct code_names {
	const struct build_ids *ids; /* or NULL */
	const char *debug;
	struct known *all; /* [count] in the order of first use */
	size_t count, room;
};

struct code_names *code_names_new(const struct build_ids *ids, const char *debug)
{
	struct code_names *names = xcalloc(1, sizeof(*names));

	names->ids = ids;
	names->debug = debug;
	return names;
}

static void forget(struct code_names *names)
{
	for (size_t i = 0; i < names->count; i++)
		functions_free(names->all[i].functions);
	names->count = 0;
}

void code_names_free(struct code_names *names)
{
	if (names == NULL)
		return;

	forget(names);
	free(names->all);
	free(names);
}

/* --- files ---------------------------------------------------------------------------------- */

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

static struct build_id wanted_id(const struct code_names *names, const struct code_file *file)
{
	if (file->build_id.size == 0 && names->ids != NULL)
		return build_ids_find(names->ids, file->path);
	return file->build_id;
}

static bool is_same_inode(int fd, const struct code_file *file)
{
	struct stat status;

	return file->inode != 0 && fstat(fd, &status) == 0 && status.st_ino == file->inode &&
	       major(status.st_dev) == file->major && minor(status.st_dev) == file->minor;
}

/* The file that was mapped, and its build-id; -1: it is not there any more. */
static int open_mapped(const struct code_names *names, const struct code_file *file,
		       struct build_id *id)
{
	struct build_id wanted = wanted_id(names, file);
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
static int open_debug(const struct code_names *names, const struct build_id *id)
{
	char hex[2 * BUILD_ID_MAX + 1] = "";

	if (id->size < 2)
		return -1;
	for (size_t i = 0; i < id->size; i++)
		snprintf(&hex[2 * i], 3, "%02x", id->bytes[i]);

	char *path = xasprintf("%s/%.2s/%s.debug", names->debug, hex, &hex[2]);
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

/* --- looking up ----------------------------------------------------------------------------- */

static struct functions *functions_of(struct code_names *names, const struct code_file *file)
{
	for (size_t i = 0; i < names->count; i++) {
		if (names->all[i].file == file)
			return names->all[i].functions;
	}
	if (names->count == names->room) {
		names->room = names->room == 0 ? 32 : names->room * 2;
		names->all = xreallocarray(names->all, names->room, sizeof(*names->all));
	}
	names->all[names->count] = (struct known){ file, functions_new() };
	return names->all[names->count++].functions;
}

/* Read what is not known of places [count] in one file. */
static void read_file(const struct code_names *names, struct functions *functions,
		      const struct code_name *places, size_t count)
{
	uint64_t *offsets = xcalloc(count + 1, sizeof(*offsets));
	struct build_id id = { .size = 0 };
	const char *symbol;
	size_t unknown = 0;

	for (size_t i = 0; i < count; i++) {
		if (!functions_find(functions, places[i].offset, &symbol))
			offsets[unknown++] = places[i].offset;
	}
	if (unknown > 0) {
		int fd = open_mapped(names, places[0].file, &id);
		int debug = fd >= 0 ? open_debug(names, &id) : -1;

		functions_read(functions, fd, debug, offsets, unknown);
		if (debug >= 0)
			close(debug);
		if (fd >= 0)
			close(fd);
	}
	free(offsets);
}

static void find_in_file(struct code_names *names, struct code_name *places, size_t count)
{
	struct functions *functions = functions_of(names, places[0].file);

	read_file(names, functions, places, count);
	for (size_t i = 0; i < count; i++)
		functions_find(functions, places[i].offset, &places[i].symbol);
}

static size_t bytes_of(const struct code_names *names)
{
	size_t bytes = 0;

	for (size_t i = 0; i < names->count; i++)
		bytes += functions_bytes(names->all[i].functions);
	return bytes;
}

void code_names_find(struct code_names *names, struct code_name *places, size_t count)
{
	size_t first = 0;

	if (bytes_of(names) > BYTES_MAX)
		forget(names);
	for (size_t i = 1; i <= count; i++) {
		if (i < count && places[i].file == places[first].file)
			continue;
		find_in_file(names, &places[first], i - first);
		first = i;
	}
}
