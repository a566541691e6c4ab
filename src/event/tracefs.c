/* SPDX-License-Identifier: MIT */
#include "event/tracefs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <mntent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sys.h"
#include "base/xalloc.h"

/* The longest format file of Linux 6.18 has some 7 KB; a bound in case of a bogus file. */
#define FORMAT_MAX (1u << 20)

struct tracefs {
	char *path;
};

/* Whether there is an events folder at `path`: 0, or the errno. */
static int probe(const char *path)
{
	char *events = xasprintf("%s/events", path);
	/* Not access(2): it checks the real uid, without our capabilities. */
	int fd = open(events, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int error = fd >= 0 ? 0 : errno;

	if (fd >= 0)
		close(fd);
	free(events);
	return error;
}

/* The mount point of a tracefs somewhere else, or NULL. */
static char *find_mount(void)
{
	FILE *mounts = setmntent("/proc/mounts", "re");
	char *found = NULL;

	if (mounts == NULL)
		return NULL;
	for (struct mntent *entry; found == NULL && (entry = getmntent(mounts)) != NULL;) {
		if (strcmp(entry->mnt_type, "tracefs") == 0)
			found = xstrdup(entry->mnt_dir);
	}
	endmntent(mounts);
	return found;
}

struct tracefs *tracefs_open(void)
{
	static const char *const places[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
	char *path = NULL;
	int error = ENOENT;

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]) && path == NULL; i++) {
		int why = probe(places[i]);

		if (why == 0)
			path = xstrdup(places[i]);
		else if (why == EACCES)
			error = EACCES;
	}
	if (path == NULL)
		path = find_mount();
	if (path != NULL && probe(path) != 0) {
		error = EACCES;
		free(path);
		path = NULL;
	}
	if (path == NULL) {
		errno = error;
		return NULL;
	}

	struct tracefs *tracefs = xcalloc(1, sizeof(*tracefs));
	tracefs->path = path;
	return tracefs;
}

void tracefs_close(struct tracefs *tracefs)
{
	if (tracefs == NULL)
		return;

	free(tracefs->path);
	free(tracefs);
}

const char *tracefs_path(const struct tracefs *tracefs)
{
	return tracefs->path;
}

/* Names come from a command line: reject path traversal. */
static bool is_plain(const char *name)
{
	return name[0] != '\0' && name[0] != '.' && strchr(name, '/') == NULL;
}

static char *event_file(const struct tracefs *tracefs, const char *system, const char *name,
			const char *file)
{
	if (!is_plain(system) || !is_plain(name)) {
		errno = ENOENT;
		return NULL;
	}
	return xasprintf("%s/events/%s/%s/%s", tracefs->path, system, name, file);
}

long tracefs_id(const struct tracefs *tracefs, const char *system, const char *name)
{
	char *path = event_file(tracefs, system, name, "id");
	long long id = -1;

	if (path == NULL)
		return -1;

	int result = sys_read_int(path, &id);
	int error = errno;
	free(path);
	errno = error;
	return result == 0 ? (long)id : -1;
}

int tracefs_open_format(const struct tracefs *tracefs, const char *system, const char *name)
{
	char *path = event_file(tracefs, system, name, "format");

	if (path == NULL)
		return -1;

	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int error = errno;
	free(path);
	errno = error;
	return fd;
}

char *tracefs_format(const struct tracefs *tracefs, const char *system, const char *name,
		     size_t *len)
{
	int fd = tracefs_open_format(tracefs, system, name);

	if (fd < 0)
		return NULL;

	char *text = sys_slurp_fd(fd, FORMAT_MAX, len);
	int error = errno;
	close(fd);
	errno = error;
	return text;
}

/* The sorted subfolders of a folder whose names match a glob. */
static int list(const char *path, const char *glob, struct dirent ***names)
{
	struct dirent **all;
	int count = scandir(path, &all, NULL, alphasort);
	int kept = 0;

	if (count < 0)
		return -1;
	for (int i = 0; i < count; i++) {
		if (all[i]->d_type == DT_DIR && all[i]->d_name[0] != '.' &&
		    fnmatch(glob, all[i]->d_name, 0) == 0)
			all[kept++] = all[i];
		else
			free(all[i]);
	}
	*names = all;
	return kept;
}

static void list_free(struct dirent **names, int from, int count)
{
	for (int i = from; i < count; i++)
		free(names[i]);
	free(names);
}

static int each_in_system(const struct tracefs *tracefs, const char *system, const char *name_glob,
			  int (*visit)(void *, const char *, const char *), void *ctx)
{
	char *path = xasprintf("%s/events/%s", tracefs->path, system);
	struct dirent **names;
	int count = list(path, name_glob, &names);
	int result = 0;

	free(path);
	if (count < 0)
		return 0;
	for (int i = 0; i < count && result == 0; i++)
		result = visit(ctx, system, names[i]->d_name);
	list_free(names, 0, count);
	return result;
}

int tracefs_each(const struct tracefs *tracefs, const char *system_glob, const char *name_glob,
		 int (*visit)(void *ctx, const char *system, const char *name), void *ctx)
{
	char *path = xasprintf("%s/events", tracefs->path);
	struct dirent **systems;
	int count = list(path, system_glob, &systems);
	int result = 0;

	free(path);
	if (count < 0)
		return 0;
	for (int i = 0; i < count && result == 0; i++) {
		/* ftrace's own records have formats, but perf cannot open them. */
		if (strcmp(systems[i]->d_name, "ftrace") != 0)
			result = each_in_system(tracefs, systems[i]->d_name, name_glob, visit, ctx);
	}
	list_free(systems, 0, count);
	return result;
}
