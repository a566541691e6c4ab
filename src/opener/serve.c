/* SPDX-License-Identifier: MIT */
#include "opener/serve.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "opener/needs.h"
#include "opener/wire.h"

enum slot_state { SLOT_NONE, SLOT_OPEN, SLOT_GIVEN_UP };

struct slot {
	enum slot_state state;
	uint64_t ring_pages; /* 0: it has no ring */
};

struct server {
	int sock;
	const struct acts *acts;
	const struct request_rules *rules;
	bool is_sealed;
	struct opener_request *known; /* [nknown]: probes asked for before the seal */
	size_t nknown;
	uint64_t needs;	    /* capabilities for the events requested before the seal */
	uint64_t pages;	    /* of rings, in use */
	struct slot *slots; /* [room], by fd */
	size_t room;
	size_t given_up; /* number of slots in SLOT_GIVEN_UP */
	size_t next;	 /* where to look for the next one */
	void *map;	 /* the ring that main is about to map, or NULL */
	size_t map_bytes;
};

/* --- events by handle ----------------------------------------------------------------------- */

static void keep(struct server *server, int fd)
{
	size_t need = (size_t)fd + 1;

	if (need > server->room) {
		size_t room = need * 2;

		server->slots = xreallocarray(server->slots, room, sizeof(*server->slots));
		for (size_t i = server->room; i < room; i++)
			server->slots[i] = (struct slot){ .state = SLOT_NONE };
		server->room = room;
	}
	server->slots[fd] = (struct slot){ .state = SLOT_OPEN };
}

static bool has(const struct server *server, uint32_t handle)
{
	return handle < server->room && server->slots[handle].state == SLOT_OPEN;
}

static void give_up(struct server *server, uint32_t handle)
{
	if (!has(server, handle))
		return;
	server->slots[handle].state = SLOT_GIVEN_UP;
	server->given_up++;
}

static void close_one(struct server *server)
{
	while (server->slots[server->next % server->room].state != SLOT_GIVEN_UP)
		server->next++;

	size_t fd = server->next % server->room;
	server->slots[fd].state = SLOT_NONE;
	server->given_up--;
	server->pages -= server->slots[fd].ring_pages;
	close((int)fd);
}

/* Disable all first: an event that is still enabled while waiting for its close costs CPU time. */
static void close_all(struct server *server)
{
	for (size_t fd = 0; fd < server->room; fd++) {
		if (server->slots[fd].state == SLOT_OPEN)
			ioctl((int)fd, PERF_EVENT_IOC_DISABLE, 0);
	}
	/* In reverse order: a ring's owner is closed after the events that write into it. */
	for (size_t fd = server->room; fd-- > 0;) {
		if (server->slots[fd].state != SLOT_NONE)
			close((int)fd);
	}
	free(server->slots);
	free(server->known);
}

/* --- the ring being mapped ------------------------------------------------------------------ */

static void unmap(struct server *server)
{
	if (server->map != NULL)
		munmap(server->map, server->map_bytes);
	server->map = NULL;
}

static int map(struct server *server, uint32_t handle, uint64_t pages)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	size_t bytes = (size_t)(pages + 1) * page_bytes;

	if (!has(server, handle))
		return EBADF;

	struct slot *slot = &server->slots[handle];
	/* A ring of another size replaces one that main has unmapped. */
	server->pages -= slot->ring_pages;
	slot->ring_pages = 0;
	if (pages > server->acts->ring_pages_max - server->pages)
		return ENOMEM;

	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, (int)handle, 0);
	if (at == MAP_FAILED)
		return errno;
	server->map = at;
	server->map_bytes = bytes;
	server->pages += pages;
	slot->ring_pages = pages;
	return 0;
}

/* --- requests ------------------------------------------------------------------------------- */

static int send_answer(struct server *server, int error, uint32_t handle, int fd)
{
	struct opener_answer answer = { .error = error, .handle = handle };

	return wire_send(server->sock, &answer, sizeof(answer), fd);
}

/* Without an fd it fails only when main is gone, which the next receive detects. */
static void answer(struct server *server, int error)
{
	(void)send_answer(server, error, 0, WIRE_NO_FD);
}

/*
 * Answer with an fd: false when the kernel does not pass it on (ETOOMANYREFS: too many are on
 * their way), which is answered in its place.
 */
