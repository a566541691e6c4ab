/* SPDX-License-Identifier: MIT */
/*
 * rights - the rights of this run, and when it gives them up.
 *
 * Root on behalf of a user (sudo, pkexec, doas, --as): the opener keeps what perf needs, and we
 * become the user, without capabilities, under seccomp, before the first thread.  Otherwise
 * (a plain user, or root's own login) everything is done with the rights that we have.
 */
#ifndef RUN_RIGHTS_H
#define RUN_RIGHTS_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/access.h"
#include "capture/workload.h"
#include "cli/options.h"
#include "opener/caller.h"
#include "opener/remote.h"

struct rights {
	struct remote *remote; /* NULL: no opener */
	struct caller caller;  /* the user to become, if any */
	uint64_t caps;	       /* the capabilities at the start, then the opener's: CAPS_BIT() */
};

/*
 * Start the opener if we are root on behalf of a user; before any thread, after the
 * command was forked (which the opener may kill).  0, or an exit status after the
 * error was printed.  rights_fini() in either case.
 */
int rights_init(struct rights *rights, const struct options *options,
		const struct workload *command);

/* How events are opened: valid until rights_fini(). */
const struct access *rights_access(const struct rights *rights);

/*
 * Become the user, in two steps.  rights_lower() gives up all but the right to
 * read any file (CAP_DAC_READ_SEARCH) and enters seccomp: -e is then looked up
 * in tracefs, which only root may read, and its ELF files are parsed.
 * rights_give_up() drops that right, too.  0, or an exit status after the error
 * was printed: the caller must then exit.
 */
int rights_lower(const struct rights *rights, const struct options *options);
int rights_give_up(const struct rights *rights);

/* Once all events and files are open: the opener drops rights not needed for them.  0, or an exit status. */
int rights_seal(const struct rights *rights);

/*
 * Why a file cannot be written, or opened, allocated: the errno's text, and if we are no longer root
 * whose rights count.
 */
char *rights_file_text(const struct rights *rights, int error);

/* An fd to poll: hangs up when the opener exits before us.  -1: no opener. */
int rights_fd(const struct rights *rights);

/* The message for the user in that case. */
const char *rights_lost_text(void);

/* End the command, through the opener if there is one. */
void rights_end_command(const struct rights *rights, struct workload *command);

/* At the end of the run: true when the opener closes the events, so that we need not. */
bool rights_leave(const struct rights *rights);
void rights_fini(struct rights *rights);

#endif
