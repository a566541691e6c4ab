/* SPDX-License-Identifier: MIT */
#include "opener/caller.h"

#include <grp.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/sys.h"
#include "base/xalloc.h"

#define GROUPS_FIRST 64

static void find_groups(struct caller *caller)
{
	int count = GROUPS_FIRST;

	for (;;) {
		int room = count;

		caller->groups = xreallocarray(caller->groups, (size_t)room, sizeof(gid_t));
		if (getgrouplist(caller->name, caller->gid, caller->groups, &count) >= 0)
			break;
		if (count <= room) {
			count = 0; /* failed, but not for room: no supplementary groups */
			break;
		}
	}
	caller->ngroups = (size_t)count;
}

static void take_entry(struct caller *caller, const struct passwd *entry)
{
	caller->uid = entry->pw_uid;
	caller->gid = entry->pw_gid;
	free(caller->name);
	free(caller->home);
	caller->name = xstrdup(entry->pw_name);
	caller->home = xstrdup(entry->pw_dir);
}

/* --- sudo, pkexec, doas, --as ----------------------------------------------------------------- */

/* What a way of becoming root tells about the caller. */
enum says { SAYS_NOTHING, SAYS_WHO, SAYS_NONSENSE };

static const char *variable(const char *name)
{
	const char *text = getenv(name);

	return text != NULL && *text != '\0' ? text : NULL;
}

static enum says take_name(struct caller *caller, const char *name)
{
	const struct passwd *entry = getpwnam(name);

	if (entry == NULL)
		return SAYS_NONSENSE;
	take_entry(caller, entry);
	return SAYS_WHO;
}

static enum says take_id(struct caller *caller, const char *text)
{
	uid_t uid;
	const struct passwd *entry = sys_parse_id(text, &uid) ? getpwuid(uid) : NULL;

	if (entry == NULL)
		return SAYS_NONSENSE;
	take_entry(caller, entry);
	return SAYS_WHO;
}

/* SUDO_GID names the group, so the user needs no passwd entry. */
static enum says by_sudo(struct caller *caller)
{
	const char *uid = variable("SUDO_UID"), *gid = variable("SUDO_GID");

	if (uid == NULL)
		return SAYS_NOTHING;
	(void)take_id(caller, uid);
	if (gid == NULL || !sys_parse_id(uid, &caller->uid) || !sys_parse_id(gid, &caller->gid))
		return SAYS_NONSENSE;
	return SAYS_WHO;
}

static enum says by_pkexec(struct caller *caller)
{
	const char *uid = variable("PKEXEC_UID");

	return uid == NULL ? SAYS_NOTHING : take_id(caller, uid);
}

static enum says by_doas(struct caller *caller)
{
	const char *name = variable("DOAS_USER");

	return name == NULL ? SAYS_NOTHING : take_name(caller, name);
}

/* --- which of them ------------------------------------------------------------------------------ */

static enum caller_found unclear(struct caller *caller, char **error, char *why)
{
	caller_fini(caller);
	*error = why;
	return CALLER_UNCLEAR;
}

/* Merge the result of one more way into *caller, the result of those before it. */
static enum caller_found add(struct caller *caller, struct caller *other, enum says says,
			     char **error)
{
	char *why = NULL;

	if (says == SAYS_NONSENSE)
		why = xasprintf(
			"the variable of %s in the environment names no user: unset it, or run "
			"it again",
			other->by);
	else if (says == SAYS_WHO && other->uid != 0 && caller->by != NULL &&
		 caller->uid != other->uid)
		why = xasprintf("%s names user %u and %s user %u: unset the variable that is wrong",
				caller->by, (unsigned int)caller->uid, other->by,
				(unsigned int)other->uid);
	bool is_taken = why == NULL && says == SAYS_WHO && other->uid != 0 && caller->by == NULL;

	if (is_taken)
		*caller = *other;
	else
		caller_fini(other);
	return why != NULL ? unclear(caller, error, why) : CALLER_NONE;
}

static enum caller_found find_environment(struct caller *caller, char **error)
{
	static const struct {
		const char *by;
		enum says (*find)(struct caller *caller);
	} ways[] = { { "sudo", by_sudo }, { "pkexec", by_pkexec }, { "doas", by_doas } };

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		struct caller other = { .by = ways[i].by };
		enum says says = ways[i].find(&other);

		if (add(caller, &other, says, error) == CALLER_UNCLEAR)
			return CALLER_UNCLEAR;
	}
	return caller->by != NULL ? CALLER_FOUND : CALLER_NONE;
}

static enum caller_found find_named(struct caller *caller, const char *as, char **error)
{
	if (geteuid() != 0)
		return unclear(caller, error, xstrdup("--as: only root can run as another user"));
	if (caller->by != NULL)
		return unclear(
			caller, error,
			xasprintf("--as is for a login as root: under %s it runs as the caller",
				  caller->by));
	caller->by = "--as";
	/* Digits are looked up as a name first, as in chown(1). */
	if (take_name(caller, as) != SAYS_WHO && take_id(caller, as) != SAYS_WHO)
		return unclear(caller, error, xasprintf("--as: there is no user %s", as));
	if (caller->uid == 0)
		return unclear(caller, error,
			       xstrdup("--as takes a user other than root; without --as it runs "
				       "as root"));
	return CALLER_FOUND;
}

enum caller_found caller_find(struct caller *caller, const char *as, char **error)
{
	enum caller_found found = CALLER_NONE;

	*caller = (struct caller){ 0 };
	*error = NULL;
	if (geteuid() == 0)
		found = find_environment(caller, error);
	if (found != CALLER_UNCLEAR && as != NULL)
		found = find_named(caller, as, error);
	if (found == CALLER_FOUND && caller->name != NULL)
		find_groups(caller);
	return found;
}

void caller_fini(struct caller *caller)
{
	free(caller->groups);
	free(caller->name);
	free(caller->home);
	*caller = (struct caller){ 0 };
}
