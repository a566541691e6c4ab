/* SPDX-License-Identifier: MIT */
/*
 * caller - who asked root to run us, and so who we run as.
 *
 * sudo, pkexec and doas say it in the environment; a login as root may name a
 * user with --as.
 */
#ifndef OPENER_CALLER_H
#define OPENER_CALLER_H

#include <stddef.h>
#include <sys/types.h>

struct caller {
	const char *by; /* "sudo", "pkexec", "doas", "--as"; static */
	uid_t uid;	/* never root's */
	gid_t gid;
	gid_t *groups; /* owned */
	size_t ngroups;
	char *name; /* owned; NULL: the user id has none */
	char *home; /* owned; NULL: unknown */
};

enum caller_found {
	CALLER_NONE,   /* not root, or root for root: we run as we were called */
	CALLER_FOUND,  /* *caller is filled in */
	CALLER_UNCLEAR /* *error says why, in one line */
};

/*
 * `as`: the user of --as, or NULL.  The last look into /etc/passwd.  caller_fini() in each case, and
 * free() of *error, which is NULL but with CALLER_UNCLEAR.
 *
 * What the environment says is trusted as far as to give rights up: two that name different users are
 * unclear, as a user could have added one of them to reach another user's files.
 */
enum caller_found caller_find(struct caller *caller, const char *as, char **error);
void caller_fini(struct caller *caller);

#endif
