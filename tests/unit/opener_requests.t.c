/* SPDX-License-Identifier: MIT */
/* The opener's answers to requests: what it hands out, keeps, refuses, and when it ends. */
#include "opener/serve.h"

#include "fake-opener.h"
#include "opener/remote.h"
#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* sigtrap, of the flags, has no name in headers before Linux 5.13. */
#define FLAGS_AT (offsetof(struct perf_event_attr, read_format) + 8)

/* --- through the remote ---------------------------------------------------------------------- */

static void test_requests(const struct access *access)
{
	struct perf_event_attr attr = attr_of(PERF_TYPE_SOFTWARE);

	int fd = access->open_event(access->ctx, &attr, NULL, -1, 0, -1, 0);
	ok(fd >= 0, "an event opens");
	struct ring *ring = access->map_ring(access->ctx, fd, 4);
	ok(ring != NULL, "its ring maps");
	ring_close(ring);
	ok(access->map_ring(access->ctx, fd, 3) == NULL && errno == EINVAL, "not one of 3 pages");
	access->close_event(access->ctx, fd);
	ok(fcntl(fd, F_GETFD) < 0, "closing it closes our fd at once");

	fd = access->open_tracefs(access->ctx, TRACEFS_FORMAT, "sched", "sched_switch");
	ok(fd >= 0, "a format file opens");
	close(fd);
	ok(access->open_tracefs(access->ctx, TRACEFS_FORMAT, "..", "x") < 0 && errno == ENOENT,
	   "not one above the folder");
	ok(access->open_tracefs(access->ctx, TRACEFS_FORMAT, "a/b", "x") < 0 && errno == ENOENT,
	   "nor further down");
	fd = access->open_kallsyms(access->ctx);
	ok(fd >= 0, "kallsyms opens");
	close(fd);
}

static void test_refusals(const struct access *access, const struct fake *fake)
{
	struct perf_event_attr attr = attr_of(PERF_TYPE_SOFTWARE);

	ok(access->open_event(access->ctx, &attr, NULL, 0, 0, -1, 0) < 0 && errno == EINVAL,
	   "not the opener itself");
	ok(access->open_event(access->ctx, &attr, "/bin/sh", -1, 0, -1, 0) < 0 && errno == EINVAL,
	   "no text for an event that takes none");
	attr.size = sizeof(attr) + 8;
	ok(access->open_event(access->ctx, &attr, NULL, -1, 0, -1, 0) < 0 && errno == E2BIG,
	   "no attr longer than it is");
	attr = attr_of(PROBE_TYPE);
	attr.config1 = 0x1234;
	ok(access->open_event(access->ctx, &attr, NULL, -1, 0, -1, 0) < 0 && errno == EINVAL,
	   "no pointer for a probe");

	int fd = access->open_event(access->ctx, &attr, "/bin/sh", -1, 0, -1, 0);
	ok(fd >= 0, "but a text for it");
	is_str(fake->last.text, "/bin/sh", "which arrives");
	is_u64(fake->last.attr.config1, 0, "without main's pointer");
	access->close_event(access->ctx, fd);
}

static void test_groups(const struct access *access, const struct fake *fake)
{
	struct perf_event_attr attr = attr_of(PERF_TYPE_SOFTWARE);
	int leader = access->open_event(access->ctx, &attr, NULL, -1, 0, -1, 0);

	is_int(fake->leader, -1, "an event without a group");
	int fd = access->open_event(access->ctx, &attr, NULL, -1, 0, leader, 0);
	ok(fd >= 0 && fake->leader > 2, "a member of a group opens, by the opener's own fd");
	access->close_event(access->ctx, fd);
	access->close_event(access->ctx, leader);
	ok(access->open_event(access->ctx, &attr, NULL, -1, 0, leader, 0) < 0 && errno == EBADF,
	   "but of none that is closed");
}

/* --- what an event may hold ------------------------------------------------------------------- */

