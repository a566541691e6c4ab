/* SPDX-License-Identifier: MIT */
#include "opener/wire.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* CMSG_SPACE() rounds up to 8 bytes, so there is room for a second fd, which may arrive. */
union control {
	char bytes[CMSG_SPACE(sizeof(int))];
	struct cmsghdr align;
};

int wire_send(int sock, const void *data, size_t len, int fd)
{
	struct iovec part = { .iov_base = (void *)data, .iov_len = len };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
	union control control = { { 0 } };
	ssize_t sent;

	if (fd != WIRE_NO_FD) {
		message.msg_control = control.bytes;
		message.msg_controllen = sizeof(control.bytes);
		struct cmsghdr *header = CMSG_FIRSTHDR(&message);
		header->cmsg_level = SOL_SOCKET;
		header->cmsg_type = SCM_RIGHTS;
		header->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(header), &fd, sizeof(fd));
	}
	do {
		sent = sendmsg(sock, &message, MSG_NOSIGNAL);
	} while (sent < 0 && errno == EINTR);
	return sent < 0 ? -1 : 0;
}

/* Keep the first fd received, close any others: true if there were others. */
static bool take_fds(struct msghdr *message, int *fd)
{
	bool is_too_many = false;

	for (struct cmsghdr *header = CMSG_FIRSTHDR(message); header != NULL;
	     header = CMSG_NXTHDR(message, header)) {
		if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
			continue;
		size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		for (size_t i = 0; i < count; i++) {
			int came;

			memcpy(&came, CMSG_DATA(header) + i * sizeof(int), sizeof(came));
			if (*fd == WIRE_NO_FD) {
				*fd = came;
			} else {
				close(came);
				is_too_many = true;
			}
		}
	}
	return is_too_many;
}

ssize_t wire_receive(int sock, void *data, size_t room, int *fd)
{
	struct iovec part = { .iov_base = data, .iov_len = room };
	union control control = { { 0 } };
	struct msghdr message = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes),
	};
	ssize_t got;

	*fd = WIRE_NO_FD;
	do {
		got = recvmsg(sock, &message, MSG_CMSG_CLOEXEC);
	} while (got < 0 && errno == EINTR);
	if (got < 0)
		return -1;
	/* MSG_CTRUNC alone: the fd was dropped at our fd limit; the packet is whole. */
	if (take_fds(&message, fd) || (message.msg_flags & MSG_TRUNC) != 0) {
		if (*fd != WIRE_NO_FD)
			close(*fd);
		*fd = WIRE_NO_FD;
		errno = EMSGSIZE;
		return -1;
	}
	return got;
}
