/* SPDX-License-Identifier: MIT */
/*
 * rights - whose rights this run has, and when it gives them up.
 *
 * Root for somebody (sudo, pkexec, doas, --as): the opener keeps what perf needs, and we become the
 * user, without capabilities, under seccomp, before the first thread.  Otherwise
 * (a plain user, or root's own login) everything is done with what we have.
 */
#ifndef RUN_RIGHTS_H
#define RUN_RIGHTS_H

#include <stdbool.h>

#include "capture/access.h"
#include "capture/workload.h"
#include "cli/options.h"
#include "opener/caller.h"
#include "opener/remote.h"

struct rights {
	struct remote *remote; /* NULL: no opener */
	struct caller caller;  /* who we become, where there is one */
};

/*
 * Start the opener if we are root for somebody; before any thread, after the
 * command was forked (which it may end).  0, or an exit status after the error
 * was said.  rights_fini() in either case.
 */
int rights_init(struct rights *rights, const struct options *options,
		const struct workload *command);

/* How events are opened: valid until rights_fini(). */
const struct access *rights_access(const struct rights *rights);

/*
 * Become the user, in two steps.  First all is given up but the right to read
 * any file (CAP_DAC_READ_SEARCH), and seccomp is in force: the words of -e are
 * then looked up in tracefs, which is root's, and their ELF files are parsed.
 * Then that too.  0, or an exit status after the error was said: then nothing
 * more may be done.
 */
int rights_lower(const struct rights *rights, const struct options *options);
int rights_give_up(const struct rights *rights);

/* All that was asked for is open: the opener gives up what that does not take.  0, or an exit status. */
int rights_seal(const struct rights *rights);

/* To poll: it hangs up when the opener has gone before us.  -1 where there is none. */
int rights_fd(const struct rights *rights);

/* What to tell the user then. */
const char *rights_lost_text(void);

/* End the command by the opener, as far as there is one. */
void rights_end_command(const struct rights *rights, struct workload *command);

/* The run is over: whether the opener closes everything behind us, so that we need not. */
bool rights_leave(const struct rights *rights);
void rights_fini(struct rights *rights);

#endif