static bool answer_fd(struct server *server, uint32_t handle, int fd)
{
	if (send_answer(server, 0, handle, fd) == 0)
		return true;
	answer(server, errno);
	return false;
}

/* `result`: 0, or -1 and errno. */
static void answer_done(struct server *server, int result)
{
	answer(server, result == 0 ? 0 : errno);
}

static bool is_known(const struct server *server, const struct opener_request *request)
{
	for (size_t i = 0; i < server->nknown; i++) {
		if (request_is_same_event(&server->known[i], request))
			return true;
	}
	return false;
}

/* Also for events that cannot be opened now: main may try again. */
static void know(struct server *server, const struct opener_request *request)
{
	server->needs |= needs_of_event(request, &server->rules->probes);
	if (!request_is_probe(request, &server->rules->probes) || is_known(server, request))
		return;
	server->known = xreallocarray(server->known, server->nknown + 1, sizeof(*server->known));
	server->known[server->nknown++] = *request;
}

static void do_open(struct server *server, const struct opener_request *request, int cgroup)
{
	if (!server->is_sealed) {
		know(server, request);
	} else if (request_is_probe(request, &server->rules->probes) &&
		   !is_known(server, request)) {
		answer(server, EPERM);
		return;
	}

	bool has_leader = request->handle != OPENER_NO_HANDLE;

	if (has_leader && !has(server, request->handle)) {
		answer(server, EBADF);
		return;
	}

	int fd = server->acts->open_event(server->acts->ctx, request,
					  has_leader ? (int)request->handle : -1, cgroup);

	if (fd < 0) {
		answer(server, errno);
		return;
	}
	keep(server, fd);
	if (!answer_fd(server, (uint32_t)fd, fd))
		give_up(server, (uint32_t)fd);
}

static void do_file(struct server *server, const struct opener_request *request)
{
	int fd = server->acts->open_file(server->acts->ctx, request);

	if (fd < 0) {
		answer(server, errno);
		return;
	}
	(void)answer_fd(server, 0, fd);
	close(fd);
}

static void obey(struct server *server, const struct opener_request *request, int fd)
{
	unmap(server);
	switch (request->kind) {
	case OPENER_OPEN:
		do_open(server, request, fd);
		break;
	case OPENER_CLOSE:
		give_up(server, request->handle);
		break;
	case OPENER_MAP:
		answer(server, map(server, request->handle, request->pages));
		break;
	case OPENER_FILE:
		do_file(server, request);
		break;
	case OPENER_END:
		answer_done(server,
			    server->acts->end_command(server->acts->ctx, (int)request->flags));
		break;
	case OPENER_SEAL:
		server->is_sealed = true;
		answer_done(server, server->acts->seal(server->acts->ctx, server->needs));
		break;
	default: /* OPENER_UNMAP: done above */
		break;
	}
}

/* Whether main waits for an answer to a refused request; one of a wrong size counts as yes. */
static bool wants_answer(const struct opener_request *request, ssize_t len)
{
	return len != (ssize_t)sizeof(*request) ||
	       (request->kind != OPENER_CLOSE && request->kind != OPENER_UNMAP);
}

/* False when the other end is gone. */
static bool take_request(struct server *server)
{
	struct opener_request request;
	int fd;
	ssize_t len = wire_receive(server->sock, &request, sizeof(request), &fd);

	if (len == 0 || (len < 0 && errno != EMSGSIZE))
		return false;

	int error = len < 0 ? EMSGSIZE :
			      request_check(&request, (size_t)len, fd != WIRE_NO_FD, server->rules);
	if (error == 0)
		obey(server, &request, fd);
	else if (wants_answer(&request, len))
		answer(server, error);
	if (fd != WIRE_NO_FD)
		close(fd);
	return true;
}

void serve_run(int sock, const struct acts *acts, const struct request_rules *rules)
{
	struct server server = {
		.sock = sock,
		.acts = acts,
		.rules = rules,
	};
	struct pollfd ready = { .fd = sock, .events = POLLIN };

	for (;;) {
		int count = poll(&ready, 1, server.given_up > 0 ? 0 : -1);

		/* poll(2) out of memory: block in the receive, and close given up handles later. */
		bool is_blind = count < 0 && errno != EINTR;

		if ((count > 0 || is_blind) && !take_request(&server))
			break;
		if (count == 0 && server.given_up > 0)
			close_one(&server);
	}
	unmap(&server);
	close_all(&server);
}
