/* SPDX-License-Identifier: MIT */
/*
 * remote - struct access by way of the opener.
 *
 * Any thread but the readers: one request at a time, behind a mutex.  When the
 * opener is gone, or has not answered for seconds, what it was asked for fails
 * with EPIPE, and so does everything after; what is open goes on.
 */
#ifndef OPENER_REMOTE_H
#define OPENER_REMOTE_H

#include <stdbool.h>

#include "capture/access.h"

struct remote;

/* Takes the socket of opener_start(). */
struct remote *remote_new(int sock);

/* Hang up: the opener closes what is open, and ends.  NULL is allowed. */
void remote_free(struct remote *remote);

/* Valid as long as the remote. */
const struct access *remote_access(const struct remote *remote);

/* To poll: a hang-up, and nothing else, tells that the opener is gone. */
int remote_fd(const struct remote *remote);
bool remote_is_gone(struct remote *remote);

/* SIGTERM or SIGKILL to the command: 0, or -1 and errno.  An opener that stands is not waited for long. */
int remote_end_command(struct remote *remote, int number);

/* All is open: see OPENER_SEAL.  0, or -1 and errno. */
int remote_seal(struct remote *remote);

/* From here on close_event() closes our fd alone; the opener will close its own when we hang up. */
void remote_leave(struct remote *remote);

#endif
