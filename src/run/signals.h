/* SPDX-License-Identifier: MIT */
/*
 * signals - as an fd for the loop; and the fatal ones, which must leave the terminal whole.
 */
#ifndef RUN_SIGNALS_H
#define RUN_SIGNALS_H

#include <stdbool.h>

/*
 * Block what the loop handles, for this thread and all that it starts, and
 * return a signalfd for it; -1 and errno.  SIGPIPE and SIGXFSZ are ignored: a closed
 * pipe is an EPIPE, a file at its limit (ulimit -f) an EFBIG.  With a screen the stop,
 * continue and window signals are taken too.
 */
int signals_open(bool has_screen);

/* The next signal that came, or 0. */
int signals_next(int fd);

/* On SIGSEGV, SIGABRT and their kind: call `restore` (async-signal-safe), then die of the signal. */
void signals_on_fatal(void (*restore)(void));

/* Stop this process as ^Z does; returns when it is continued. */
void signals_stop_self(void);

#endif
