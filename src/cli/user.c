/* SPDX-License-Identifier: MIT */
#include "cli/user.h"

#include <dirent.h>
#include <errno.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "base/sys.h"
#include "base/xalloc.h"

/* Name services may have a hundred thousand users: bound the search for the nearest name. */
#define USERS_MAX 20000

struct threads {
	uid_t uid;
	pid_t except;
	pid_t *tids;
	size_t count;
};

/* --- the user ------------------------------------------------------------------------------- */

static void find_nearest(const char *text, char *nearest, size_t room)
{
	struct suggest suggest;
	struct passwd *entry;

	suggest_init(&suggest, text);
	setpwent();
	for (int i = 0; i < USERS_MAX && (entry = getpwent()) != NULL; i++)
		suggest_offer(&suggest, entry->pw_name);
	endpwent();
	snprintf(nearest, room, "%s", suggest.best);
}

int user_find(const char *text, uid_t *uid, char *nearest, size_t room)
{
	/* Digits are looked up as a name first, as in chown(1). */
	const struct passwd *entry = getpwnam(text);

	nearest[0] = '\0';
	if (entry != NULL) {
		*uid = entry->pw_uid;
		return 0;
	}
	if (sys_parse_id(text, uid))
		return 0;
	find_nearest(text, nearest, room);
	return -1;
}

/* --- their threads -------------------------------------------------------------------------- */

static bool is_of_user(const char *status_path, uid_t uid)
{
	char text[2048];
	unsigned int real, effective;

	if (sys_read_file(status_path, text, sizeof(text)) <= 0)
		return false;
	const char *line = strstr(text, "\nUid:");
	return line != NULL && sscanf(line, "\nUid: %u %u", &real, &effective) == 2 &&
	       effective == uid;
}

/* Call `visit` for each number in a folder. */
static void each_number(const char *path, void (*visit)(const char *path, pid_t number, void *ctx),
			void *ctx)
{
	DIR *folder = opendir(path);

	if (folder == NULL)
		return;
	for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
		char *end;
		long number = strtol(entry->d_name, &end, 10);

		if (number > 0 && number <= INT32_MAX && *end == '\0')
			visit(path, (pid_t)number, ctx);
	}
	closedir(folder);
}

static void visit_thread(const char *tasks, pid_t tid, void *ctx)
{
	struct threads *threads = ctx;
	char *status = xasprintf("%s/%d/status", tasks, (int)tid);

	/* Threads of one process may run as different users. */
	if (is_of_user(status, threads->uid)) {
		threads->tids =
			xreallocarray(threads->tids, threads->count + 1, sizeof(*threads->tids));
		threads->tids[threads->count++] = tid;
	}
	free(status);
}

static void visit_process(const char *proc, pid_t pid, void *ctx)
{
	struct threads *threads = ctx;

	if (pid == threads->except)
		return;
	char *tasks = xasprintf("%s/%d/task", proc, (int)pid);
	each_number(tasks, visit_thread, threads);
	free(tasks);
}

size_t user_threads(const char *proc, uid_t uid, pid_t except, pid_t **tids)
{
	struct threads threads = { .uid = uid, .except = except };

	each_number(proc, visit_process, &threads);
	*tids = threads.tids;
	return threads.count;
}
