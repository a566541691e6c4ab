/* SPDX-License-Identifier: MIT */
#include "rights.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "opener/caps.h"
#include "opener/opener.h"
#include "opener/seccomp.h"

#define NICE_ANY 40 /* 20 - nice: down to -20 */

/* The kernel asks for CAP_SYS_ADMIN for these, not for CAP_PERFMON. */
static bool has_probes(const struct options *options)
{
	static const char *const words[] = { "uprobe", "uretprobe", "mem:" };

	for (size_t i = 0; i < options->nevents; i++) {
		for (size_t k = 0; k < sizeof(words) / sizeof(words[0]); k++) {
			if (strstr(options->events[i], words[k]) != NULL)
				return true;
		}
	}
	return false;
}

int rights_init(struct rights *rights, const struct options *options,
		const struct workload *command)
{
	*rights = (struct rights){ 0 };
	if (!drop_find_user(&rights->user))
		return 0;

	struct opener_config config = {
		.user = &rights->user,
		.command_pidfd = command != NULL ? workload_fd(command) : -1,
		.has_probes = has_probes(options),
	};
	int sock = opener_start(&config);
	if (sock < 0) {
		fprintf(stderr, "perftop-ng: no process that keeps root's rights for us: %s\n",
			strerror(errno));
		return EXIT_FAILURE;
	}
	rights->remote = remote_new(sock);
	return 0;
}

const struct access *rights_access(const struct rights *rights)
{
	return rights->remote != NULL ? remote_access(rights->remote) : access_direct();
}

/* Readers that run before others (-r, their nice value) take a right that a limit can give. */
static void allow_priority(int realtime)
{
	struct rlimit nice = { NICE_ANY, NICE_ANY };
	struct rlimit priority = { (rlim_t)realtime, (rlim_t)realtime };

	/* Without CAP_SYS_RESOURCE (containers) it fails, and they run like others. */
	setrlimit(RLIMIT_NICE, &nice);
	if (realtime > 0)
		setrlimit(RLIMIT_RTPRIO, &priority);
}

int rights_lower(const struct rights *rights, const struct options *options)
{
	if (rights->remote == NULL)
		return 0;

	allow_priority(options->realtime);
	drop_environment(&rights->user);
	if (drop_to_user(&rights->user, CAPS_BIT(CAP_DAC_READ_SEARCH)) != 0) {
		fprintf(stderr, "perftop-ng: cannot become the user who called sudo: %s\n",
			strerror(errno));
		return EXIT_FAILURE;
	}
	/* A kernel without seccomp is no reason to do without the rest. */
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

int rights_fd(const struct rights *rights)
{
	return rights->remote != NULL ? remote_fd(rights->remote) : -1;
}

const char *rights_lost_text(void)
{
	return "the process that kept root's rights is gone: what is open goes on, nothing new can be "
	       "opened";
}

void rights_end_command(const struct rights *rights, struct workload *command)
{
	if (rights->remote != NULL && command != NULL && remote_end_command(rights->remote) == 0)
		workload_told(command);
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
	drop_user_fini(&rights->user);
	*rights = (struct rights){ 0 };
}
