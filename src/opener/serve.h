/* SPDX-License-Identifier: MIT */
/*
 * serve - the opener's loop: a request, an answer; closing when nothing else is to do.
 *
 * It keeps a duplicate of every event fd that it hands out, known by its own
 * number as the handle, and so holds the last reference: whatever main closes, and
 * main's own end, are quick.  The last reference of a tracepoint takes the kernel
 * some 19 ms; handles given up wait here until no request does.
 */
#ifndef OPENER_SERVE_H
#define OPENER_SERVE_H

#include "opener/acts.h"

/*
 * Serve `sock` (borrowed) until the other end is gone.  Then every event that is
 * still open is disabled, which is quick, and closed, which is not.
 */
void serve_run(int sock, const struct acts *acts, const struct probe_types *probes);

#endif
