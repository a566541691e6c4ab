/* SPDX-License-Identifier: MIT */
#include "opener/remote.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/sys.h"
#include "base/xalloc.h"
#include "opener/protocol.h"
#include "opener/wire.h"

/* An answer takes a millisecond, and 19 more when the opener is closing a tracepoint. */
#define PATIENCE_NS	   (5 * NSEC_PER_SEC)
#define PATIENCE_AT_END_NS (200 * NSEC_PER_MSEC)
/* The socket's timeout: how often a waiting call checks is_ending. */
#define LOOK_MSEC 50

struct remote {
	struct access access;
	int sock;
	atomic_bool is_ending; /* use the short timeout; relaxed, orders nothing */
	pthread_mutex_t lock;  /* protects all below */
	uint32_t *handles;     /* [room], by our fd: the opener's handle */
	size_t room;
	bool is_gone, is_leaving;
};

/* --- requests: with the lock held ------------------------------------------------------------- */

static int give_up(struct remote *remote)
{
	remote->is_gone = true;
	errno = EPIPE;
	return -1;
}

/* Whether to repeat a call that was started at `start_ns` and has timed out. */
static bool is_patient(const struct remote *remote, uint64_t start_ns)
{
	bool is_ending = atomic_load_explicit(&remote->is_ending, memory_order_relaxed);
	uint64_t patience_ns = is_ending ? PATIENCE_AT_END_NS : PATIENCE_NS;

	return errno == EAGAIN && sys_monotonic_ns() - start_ns < patience_ns;
}

static int say(struct remote *remote, const struct opener_request *request, int fd)
{
	uint64_t start_ns = sys_monotonic_ns();
	int result;

	do {
		result = wire_send(remote->sock, request, sizeof(*request), fd);
	} while (result != 0 && is_patient(remote, start_ns));
	return result;
}

static ssize_t hear(struct remote *remote, struct opener_answer *answer, int *fd)
{
	uint64_t start_ns = sys_monotonic_ns();
	ssize_t got;

	do {
		got = wire_receive(remote->sock, answer, sizeof(*answer), fd);
	} while (got < 0 && is_patient(remote, start_ns));
	return got;
}

static int tell(struct remote *remote, const struct opener_request *request, int fd)
{
	if (remote->is_gone || say(remote, request, fd) != 0)
		return give_up(remote);
	return 0;
}

/* 0 and the answer, with its fd (or WIRE_NO_FD); or -1 and errno, the opener's or ours. */
static int ask(struct remote *remote, const struct opener_request *request, int fd,
	       struct opener_answer *answer, int *fd_out)
{
	*fd_out = WIRE_NO_FD;
	if (tell(remote, request, fd) != 0)
		return -1;
	if (hear(remote, answer, fd_out) != (ssize_t)sizeof(*answer)) {
		if (*fd_out != WIRE_NO_FD)
			close(*fd_out);
		/* After a timeout a late answer may arrive: send no more requests. */
		return give_up(remote);
	}
	errno = answer->error;
	return answer->error == 0 ? 0 : -1;
}

/* The same, for a request that returns only an fd. */
static int ask_fd(struct remote *remote, const struct opener_request *request)
{
	struct opener_answer answer;
	int fd;

	pthread_mutex_lock(&remote->lock);
	int result = ask(remote, request, WIRE_NO_FD, &answer, &fd);
	if (result == 0 && fd == WIRE_NO_FD)
		errno = EMFILE;
	pthread_mutex_unlock(&remote->lock);
	return result == 0 ? fd : -1;
}

/* The opener has opened the event, but our fd limit is reached: close it again. */
static int refuse(struct remote *remote, uint32_t handle)
{
	struct opener_request request = { .kind = OPENER_CLOSE, .handle = handle };

	if (tell(remote, &request, WIRE_NO_FD) == 0)
		errno = EMFILE;
	return -1;
}

static void remember(struct remote *remote, int fd, uint32_t handle)
{
	size_t need = (size_t)fd + 1;

	if (need > remote->room) {
		size_t room = need * 2;

		remote->handles = xreallocarray(remote->handles, room, sizeof(uint32_t));
		for (size_t i = remote->room; i < room; i++)
			remote->handles[i] = OPENER_NO_HANDLE;
		remote->room = room;
	}
	remote->handles[fd] = handle;
}

static uint32_t handle_of(const struct remote *remote, int fd)
{
	return fd >= 0 && (size_t)fd < remote->room ? remote->handles[fd] : OPENER_NO_HANDLE;
}

/* The event's fd, or -1 and errno. */
static int ask_event(struct remote *remote, struct opener_request *request, int leader, int cgroup)
{
	struct opener_answer answer;
	int fd;

	request->handle = handle_of(remote, leader);
	if (leader >= 0 && request->handle == OPENER_NO_HANDLE) {
		errno = EBADF;
		return -1;
	}
	if (ask(remote, request, cgroup, &answer, &fd) != 0)
		return -1;
	if (fd == WIRE_NO_FD)
		return refuse(remote, answer.handle);
	remember(remote, fd, answer.handle);
	return fd;
}

/* --- struct access ---------------------------------------------------------------------------- */

