/* SPDX-License-Identifier: MIT */
/*
 * serve - the opener's loop: a request, an answer; closing fds when idle.
 *
 * It keeps every event fd of which main gets a duplicate, its number being the
 * handle, and so holds the last reference: main's close() and exit are quick.
 * Closing the last reference of a tracepoint takes the kernel some 19 ms, so
 * handles given up are closed here when no request is waiting.
 */
#ifndef OPENER_SERVE_H
#define OPENER_SERVE_H

#include "opener/acts.h"

/*
 * Serve `sock` (borrowed) until the other end is gone.  Then all events that are
 * still open are disabled, which is quick, and closed, which is slow.
 */
void serve_run(int sock, const struct acts *acts, const struct request_rules *rules);

#endif
