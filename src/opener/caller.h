/* SPDX-License-Identifier: MIT */
/*
 * caller - the user on whose behalf root runs us, and whom we run as.
 *
 * sudo, pkexec and doas name the user in the environment; a login as root may
 * name one with --as.
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
	char *name; /* owned; NULL: the uid has no name */
	char *home; /* owned; NULL: unknown */
};

enum caller_found {
	CALLER_NONE,   /* not root, or root for itself: nothing changes */
	CALLER_FOUND,  /* *caller is filled in */
	CALLER_UNCLEAR /* *error is the reason, in one line */
};

/*
 * `as`: the user of --as, or NULL.  caller_fini() in each case, and free() of *error, which is NULL
 * except with CALLER_UNCLEAR.
 *
 * The environment is trusted only for giving rights up: if two variables name different users the
 * result is CALLER_UNCLEAR, as a user could have set one to reach another user's files.
 */
enum caller_found caller_find(struct caller *caller, const char *as, char **error);
void caller_fini(struct caller *caller);

#endif
