/* SPDX-License-Identifier: MIT */
/* The opener's loop with acts that need no rights: what it hands out, keeps, refuses, and when it ends. */
#include "opener/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "opener/caps.h"
#include "opener/remote.h"
#include "opener/wire.h"
#include "tap.h"

#define FUZZ_REQUESTS  100000
#define EVENTS_MAX     200 /* open at a time: then, as at the limit of files, EMFILE */
#define PROBE_TYPE     8
#define RING_PAGES_MAX 256
/* sigtrap, of the flags, has no name in headers before Linux 5.13. */
#define FLAGS_AT (offsetof(struct perf_event_attr, read_format) + 8)

/* Events and files are memfds, told apart from every other fd by their inodes. */
struct fake {
	int sock;
	size_t opened, files;
	ino_t event, file; /* of the two memfds that all of them are duplicates of */
	int event_fd, file_fd;
	struct opener_request last;
	int ended_by;
	uint64_t caps; /* that the seal leaves */
};

static int fake_open(void *ctx, const struct opener_request *request, int cgroup)
{
	struct fake *fake = ctx;

	(void)cgroup;
	fake->last = *request;
	if (++fake->opened % EVENTS_MAX == 0) {
		errno = EMFILE;
		return -1;
	}
	return fcntl(fake->event_fd, F_DUPFD_CLOEXEC, 3);
}

static int fake_file(void *ctx, const struct opener_request *request)
{
	struct fake *fake = ctx;

	fake->files++;
	fake->last = *request;
	return fcntl(fake->file_fd, F_DUPFD_CLOEXEC, 3);
}

static int fake_end(void *ctx, int number)
{
	struct fake *fake = ctx;

	fake->ended_by = number;
	errno = ESRCH;
	return -1;
}

static int fake_seal(void *ctx, uint64_t caps)
{
	struct fake *fake = ctx;

	fake->caps = caps;
	return 0;
}

static void *serve(void *arg)
{
	static const struct probe_types probes = { { PROBE_TYPE }, 1 };
	struct fake *fake = arg;
	struct acts acts = { fake, RING_PAGES_MAX, fake_open, fake_file, fake_end, fake_seal };

	serve_run(fake->sock, &acts, &probes);
	close(fake->sock);
	return NULL;
}

static int memory(const char *name, ino_t *inode)
{
	int fd = memfd_create(name, MFD_CLOEXEC);
	struct stat info;

	if (fd < 0 || ftruncate(fd, 64l << 12) != 0 || fstat(fd, &info) != 0)
		bail("no memfd");
	*inode = info.st_ino;
	return fd;
}

static pthread_t start(struct fake *fake, int *sock)
{
	int pair[2];
	pthread_t thread;

	*fake = (struct fake){ 0 };
	fake->event_fd = memory("event", &fake->event);
	fake->file_fd = memory("file", &fake->file);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		bail("no socketpair");
	*sock = pair[0];
	fake->sock = pair[1];
	if (pthread_create(&thread, NULL, serve, fake) != 0)
		bail("no thread");
	return thread;
}

static void stop(struct fake *fake, pthread_t thread)
{
	pthread_join(thread, NULL);
	close(fake->event_fd);
	close(fake->file_fd);
}

