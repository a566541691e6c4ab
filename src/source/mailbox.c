/* SPDX-License-Identifier: MIT */
#include "source/mailbox.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/sys.h"

int mailbox_init(struct mailbox *box)
{
	atomic_init(&box->snapshot, NULL);
	box->mark = 0;
	box->filled = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	box->taken = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	return box->filled < 0 || box->taken < 0 ? -1 : 0;
}

void mailbox_fini(struct mailbox *box)
{
	snapshot_release(atomic_load_explicit(&box->snapshot, memory_order_acquire));
	if (box->filled >= 0)
		close(box->filled);
	if (box->taken >= 0)
		close(box->taken);
}

bool mailbox_is_free(struct mailbox *box)
{
	return atomic_load_explicit(&box->snapshot, memory_order_acquire) == NULL; /* M2 */
}

void mailbox_wait_free(struct mailbox *box)
{
	uint64_t count;

	while (!mailbox_is_free(box)) {
		struct pollfd taken = { .fd = box->taken, .events = POLLIN };

		/* The eventfd can be set by an earlier take: clear it and check again. */
		sys_poll(&taken, 1, -1);
		if (read(box->taken, &count, sizeof(count)) < 0)
			continue;
	}
}

/* The write fails when the eventfd is at its maximum: then it is readable anyway. */
static void ring(int fd)
{
	uint64_t one = 1;

	if (write(fd, &one, sizeof(one)) < 0)
		return;
}

void mailbox_put(struct mailbox *box, const struct snapshot *snap)
{
	atomic_store_explicit(&box->snapshot, snap, memory_order_release); /* M1 */
	ring(box->filled);
}

const struct snapshot *mailbox_take(struct mailbox *box, uint32_t *mark)
{
	uint64_t count;

	if (read(box->filled, &count, sizeof(count)) < 0 && errno != EAGAIN)
		return NULL;

	const struct snapshot *snap =
		atomic_load_explicit(&box->snapshot, memory_order_acquire); /* M1 */
	if (snap == NULL)
		return NULL;
	if (mark != NULL)
		*mark = box->mark;
	atomic_store_explicit(&box->snapshot, NULL, memory_order_release); /* M2 */
	ring(box->taken);
	return snap;
}
