/* SPDX-License-Identifier: MIT */
#include "opener/drop.h"

#include <errno.h>
#include <grp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "opener/caller.h"
#include "opener/caps.h"
#include "opener/instrumented.h"

static int set_ids(const struct caller *caller)
{
	if (setgroups(caller->ngroups, caller->groups) != 0 ||
	    setresgid(caller->gid, caller->gid, caller->gid) != 0 ||
	    setresuid(caller->uid, caller->uid, caller->uid) != 0)
		return -1;
	return 0;
}

/* Verify that the ids are as wanted, and that no call restores root. */
static int check(const struct caller *caller, uint64_t caps)
{
	uid_t uids[3];
	gid_t gids[3];

	if (getresuid(&uids[0], &uids[1], &uids[2]) != 0 ||
	    getresgid(&gids[0], &gids[1], &gids[2]) != 0)
		return -1;
	for (int i = 0; i < 3; i++) {
		if (uids[i] != caller->uid || gids[i] != caller->gid) {
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
	/* LeakSanitizer needs ptrace. */
	prctl(PR_SET_DUMPABLE, IS_INSTRUMENTED, 0, 0, 0);
}

int drop_to_user(const struct caller *caller, uint64_t caps)
{
	/* Without PR_SET_KEEPCAPS the change of uid clears all sets. */
	if (caps != CAPS_NONE && prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) != 0)
		return -1;
	caps &= caps_permitted();
	if (caps_seal() != 0 || set_ids(caller) != 0 || caps_set(caps) != 0)
		return -1;
	if (prctl(PR_SET_KEEPCAPS, 0, 0, 0, 0) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return -1;
	close_to_others();
	return check(caller, caps);
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

void drop_environment(const struct caller *caller)
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
	/* sudo -E keeps the user's; with --as it is that of the root that is left. */
	if (strcmp(caller->by, "--as") == 0)
		unsetenv("XDG_CONFIG_HOME");
	if (caller->home == NULL)
		unsetenv("HOME");
	else
		setenv("HOME", caller->home, 1);
	umask(077);
}
