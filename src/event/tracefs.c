/* SPDX-License-Identifier: MIT */
#include "event/tracefs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <linux/magic.h>
#include <mntent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/sys.h"
#include "base/xalloc.h"

/* The longest format file of Linux 6.18 has some 7 KB; a bound in case of a bogus file. */
#define FORMAT_MAX (1u << 20)
#define ID_MAX	   64

struct tracefs {
	char *path;
	tracefs_opener *opener; /* NULL: our own rights */
	void *ctx;
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

/* Not so where another file system was mounted over it. */
static bool is_tracefs(const char *path)
{
	struct statfs fs;

	return statfs(path, &fs) == 0 && fs.f_type == TRACEFS_MAGIC;
}

/* The mount point of a tracefs somewhere else, or NULL. */
static char *find_mount(void)
{
	FILE *mounts = setmntent("/proc/mounts", "re");
	char *found = NULL;

	if (mounts == NULL)
		return NULL;
	for (struct mntent *entry; found == NULL && (entry = getmntent(mounts)) != NULL;) {
		if (strcmp(entry->mnt_type, "tracefs") == 0 && is_tracefs(entry->mnt_dir))
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
	int why = path != NULL ? probe(path) : 0;
	if (why != 0) {
		error = why == ENOENT ? ENODATA : EACCES;
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

const char *tracefs_why(int error)
{
	switch (error) {
	case EACCES:
		return "EACCES: tracepoint names are in tracefs, which only root may read: sudo "
		       "perftop-ng";
	case ENODATA: /* tracer_init_tracefs() of the kernel makes no files then */
		return "tracefs has no events: was the kernel booted with lockdown=confidentiality?";
	default:
		return "tracefs is not mounted: sudo mount -t tracefs nodev /sys/kernel/tracing";
	}
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

int tracefs_open_file(const struct tracefs *tracefs, enum tracefs_file file, const char *system,
		      const char *name)
{
	const char *leaf = file == TRACEFS_ID ? "/id" : file == TRACEFS_FORMAT ? "/format" : "";
	bool has_system = file != TRACEFS_SYSTEMS;
	bool has_name = leaf[0] != '\0';
	int flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | (has_name ? 0 : O_DIRECTORY);

	if ((has_system && !is_plain(system)) || (has_name && !is_plain(name))) {
		errno = ENOENT;
		return -1;
	}

	char *path = xasprintf("%s/events%s%s%s%s%s", tracefs->path, has_system ? "/" : "",
			       has_system ? system : "", has_name ? "/" : "", has_name ? name : "",
			       leaf);
	int fd = open(path, flags);
	int error = errno;
	free(path);
	errno = error;
	return fd;
}

void tracefs_open_by(struct tracefs *tracefs, tracefs_opener *opener, void *ctx)
{
	tracefs->opener = opener;
	tracefs->ctx = ctx;
}

static int open_file(const struct tracefs *tracefs, enum tracefs_file file, const char *system,
		     const char *name)
{
	if (tracefs->opener != NULL)
		return tracefs->opener(tracefs->ctx, file, system, name);
	return tracefs_open_file(tracefs, file, system, name);
}

static char *read_file(const struct tracefs *tracefs, enum tracefs_file file, const char *system,
		       const char *name, size_t max, size_t *len)
{
	int fd = open_file(tracefs, file, system, name);

	if (fd < 0)
		return NULL;

	char *text = sys_slurp_fd(fd, max, len);
	int error = errno;
	close(fd);
	errno = error;
	return text;
}

long tracefs_id(const struct tracefs *tracefs, const char *system, const char *name)
{
	size_t len;
	char *text = read_file(tracefs, TRACEFS_ID, system, name, ID_MAX, &len);

	if (text == NULL)
		return -1;

	char *end;
	long id = strtol(text, &end, 10);
	bool is_number = end != text && (*end == '\n' || *end == '\0');
	free(text);
	if (is_number)
		return id;
	errno = EINVAL;
	return -1;
}

char *tracefs_format(const struct tracefs *tracefs, const char *system, const char *name,
		     size_t *len)
{
	return read_file(tracefs, TRACEFS_FORMAT, system, name, FORMAT_MAX, len);
}

/* --- listing -------------------------------------------------------------------------------- */

/* Names of subfolders, sorted. */
struct names {
	char **all; /* [count], owned */
	size_t count;
};

static void names_fini(struct names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->all[i]);
	free(names->all);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The subfolders of the folder open at `fd`, which is closed, whose names match the glob. */
static struct names list(int fd, const char *glob)
{
	struct names names = { NULL, 0 };
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *entry;

	if (dir == NULL) {
		if (fd >= 0)
			close(fd);
		return names;
	}
	while ((entry = readdir(dir)) != NULL) {
		if (entry->d_type != DT_DIR || entry->d_name[0] == '.' ||
		    fnmatch(glob, entry->d_name, 0) != 0)
			continue;
		names.all = xreallocarray(names.all, names.count + 1, sizeof(*names.all));
		names.all[names.count++] = xstrdup(entry->d_name);
	}
	closedir(dir);
	if (names.count > 0)
		qsort(names.all, names.count, sizeof(*names.all), compare_names);
	return names;
}

static bool is_glob(const char *text)
{
	return strpbrk(text, "*?[\\") != NULL;
}

static struct names only(const char *name)
{
	struct names names = { xreallocarray(NULL, 1, sizeof(*names.all)), 1 };

	names.all[0] = xstrdup(name);
	return names;
}

static struct names list_systems(const struct tracefs *tracefs, const char *glob)
{
	if (!is_glob(glob))
		return only(glob);
	return list(open_file(tracefs, TRACEFS_SYSTEMS, NULL, NULL), glob);
}

static struct names list_events(const struct tracefs *tracefs, const char *system, const char *glob)
{
	if (!is_glob(glob))
		return only(glob);
	return list(open_file(tracefs, TRACEFS_SYSTEM, system, NULL), glob);
}

static int each_in_system(const struct tracefs *tracefs, const char *system, const char *name_glob,
			  int (*visit)(void *, const char *, const char *), void *ctx)
{
	struct names names = list_events(tracefs, system, name_glob);
	int result = 0;

	for (size_t i = 0; i < names.count && result == 0; i++)
		result = visit(ctx, system, names.all[i]);
	names_fini(&names);
	return result;
}

int tracefs_each(const struct tracefs *tracefs, const char *system_glob, const char *name_glob,
		 int (*visit)(void *ctx, const char *system, const char *name), void *ctx)
{
	struct names systems = list_systems(tracefs, system_glob);
	int result = 0;

	for (size_t i = 0; i < systems.count && result == 0; i++) {
		/* ftrace's own records have formats, but perf cannot open them. */
		if (strcmp(systems.all[i], "ftrace") != 0)
			result = each_in_system(tracefs, systems.all[i], name_glob, visit, ctx);
	}
	names_fini(&systems);
	return result;
}