static size_t count_fds(void)
{
	size_t count = 0;

	for (int fd = 0; fd < 1024; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

/* --- through the remote ---------------------------------------------------------------------- */

static struct perf_event_attr attr_of(uint32_t type)
{
	return (struct perf_event_attr){ .type = type, .size = sizeof(struct perf_event_attr) };
}

static void test_requests(const struct access *access)
{
	struct perf_event_attr attr = attr_of(PERF_TYPE_SOFTWARE);

	int fd = access->open_event(access->ctx, &attr, NULL, -1, 0, 0);
	ok(fd >= 0, "an event opens");
	struct ring *ring = access->map_ring(access->ctx, fd, 4);
	ok(ring != NULL, "its ring maps");
	ring_close(ring);
	ok(access->map_ring(access->ctx, fd, 3) == NULL && errno == EINVAL, "not one of 3 pages");
	access->close_event(access->ctx, fd);
	ok(fcntl(fd, F_GETFD) < 0, "closing it takes our fd at once");

	fd = access->open_format(access->ctx, "sched", "sched_switch");
	ok(fd >= 0, "a format file opens");
	close(fd);
	ok(access->open_format(access->ctx, "..", "x") < 0 && errno == ENOENT,
	   "not one above the folder");
	ok(access->open_format(access->ctx, "a/b", "x") < 0 && errno == ENOENT, "nor further down");
	fd = access->open_kallsyms(access->ctx);
	ok(fd >= 0, "kallsyms opens");
	close(fd);
}

static void test_refusals(const struct access *access, const struct fake *fake)
{
	struct perf_event_attr attr = attr_of(PERF_TYPE_SOFTWARE);

	ok(access->open_event(access->ctx, &attr, NULL, 0, 0, 0) < 0 && errno == EINVAL,
	   "not the opener itself");
	ok(access->open_event(access->ctx, &attr, "/bin/sh", -1, 0, 0) < 0 && errno == EINVAL,
	   "no text for an event that takes none");
	attr.size = sizeof(attr) + 8;
	ok(access->open_event(access->ctx, &attr, NULL, -1, 0, 0) < 0 && errno == E2BIG,
	   "no attr longer than it is");
	attr = attr_of(PROBE_TYPE);
	attr.config1 = 0x1234;
	ok(access->open_event(access->ctx, &attr, NULL, -1, 0, 0) < 0 && errno == EINVAL,
	   "no pointer for a probe");

	int fd = access->open_event(access->ctx, &attr, "/bin/sh", -1, 0, 0);
	ok(fd >= 0, "but a text for it");
	is_str(fake->last.text, "/bin/sh", "which arrives");
	is_u64(fake->last.attr.config1, 0, "without main's pointer");
	access->close_event(access->ctx, fd);
}

/* --- what an event may hold ------------------------------------------------------------------- */

static int try_attr(const struct access *access, const struct perf_event_attr *attr)
{
	int fd = access->open_event(access->ctx, attr, NULL, -1, 0, 0);
	int error = fd < 0 ? errno : 0;

	if (fd >= 0)
		access->close_event(access->ctx, fd);
	return error;
}

/* Each shows more than the program ever shows, or does more than watching. */
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
		{ "callchains", { .sample_type = PERF_SAMPLE_CALLCHAIN } },
		{ "branches", { .branch_sample_type = PERF_SAMPLE_BRANCH_ANY } },
		{ "whole groups", { .read_format = PERF_FORMAT_GROUP } },
		{ "mappings of files", { .mmap = 1 } },
		{ "backward rings", { .write_backward = 1 } },
	};
	struct perf_event_attr attr = attr_of(PERF_TYPE_SOFTWARE);

	attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			   PERF_SAMPLE_CPU | PERF_SAMPLE_IP | PERF_SAMPLE_RAW | PERF_SAMPLE_PERIOD;
	attr.freq = attr.comm = attr.task = attr.context_switch = attr.inherit = 1;
	is_int(try_attr(access, &attr), 0, "what capture/attr.c fills in opens");
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

static void test_remote(void)
{
	size_t before = count_fds();
	struct fake fake;
	int sock;
	pthread_t thread = start(&fake, &sock);
	struct remote *remote = remote_new(sock);

	test_requests(remote_access(remote));
	test_refusals(remote_access(remote), &fake);
	test_fields(remote_access(remote));
	ok(remote_end_command(remote, SIGTERM) < 0 && errno == ESRCH, "there is no command to end");
	ok(remote_end_command(remote, SIGSTOP) < 0 && errno == EINVAL, "nor one to stop");
	is_int(fake.ended_by, SIGTERM, "which is not tried");
	ok(!remote_is_gone(remote), "after all this it still serves");
	remote_free(remote);
	stop(&fake, thread);
	is_u64(count_fds(), before, "and leaves no fd behind");
}

/* --- the seal ----------------------------------------------------------------------------------- */

static int try_probe(const struct access *access, const char *path, uint64_t offset, int cpu)
{
	struct perf_event_attr attr = attr_of(PROBE_TYPE);

	attr.config2 = offset;
	int fd = access->open_event(access->ctx, &attr, path, -1, cpu, 0);
	int error = fd < 0 ? errno : 0;
	if (fd >= 0)
		access->close_event(access->ctx, fd);
	return error;
}

static void test_seal(void)
{
	struct perf_event_attr attr = attr_of(PERF_TYPE_SOFTWARE);
	struct perf_event_attr breakpoint = attr_of(PERF_TYPE_BREAKPOINT);
	struct fake fake;
	int sock;
	pthread_t thread = start(&fake, &sock);
	struct remote *remote = remote_new(sock);
	const struct access *access = remote_access(remote);

	is_int(try_probe(access, "/bin/true", 16, 0), 0, "a probe opens before the seal");
	is_int(remote_seal(remote), 0, "it is sealed");
	is_u64(fake.caps, CAPS_BIT(CAP_SYS_ADMIN) | CAPS_BIT(CAP_DAC_READ_SEARCH),
	       "with what that probe takes");
	is_int(try_probe(access, "/bin/true", 16, 1), 0, "the same opens on another CPU");
	is_int(try_probe(access, "/bin/true", 17, 0), EPERM, "not one at another offset");
	is_int(try_probe(access, "/bin/sh", 16, 0), EPERM, "nor one in another file");
	is_int(try_attr(access, &breakpoint), EPERM, "nor a breakpoint");
	is_int(try_attr(access, &attr), 0, "other events open");
	is_int(remote_seal(remote), 0, "a second seal");
	is_u64(fake.caps, CAPS_BIT(CAP_SYS_ADMIN) | CAPS_BIT(CAP_DAC_READ_SEARCH),
	       "gives nothing back");
	remote_free(remote);
	stop(&fake, thread);
}

/* What the seal leaves after one event of this kind. */
static uint64_t caps_of(struct perf_event_attr attr)
{
	struct fake fake;
	int sock;
	pthread_t thread = start(&fake, &sock);
	struct remote *remote = remote_new(sock);

	try_attr(remote_access(remote), &attr);
	remote_seal(remote);
	remote_free(remote);
	stop(&fake, thread);
	return fake.caps;
}

static uint64_t caps_after(uint32_t type, uint64_t sample_type)
{
	struct perf_event_attr attr = attr_of(type);

	attr.sample_type = sample_type;
	return caps_of(attr);
}

static uint64_t caps_after_breakpoint(uint64_t address)
{
	struct perf_event_attr attr = attr_of(PERF_TYPE_BREAKPOINT);

	attr.bp_addr = address;
	return caps_of(attr);
}

static void test_needs(void)
{
	is_u64(caps_after(PERF_TYPE_SOFTWARE, 0), CAPS_NONE, "a count takes nothing more");
	is_u64(caps_after(PERF_TYPE_SOFTWARE, PERF_SAMPLE_IP), CAPS_BIT(CAP_SYSLOG),
	       "addresses take symbols");
	is_u64(caps_after(PERF_TYPE_TRACEPOINT, 0), CAPS_BIT(CAP_DAC_READ_SEARCH),
	       "a tracepoint takes its format");
	is_u64(caps_after_breakpoint(0xffffffff81000000), CAPS_BIT(CAP_SYS_ADMIN),
	       "a breakpoint in the kernel takes SYS_ADMIN");
	is_u64(caps_after_breakpoint(0x401000), CAPS_NONE, "one in user space nothing more");
}

/* --- bounds -------------------------------------------------------------------------------------- */

/* A ring lives as long as its event: that main has unmapped it the opener cannot know. */
static void test_rings(void)
{
	struct perf_event_attr attr = attr_of(PERF_TYPE_SOFTWARE);
	struct fake fake;
	int sock, fds[RING_PAGES_MAX / 32 + 1];
	size_t count = 0;
	pthread_t thread = start(&fake, &sock);
	struct remote *remote = remote_new(sock);
	const struct access *access = remote_access(remote);

	for (; count <= RING_PAGES_MAX / 32; count++) {
		fds[count] = access->open_event(access->ctx, &attr, NULL, -1, 0, 0);
		struct ring *ring = access->map_ring(access->ctx, fds[count], 32);

		if (ring == NULL)
			break;
		ring_close(ring);
	}
	is_int(errno, ENOMEM, "rings have an end");
	is_u64(count, RING_PAGES_MAX / 32, "that many of them fit");
	access->close_event(access->ctx, fds[0]);
	/* The opener closes it when nothing is asked: the next may come before. */
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
	struct remote *remote = remote_new(pair[0]);
	const struct access *access = remote_access(remote);
	close(pair[1]);
	ok(access->open_event(access->ctx, &attr, NULL, -1, 0, 0) < 0 && errno == EPIPE,
	   "an opener that is gone is EPIPE");
	ok(remote_is_gone(remote), "and known");
	remote_free(remote);
}

#define THREADS 4
#define TURNS	500

/* Decoder, closer and symbols thread, all at once: each gets the answer to its own question. */
static void *ask_on(void *arg)
{
	const struct access *access = arg;
	size_t sound = 0;

	for (int i = 0; i < TURNS; i++) {
		struct perf_event_attr attr = attr_of(PERF_TYPE_SOFTWARE);
		struct stat event, file;
		int fd = access->open_event(access->ctx, &attr, NULL, -1, 0, 0);
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
	struct remote *remote = remote_new(sock);
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

/* --- fuzz --------------------------------------------------------------------------------------- */

static uint64_t random_state;

static uint64_t random_next(void)
{
	/* xorshift64, Marsaglia 2003 */
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static void fill_random(void *at, size_t len)
{
	for (size_t i = 0; i < len; i++)
		((unsigned char *)at)[i] = (unsigned char)random_next();
}

/* Some near to sense, so that all that lies behind the first check is reached too. */
static void make_request(struct opener_request *request)
{
	static const char *const names[] = { "sched",	  "..",		  "a/b", "",
					     "../../etc", "raw_syscalls", "." };

	if (random_next() % 4 == 0) {
		fill_random(request, sizeof(*request));
		return;
	}
	*request = (struct opener_request){
		.kind = (uint32_t)(random_next() % (OPENER_KINDS + 1)),
		.handle = (uint32_t)(random_next() % 300),
		.pages = 1ull << (random_next() % 8),
		.flags = random_next() % 8 == 0 ? random_next() : 0,
		.pid = (int32_t)(random_next() % 4) - 2,
		.cpu = (int32_t)(random_next() % 4) - 1,
		.has_text = random_next() % 4 == 0,
		.file = (uint32_t)(random_next() % (OPENER_FILES + 1)),
		.attr = { .type = (uint32_t)(random_next() % 10),
			  .size = (uint32_t)(sizeof(struct perf_event_attr) -
					     8 * (random_next() % 3)) },
	};
	strcpy(request->system, names[random_next() % 7]);
	strcpy(request->name, names[random_next() % 7]);
	if (request->has_text)
		strcpy(request->text, "/bin/sh");
	if (random_next() % 16 == 0)
		((unsigned char *)request)[random_next() % sizeof(*request)] ^= 0x80;
}

static bool is_of(int fd, ino_t inode)
{
	struct stat info;

	return fstat(fd, &info) == 0 && info.st_ino == inode;
}

/* What came back: false when it is an fd that it should not be. */
static bool is_sound(const struct fake *fake, const struct opener_request *request, ssize_t len,
		     int fd)
{
	if (len != (ssize_t)sizeof(struct opener_answer))
		return false;
	if (fd == WIRE_NO_FD)
		return true;
	if (request->kind == OPENER_OPEN)
		return is_of(fd, fake->event);
	return request->kind == OPENER_FILE && is_of(fd, fake->file);
}

static bool is_answered(const struct opener_request *request, size_t len)
{
	return len != sizeof(*request) ||
	       (request->kind != OPENER_CLOSE && request->kind != OPENER_UNMAP);
}

static void test_fuzz(void)
{
	size_t before = count_fds(), sound = 0, with_fd = 0;
	struct fake fake;
	int sock;
	pthread_t thread = start(&fake, &sock);

	random_state = 0x9e3779b97f4a7c15ull;
	for (size_t i = 0; i < FUZZ_REQUESTS; i++) {
		struct opener_request request;
		struct opener_answer answer;
		int fd = WIRE_NO_FD, sent_fd = random_next() % 32 == 0 ? fake.file_fd : WIRE_NO_FD;

		make_request(&request);
		size_t len = random_next() % 16 == 0 ? 1 + random_next() % sizeof(request) :
						       sizeof(request);
		if (wire_send(sock, &request, len, sent_fd) != 0)
			break;
		if (!is_answered(&request, len)) {
			sound++;
			continue;
		}
		ssize_t got = wire_receive(sock, &answer, sizeof(answer), &fd);
		sound += is_sound(&fake, &request, got, fd);
		with_fd += fd != WIRE_NO_FD;
		if (fd == WIRE_NO_FD)
			continue;
		close(fd);
		if (request.kind == OPENER_OPEN && random_next() % 16 != 0) {
			request = (struct opener_request){ .kind = OPENER_CLOSE,
							   .handle = answer.handle };
			wire_send(sock, &request, sizeof(request), WIRE_NO_FD);
		}
	}
	is_u64(sound, FUZZ_REQUESTS,
	       "random requests get no fd that is not an event or a kernel's file");
	ok(with_fd > FUZZ_REQUESTS / 20, "and many of them get one (%zu)", with_fd);
	close(sock);
	stop(&fake, thread);
	is_u64(count_fds(), before, "and none stays open");
}

int main(void)
{
	plan_lazy();
	test_remote();
	test_seal();
	test_needs();
	test_rings();
	test_gone();
	test_threads();
	test_fuzz();
	return done();
}
