/* SPDX-License-Identifier: MIT */
/*
 * wire - packets with at most one fd, over a SOCK_SEQPACKET socket.  Any thread.
 */
#ifndef OPENER_WIRE_H
#define OPENER_WIRE_H

#include <stddef.h>
#include <sys/types.h>

#define WIRE_NO_FD (-1)

/* Send a packet, and a duplicate of `fd` unless it is WIRE_NO_FD: 0, or -1 and errno. */
int wire_send(int sock, const void *data, size_t len, int fd);

/*
 * Receive one: its length, 0 when the other end is gone, -1 and errno (EMSGSIZE:
 * longer than `room`, or with more than one fd; the packet is dropped).  *fd is
 * owned by the caller, close-on-exec, or WIRE_NO_FD: also when one was sent and
 * our fd limit is reached (EMFILE).
 */
ssize_t wire_receive(int sock, void *data, size_t room, int *fd);

#endif
