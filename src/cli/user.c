/* SPDX-License-Identifier: MIT */
#include "cli/user.h"

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

static void add_threads(struct threads *threads, const char *proc, pid_t pid)
{
	char *tasks = xasprintf("%s/%d/task", proc, (int)pid);
	pid_t *tids;
	long count = sys_list_numbers(tasks, &tids);

	/* Threads of one process may run as different users. */
	for (long i = 0; i < count; i++) {
		char *status = xasprintf("%s/%d/status", tasks, (int)tids[i]);

		if (is_of_user(status, threads->uid)) {
			threads->tids = xreallocarray(threads->tids, threads->count + 1,
						      sizeof(*threads->tids));
			threads->tids[threads->count++] = tids[i];
		}
		free(status);
	}
	free(tids);
	free(tasks);
}

size_t user_threads(const char *proc, uid_t uid, pid_t except, pid_t **tids)
{
	struct threads threads = { .uid = uid };
	pid_t *pids;
	long count = sys_list_numbers(proc, &pids);

	for (long i = 0; i < count; i++) {
		if (pids[i] != except)
			add_threads(&threads, proc, pids[i]);
	}
	free(pids);
	*tids = threads.tids;
	return threads.count;
}
