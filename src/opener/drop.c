/* SPDX-License-Identifier: MIT */
#include "opener/drop.h"

#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "opener/caps.h"
#include "opener/instrumented.h"

#define GROUPS_FIRST 64

/* A plain number above 0: anything else in the environment is not sudo's, or not for us. */
static bool parse_id(const char *name, unsigned int *id)
{
	const char *text = getenv(name);
	char *end;

	if (text == NULL || *text < '0' || *text > '9')
		return false;
	errno = 0;
	unsigned long value = strtoul(text, &end, 10);
	if (errno != 0 || *end != '\0' || value >= UINT_MAX) /* (uid_t)-1 means "no change" */
		return false;
	*id = (unsigned int)value;
	return true;
}

static void find_groups(struct drop_user *user, const char *name)
{
	int count = GROUPS_FIRST;

	for (;;) {
		int room = count;

		user->groups = xreallocarray(user->groups, (size_t)room, sizeof(gid_t));
		if (getgrouplist(name, user->gid, user->groups, &count) >= 0)
			break;
		if (count <= room) {
			count = 0; /* refused for another reason than room: none but the own one */
			break;
		}
	}
	user->ngroups = (size_t)count;
}

bool drop_find_user(struct drop_user *user)
{
	unsigned int uid, gid;

	*user = (struct drop_user){ 0 };
	if (geteuid() != 0 || !parse_id("SUDO_UID", &uid) || uid == 0 ||
	    !parse_id("SUDO_GID", &gid))
		return false;

	user->uid = uid;
	user->gid = gid;
	const struct passwd *entry = getpwuid(uid);
	if (entry != NULL) {
		user->home = xstrdup(entry->pw_dir);
		find_groups(user, entry->pw_name);
	}
	return true;
}

void drop_user_fini(struct drop_user *user)
{
	free(user->groups);
	free(user->home);
	*user = (struct drop_user){ 0 };
}

static int set_ids(const struct drop_user *user)
{
	if (setgroups(user->ngroups, user->groups) != 0 ||
	    setresgid(user->gid, user->gid, user->gid) != 0 ||
	    setresuid(user->uid, user->uid, user->uid) != 0)
		return -1;
	return 0;
}

/* The proof: ids as wanted, and no call brings root back. */
static int check(const struct drop_user *user, uint64_t caps)
{
	uid_t uids[3];
	gid_t gids[3];

	if (getresuid(&uids[0], &uids[1], &uids[2]) != 0 ||
	    getresgid(&gids[0], &gids[1], &gids[2]) != 0)
		return -1;
	for (int i = 0; i < 3; i++) {
		if (uids[i] != user->uid || gids[i] != user->gid) {
			errno = EPERM;
			return -1;
		}
	}
	if (setuid(0) == 0 || setresuid((uid_t)-1, 0, (uid_t)-1) == 0 || caps_permitted() != caps) {
		errno = EPERM;
		return -1;
	}
	return 0;
}

static void close_to_others(void)
{
	struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_CORE, &none);
	/* LeakSanitizer looks into the process by ptrace. */
	prctl(PR_SET_DUMPABLE, IS_INSTRUMENTED, 0, 0, 0);
}

int drop_to_user(const struct drop_user *user, uint64_t caps)
{
	/* The change of uid empties all sets, but for this. */
	if (caps != CAPS_NONE && prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) != 0)
		return -1;
	caps &= caps_permitted();
	if (caps_seal() != 0 || set_ids(user) != 0 || caps_set(caps) != 0)
		return -1;
	if (prctl(PR_SET_KEEPCAPS, 0, 0, 0, 0) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return -1;
	close_to_others();
	return check(user, caps);
}

static bool is_unwanted(const char *variable)
{
	static const char *const names[] = { "TERMINFO=", "TERMINFO_DIRS=", "TERMCAP=", "NCURSES_",
					     "LD_" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strncmp(variable, names[i], strlen(names[i])) == 0)
			return true;
	}
	return false;
}

void drop_environment(const struct drop_user *user)
{
	for (char **variable = environ; *variable != NULL;) {
		if (!is_unwanted(*variable)) {
			variable++;
			continue;
		}
		char *name = xstrndup(*variable, strcspn(*variable, "="));
		unsetenv(name); /* moves the others down */
		free(name);
	}
	if (user->home != NULL)
		setenv("HOME", user->home, 1);
	umask(077);
}