/* Each exposes more than the program shows, or does more than watching. */
static void test_fields(const struct access *access)
{
	static const struct {
		const char *name;
		struct perf_event_attr attr;
	} refused[] = {
		{ "user stacks", { .sample_type = PERF_SAMPLE_STACK_USER } },
		{ "their size alone", { .sample_stack_user = 4096 } },
		{ "user registers", { .sample_type = PERF_SAMPLE_REGS_USER } },
		{ "registers at an interrupt", { .sample_type = PERF_SAMPLE_REGS_INTR } },
		{ "physical addresses", { .sample_type = PERF_SAMPLE_PHYS_ADDR } },
		{ "data addresses", { .sample_type = PERF_SAMPLE_ADDR } },
		{ "the user's part of call chains", { .sample_type = PERF_SAMPLE_CALLCHAIN } },
		{ "their limit to the kernel without chains", { .exclude_callchain_user = 1 } },
		{ "deferred call chains", { .sample_type = 1ull << 25 } },
		{ "branches", { .branch_sample_type = PERF_SAMPLE_BRANCH_ANY } },
		{ "formats to read that are not known", { .read_format = 1ull << 5 } },
		{ "mappings of data", { .mmap_data = 1 } },
		{ "backward rings", { .write_backward = 1 } },
	};
	struct perf_event_attr attr = attr_of(PERF_TYPE_SOFTWARE);

	attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			   PERF_SAMPLE_CPU | PERF_SAMPLE_IP | PERF_SAMPLE_RAW | PERF_SAMPLE_PERIOD |
			   PERF_SAMPLE_CALLCHAIN;
	attr.freq = attr.comm = attr.task = attr.context_switch = attr.inherit = 1;
	attr.mmap = attr.mmap2 = 1;
	attr.exclude_callchain_user = 1;
	attr.sample_max_stack = 12;
	is_int(try_attr(access, &attr), 0, "an event with what capture/attr.c fills in opens");
	attr.inherit = 0;
	attr.sample_type |= PERF_SAMPLE_READ;
	attr.read_format = PERF_FORMAT_ID | PERF_FORMAT_GROUP;
	is_int(try_attr(access, &attr), 0, "and the first of a {}:S");
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		attr = refused[i].attr;
		attr.type = PERF_TYPE_SOFTWARE;
		attr.size = sizeof(attr);
		is_int(try_attr(access, &attr), EPERM, "refused: %s", refused[i].name);
	}
	attr = attr_of(PERF_TYPE_SOFTWARE);
	((unsigned char *)&attr)[FLAGS_AT + 4] = 1 << 5;
	is_int(try_attr(access, &attr), EPERM, "refused: sigtrap, bit 37 of the flags");
}

static void test_chains(void)
{
	const struct request_rules with = { .may_walk_user = true };
	struct opener_request request = {
		.kind = OPENER_OPEN,
		.attr = attr_of(PERF_TYPE_SOFTWARE),
		.pid = -1,
		.handle = OPENER_NO_HANDLE,
	};

	request.attr.sample_type = PERF_SAMPLE_CALLCHAIN;
	is_int(request_check(&request, sizeof(request), false, &with), 0,
	       "with -g call chains may have the user's part");
	request.attr.exclude_callchain_kernel = 1;
	is_int(request_check(&request, sizeof(request), false, &with), 0, "or that alone");
	request.attr.sample_type |= PERF_SAMPLE_STACK_USER;
	is_int(request_check(&request, sizeof(request), false, &with), EPERM,
	       "but never the user's stack");
}

/* A closed fd cannot be passed to another process. */
static void test_unsent(const struct access *access, struct fake *fake)
{
	struct perf_event_attr attr = attr_of(PERF_TYPE_SOFTWARE);

	fake->next_fd = 900;
	ok(access->open_event(access->ctx, &attr, NULL, -1, 0, -1, 0) < 0 && errno == EBADF,
	   "an fd that cannot be passed on is answered with the error");
}

