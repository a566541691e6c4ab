/* SPDX-License-Identifier: MIT */
/*
 * signals - a signalfd for the loop; handlers that restore the terminal on fatal signals.
 */
#ifndef RUN_SIGNALS_H
#define RUN_SIGNALS_H

#include <stdbool.h>

/*
 * Block the signals that the loop handles, for this thread and all that it starts,
 * and return a signalfd for them; -1 and errno.  SIGPIPE and SIGXFSZ are ignored: a
 * closed pipe is an EPIPE, a file at its limit (ulimit -f) an EFBIG.  With a screen
 * the stop, continue and window signals are included.
 */
int signals_open(bool has_screen);

/* The next pending signal, or 0. */
int signals_next(int fd);

/* On SIGSEGV, SIGABRT and similar: call `restore` (async-signal-safe), then re-raise the signal. */
void signals_on_fatal(void (*restore)(void));

/* Stop this process as ^Z does; returns when it is continued. */
void signals_stop_self(void);

#endif
