/* SPDX-License-Identifier: MIT */
#include "cli/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <mntent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "base/xalloc.h"

/* A container host has thousands of groups: bound the search for the nearest name. */
#define GROUPS_MAX 10000

/*
 * The mount point of the cgroups that perf can watch, or NULL: a v1 hierarchy with perf_event if
 * there is one, else v2, which has perf_event implicitly unless a v1 hierarchy has it.  For groups
 * of other v1 hierarchies the kernel returns ENOENT (measured on 6.18).
 */
static char *find_mount(const char *path)
{
	FILE *mounts = setmntent(path, "re");
	char *found = NULL;
	bool is_v1 = false;

	if (mounts == NULL)
		return NULL;
	for (struct mntent *entry; !is_v1 && (entry = getmntent(mounts)) != NULL;) {
		is_v1 = strcmp(entry->mnt_type, "cgroup") == 0 &&
			hasmntopt(entry, "perf_event") != NULL;
		if (is_v1 || (found == NULL && strcmp(entry->mnt_type, "cgroup2") == 0)) {
			free(found);
			found = xstrdup(entry->mnt_dir);
		}
	}
	endmntent(mounts);
	return found;
}

/* The path relative to the mount, without leading slashes; valid as long as `name`. */
static const char *below(const char *mount, const char *name)
{
	size_t len = strlen(mount);

	if (strncmp(name, mount, len) == 0 && (name[len] == '/' || name[len] == '\0'))
		name += len;
	return name + strspn(name, "/");
}

static bool climbs(const char *name)
{
	for (const char *part = name; *part != '\0';) {
		size_t len = strcspn(part, "/");

		if (len == 2 && part[0] == '.' && part[1] == '.')
			return true;
		part += len + strspn(part + len, "/");
	}
	return false;
}

/* Prefer a group whose last path component is `name`; else the one with the most similar path. */
static void suggest_group(const char *mount, const char *name, struct suggest *suggest)
{
	char *const roots[] = { (char *)mount, NULL };
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOSTAT, NULL);
	size_t skipped = strlen(mount) + 1;

	suggest_init(suggest, name);
	if (tree == NULL)
		return;
	for (int i = 0; i < GROUPS_MAX;) {
		const FTSENT *entry = fts_read(tree);

		if (entry == NULL)
			break;
		if (entry->fts_info != FTS_D || entry->fts_level == 0)
			continue;
		i++;
		if (strcmp(entry->fts_name, name) == 0) {
			snprintf(suggest->best, sizeof(suggest->best), "%s",
				 entry->fts_path + skipped);
			break;
		}
		suggest_offer(suggest, entry->fts_path + skipped);
	}
	fts_close(tree);
}

static char *why_not(const char *mount, const char *name, int error)
{
	struct suggest suggest;

	if (error != ENOENT)
		return xasprintf("cgroup %s/%s: %s", mount, name, strerror(error));
	suggest_group(mount, name, &suggest);
	if (suggest_best(&suggest) == NULL)
		return xasprintf("there is no cgroup %s in %s", name, mount);
	return xasprintf("there is no cgroup %s in %s; nearest: %s", name, mount,
			 suggest_best(&suggest));
}

int cgroup_open(const char *mounts, const char *name, char **reason)
{
	char *mount = find_mount(mounts);

	*reason = NULL;
	if (mount == NULL) {
		*reason = xstrdup("no cgroup hierarchy with perf events is mounted: sudo mount -t "
				  "cgroup2 none /sys/fs/cgroup");
		return -1;
	}
	name = below(mount, name);

	int fd = -1;
	if (climbs(name)) {
		*reason = xasprintf("a cgroup's name has no ..: %s", name);
	} else {
		char *path = xasprintf("%s/%s", mount, name);

		fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fd < 0)
			*reason = why_not(mount, name, errno == ENOTDIR ? ENOENT : errno);
		free(path);
	}
	free(mount);
	return fd;
}