static int open_event(void *ctx, const struct perf_event_attr *attr, const char *text, pid_t pid,
		      int cpu, int leader, unsigned long flags)
{
	struct remote *remote = ctx;
	bool is_cgroup = (flags & PERF_FLAG_PID_CGROUP) != 0;
	struct opener_request request = {
		.kind = OPENER_OPEN,
		.flags = flags & PERF_FLAG_PID_CGROUP,
		.pid = is_cgroup ? -1 : pid,
		.cpu = cpu,
		.has_text = text != NULL ? OPENER_HAS_TEXT : OPENER_NO_TEXT,
		.attr = *attr,
	};

	/* A truncated path would be another file: it has to fit. */
	if (text != NULL && strlen(text) >= sizeof(request.text)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	if (text != NULL) {
		memcpy(request.text, text, strlen(text) + 1);
		request.attr.config1 = 0;
	}

	pthread_mutex_lock(&remote->lock);
	int fd = ask_event(remote, &request, leader, is_cgroup ? pid : WIRE_NO_FD);
	pthread_mutex_unlock(&remote->lock);
	return fd;
}

static void close_event(void *ctx, int fd)
{
	struct remote *remote = ctx;
	struct opener_request request = { .kind = OPENER_CLOSE };

	pthread_mutex_lock(&remote->lock);
	request.handle = handle_of(remote, fd);
	if (request.handle != OPENER_NO_HANDLE) {
		remote->handles[fd] = OPENER_NO_HANDLE;
		if (!remote->is_leaving)
			tell(remote, &request, WIRE_NO_FD);
	}
	pthread_mutex_unlock(&remote->lock);
	close(fd);
}

/* The opener's mapping is charged for the memory; ours of the same size is not charged again. */
static struct ring *map_ring(void *ctx, int fd, size_t data_pages)
{
	struct remote *remote = ctx;
	struct opener_request request = { .kind = OPENER_MAP, .pages = data_pages };
	struct opener_answer answer;
	struct ring *ring = NULL;
	int none;

	pthread_mutex_lock(&remote->lock);
	request.handle = handle_of(remote, fd);
	if (ask(remote, &request, WIRE_NO_FD, &answer, &none) == 0) {
		ring = ring_open(fd, data_pages);

		int error = errno;
		request.kind = OPENER_UNMAP;
		tell(remote, &request, WIRE_NO_FD);
		errno = error;
	}
	pthread_mutex_unlock(&remote->lock);
	return ring;
}

static bool put_name(char out[OPENER_NAME], const char *name)
{
	size_t len = name != NULL ? strlen(name) : 0;

	if (len > 0 && len < OPENER_NAME)
		memcpy(out, name, len + 1);
	return len < OPENER_NAME;
}

static int open_tracefs(void *ctx, enum tracefs_file file, const char *system, const char *name)
{
	struct opener_request request = { .kind = OPENER_FILE, .file = (uint32_t)file };

	if (put_name(request.system, system) && put_name(request.name, name))
		return ask_fd(ctx, &request);
	errno = ENAMETOOLONG;
	return -1;
}

static int open_kallsyms(void *ctx)
{
	struct opener_request request = { .kind = OPENER_FILE, .file = OPENER_KALLSYMS };

	return ask_fd(ctx, &request);
}

/* Those of the user's own processes need no rights. */
static int open_maps(void *ctx, pid_t pid)
{
	const struct access *direct = access_direct();
	struct opener_request request = { .kind = OPENER_FILE, .file = OPENER_MAPS, .pid = pid };
	int fd = direct->open_maps(direct->ctx, pid);

	return fd < 0 && errno == EACCES ? ask_fd(ctx, &request) : fd;
}

/* --- life ------------------------------------------------------------------------------------- */

struct remote *remote_new(int sock, const char *root_lacks)
{
	struct remote *remote = xcalloc(1, sizeof(*remote));
	struct timeval look = { .tv_usec = LOOK_MSEC * 1000 };

	setsockopt(sock, SOL_SOCKET, SO_RCVTIMEO, &look, sizeof(look));
	setsockopt(sock, SOL_SOCKET, SO_SNDTIMEO, &look, sizeof(look));
	remote->sock = sock;
	pthread_mutex_init(&remote->lock, NULL);
	remote->access = (struct access){
		.ctx = remote,
		.has_root = true,
		.root_lacks = root_lacks,
		.adds_no_probes = true,
		.open_event = open_event,
		.close_event = close_event,
		.map_ring = map_ring,
		.open_tracefs = open_tracefs,
		.open_kallsyms = open_kallsyms,
		.open_maps = open_maps,
	};
	return remote;
}

void remote_free(struct remote *remote)
{
	if (remote == NULL)
		return;

	close(remote->sock);
	pthread_mutex_destroy(&remote->lock);
	free(remote->handles);
	free(remote);
}

const struct access *remote_access(const struct remote *remote)
{
	return &remote->access;
}

int remote_fd(const struct remote *remote)
{
	return remote->sock;
}

bool remote_is_gone(struct remote *remote)
{
	pthread_mutex_lock(&remote->lock);
	bool is_gone = remote->is_gone;
	pthread_mutex_unlock(&remote->lock);
	return is_gone;
}

/* A request whose answer is only an errno. */
static int ask_plain(struct remote *remote, const struct opener_request *request)
{
	struct opener_answer answer;
	int none;

	pthread_mutex_lock(&remote->lock);
	int result = ask(remote, request, WIRE_NO_FD, &answer, &none);
	pthread_mutex_unlock(&remote->lock);
	return result;
}

int remote_seal(struct remote *remote)
{
	const struct opener_request request = { .kind = OPENER_SEAL };

	return ask_plain(remote, &request);
}

int remote_end_command(struct remote *remote, int number)
{
	const struct opener_request request = { .kind = OPENER_END, .flags = (uint64_t)number };

	atomic_store_explicit(&remote->is_ending, true, memory_order_relaxed);
	return ask_plain(remote, &request);
}

void remote_leave(struct remote *remote)
{
	pthread_mutex_lock(&remote->lock);
	remote->is_leaving = true;
	pthread_mutex_unlock(&remote->lock);
}
