/* SPDX-License-Identifier: MIT */
/*
 * remote - struct access through the opener.
 *
 * Any thread but the readers: one request at a time, under a mutex.  When the
 * opener is gone, or has not answered for seconds, the request and all later ones
 * fail with EPIPE; open events are not affected.
 */
#ifndef OPENER_REMOTE_H
#define OPENER_REMOTE_H

#include <stdbool.h>

#include "capture/access.h"

struct remote;

/* A remote that owns the socket of opener_start().  `root_lacks`: see struct access. */
struct remote *remote_new(int sock, const char *root_lacks);

/* Close the socket: the opener closes all events and exits.  NULL is allowed. */
void remote_free(struct remote *remote);

/* Valid as long as the remote. */
const struct access *remote_access(const struct remote *remote);

/* An fd to poll for a hang-up: the opener is gone. */
int remote_fd(const struct remote *remote);
bool remote_is_gone(struct remote *remote);

/* Send SIGTERM or SIGKILL to the command: 0, or -1 and errno.  From then on timeouts are short. */
int remote_end_command(struct remote *remote, int number);

/* Seal the opener once all is open: see OPENER_SEAL.  0, or -1 and errno. */
int remote_seal(struct remote *remote);

/* From here on close_event() closes only our fd; the opener closes its own after remote_free(). */
void remote_leave(struct remote *remote);

#endif
