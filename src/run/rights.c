/* SPDX-License-Identifier: MIT */
#include "run/rights.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/xalloc.h"
#include "event/why.h"
#include "opener/caps.h"
#include "opener/drop.h"
#include "opener/opener.h"
#include "opener/seccomp.h"

#define NICE_ANY 40 /* 20 - nice: down to -20 */

/*
 * The kernel requires CAP_SYS_ADMIN for these, not CAP_PERFMON.  -e is not parsed yet: false
 * positives are harmless, as the seal checks the events that were opened.
 */
static bool may_be_probe(const char *word)
{
	static const char *const prefixes[] = { "uprobe", "uretprobe", "mem:" };

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		if (strncmp(word, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	}
	return false;
}

static bool may_probe(const struct options *options)
{
	static const char separators[] = ", \t\n{}";

	for (size_t i = 0; i < options->nevents; i++) {
		const char *at = options->events[i];

		while (*at != '\0') {
			at += strspn(at, separators);
			if (may_be_probe(at))
				return true;
			at += strcspn(at, separators);
		}
	}
	return false;
}

int rights_init(struct rights *rights, const struct options *options,
		const struct workload *command)
{
	*rights = (struct rights){ .caps = caps_permitted() };
	char *error;
	enum caller_found found = caller_find(&rights->caller, options->as, &error);

	if (found == CALLER_UNCLEAR) {
		fprintf(stderr, "perftop-ng: %s\n", error);
		free(error);
		return EXIT_FAILURE;
	}
	if (found == CALLER_NONE)
		return 0;

	struct opener_config config = {
		.caller = &rights->caller,
		.command_pidfd = command != NULL ? workload_fd(command) : -1,
		.may_probe = may_probe(options),
		.may_walk_user = options->has_chains,
		.may_add = options->mode == MODE_SCREEN && options->input == NULL,
	};
	int sock = opener_start(&config);
	if (sock < 0) {
		fprintf(stderr,
			"perftop-ng: cannot start the process that keeps root's rights: %s\n",
			strerror(errno));
		return EXIT_FAILURE;
	}
	rights->remote = remote_new(sock, why_root_lacks()); /* before the rights are dropped */
	return 0;
}

const struct access *rights_access(const struct rights *rights)
{
	return rights->remote != NULL ? remote_access(rights->remote) : access_direct();
}

/* Raise the limits that allow the readers' priority (-r, their nice value). */
static void allow_priority(int realtime)
{
	struct rlimit nice = { NICE_ANY, NICE_ANY };
	struct rlimit priority = { (rlim_t)realtime, (rlim_t)realtime };

	/* Without CAP_SYS_RESOURCE (containers) it fails: the readers run at normal priority. */
	setrlimit(RLIMIT_NICE, &nice);
	if (realtime > 0)
		setrlimit(RLIMIT_RTPRIO, &priority);
}

int rights_lower(const struct rights *rights, const struct options *options)
{
	if (rights->remote == NULL)
		return 0;

	allow_priority(options->realtime);
	drop_environment(&rights->caller);
	if (drop_to_user(&rights->caller, CAPS_BIT(CAP_DAC_READ_SEARCH)) != 0) {
		fprintf(stderr, "perftop-ng: cannot switch to the calling user: %s\n",
			strerror(errno));
		return EXIT_FAILURE;
	}
	/* A kernel without seccomp is no error: the other measures still apply. */
	if (seccomp_enter(SECCOMP_MAIN) < 0 && errno != EINVAL && errno != ENOSYS) {
		fprintf(stderr, "perftop-ng: no seccomp filter: %s\n", strerror(errno));
		return EXIT_FAILURE;
	}
	return 0;
}

int rights_give_up(const struct rights *rights)
{
	if (rights->remote == NULL)
		return 0;
	if (caps_set(CAPS_NONE) == 0 && caps_permitted() == CAPS_NONE)
		return 0;
	fprintf(stderr, "perftop-ng: cannot give up the right to read: %s\n", strerror(errno));
	return EXIT_FAILURE;
}

char *rights_file_text(const struct rights *rights, int error)
{
	const struct caller *caller = &rights->caller;

	if (error == ENOENT)
		return xstrdup("there is no such folder");
	if (rights->remote == NULL || (error != EACCES && error != EPERM))
		return xstrdup(strerror(error));
	return xasprintf("%s: files are written as %s%s%s, not as root: use a directory of theirs",
			 strerror(error), caller->name != NULL ? caller->name : "the user",
			 strcmp(caller->by, "--as") == 0 ? " of " : ", who called ", caller->by);
}

int rights_fd(const struct rights *rights)
{
	return rights->remote != NULL ? remote_fd(rights->remote) : -1;
}

const char *rights_lost_text(void)
{
	return "the process that kept root's rights is gone: open events continue, nothing new can be "
	       "opened";
}

int rights_seal(const struct rights *rights)
{
	/* EPIPE: the opener is gone and has no rights; rights_fd() reports that. */
	if (rights->remote == NULL || remote_seal(rights->remote) == 0 || errno == EPIPE)
		return 0;
	fprintf(stderr,
		"perftop-ng: the process that keeps root's rights does not give them up: %s\n",
		strerror(errno));
	return EXIT_FAILURE;
}

static int signal_by_opener(void *ctx, int number)
{
	return remote_end_command(ctx, number);
}

void rights_end_command(const struct rights *rights, struct workload *command)
{
	workload_end(command, rights->remote != NULL ? signal_by_opener : NULL, rights->remote);
}

bool rights_leave(const struct rights *rights)
{
	if (rights->remote == NULL || remote_is_gone(rights->remote))
		return false;
	remote_leave(rights->remote);
	return true;
}

void rights_fini(struct rights *rights)
{
	remote_free(rights->remote);
	caller_fini(&rights->caller);
	*rights = (struct rights){ 0 };
}