static void test_remote(void)
{
	size_t before = count_fds();
	struct fake fake;
	int sock;
	pthread_t thread = start(&fake, &sock);
	struct remote *remote = remote_new(sock, NULL);

	test_requests(remote_access(remote));
	test_refusals(remote_access(remote), &fake);
	test_groups(remote_access(remote), &fake);
	test_unsent(remote_access(remote), &fake);
	test_fields(remote_access(remote));
	ok(remote_end_command(remote, SIGTERM) < 0 && errno == ESRCH, "there is no command to end");
	ok(remote_end_command(remote, SIGSTOP) < 0 && errno == EINVAL, "nor one to stop");
	is_int(fake.ended_by, SIGTERM, "which is not tried");
	ok(!remote_is_gone(remote), "after all this it still serves");
	remote_free(remote);
	stop(&fake, thread);
	is_u64(count_fds(), before, "and leaves no fd behind");
}

/* --- bounds -------------------------------------------------------------------------------------- */

/* A ring counts as long as its event is open: the opener cannot know that main unmapped it. */
static void test_rings(void)
{
	struct perf_event_attr attr = attr_of(PERF_TYPE_SOFTWARE);
	struct fake fake;
	int sock, fds[RING_PAGES_MAX / 32 + 1];
	size_t count = 0;
	pthread_t thread = start(&fake, &sock);
	struct remote *remote = remote_new(sock, NULL);
	const struct access *access = remote_access(remote);

	for (; count <= RING_PAGES_MAX / 32; count++) {
		fds[count] = access->open_event(access->ctx, &attr, NULL, -1, 0, -1, 0);
		struct ring *ring = access->map_ring(access->ctx, fds[count], 32);

		if (ring == NULL)
			break;
		ring_close(ring);
	}
	is_int(errno, ENOMEM, "rings are limited");
	is_u64(count, RING_PAGES_MAX / 32, "that many of them fit");
	access->close_event(access->ctx, fds[0]);
	/* The opener closes it when it is idle: the next request may come before. */
	struct ring *ring = NULL;
	for (int i = 0; ring == NULL && i < 1000; i++) {
		usleep(1000);
		ring = access->map_ring(access->ctx, fds[count], 32);
	}
	ok(ring != NULL, "one more when one is closed");
	ring_close(ring);
	remote_free(remote);
	stop(&fake, thread);
}

static void test_gone(void)
{
	struct perf_event_attr attr = attr_of(PERF_TYPE_SOFTWARE);
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		bail("no socketpair");
	struct remote *remote = remote_new(pair[0], NULL);
	const struct access *access = remote_access(remote);
	close(pair[1]);
	ok(access->open_event(access->ctx, &attr, NULL, -1, 0, -1, 0) < 0 && errno == EPIPE,
	   "an opener that is gone is EPIPE");
	ok(remote_is_gone(remote), "and known");
	remote_free(remote);
}

#define THREADS 4
#define TURNS	500

/* Decoder, closer and symbols thread, all at once: each gets the answer to its own request. */
static void *ask_on(void *arg)
{
	const struct access *access = arg;
	size_t sound = 0;

	for (int i = 0; i < TURNS; i++) {
		struct perf_event_attr attr = attr_of(PERF_TYPE_SOFTWARE);
		struct stat event, file;
		int fd = access->open_event(access->ctx, &attr, NULL, -1, 0, -1, 0);
		int other = access->open_kallsyms(access->ctx);

		if (fd < 0) {
			sound++;
		} else if (fstat(fd, &event) == 0 && fstat(other, &file) == 0) {
			sound += event.st_ino != file.st_ino;
		}
		if (fd >= 0)
			access->close_event(access->ctx, fd);
		close(other);
	}
	return (void *)sound;
}

static void test_threads(void)
{
	struct fake fake;
	int sock;
	pthread_t server = start(&fake, &sock), threads[THREADS];
	struct remote *remote = remote_new(sock, NULL);
	size_t sound = 0;

	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, ask_on, (void *)remote_access(remote));
	for (int i = 0; i < THREADS; i++) {
		void *result;

		pthread_join(threads[i], &result);
		sound += (size_t)result;
	}
	is_u64(sound, (uint64_t)THREADS * TURNS, "%d threads ask at once", THREADS);
	remote_free(remote);
	stop(&fake, server);
}

int main(void)
{
	plan_lazy();
	test_chains();
	test_remote();
	test_rings();
	test_gone();
	test_threads();
	return done();
}
