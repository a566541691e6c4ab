/* SPDX-License-Identifier: MIT */
/* Random requests to the opener: no answer has an fd that is not an event or a kernel's file. */
#include "opener/serve.h"

#include "fake-opener.h"
#include "opener/wire.h"
#include "tap.h"

#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FUZZ_REQUESTS 30000

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

/* Some are nearly valid, so that what comes after the first check is reached too. */
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
		.file = (uint32_t)(random_next() % ((OPENER_MAPS + 1) + 1)),
		.attr = { .type = (uint32_t)(random_next() % 10),
			  .size = (uint32_t)(sizeof(struct perf_event_attr) -
					     8 * (random_next() % 3)) },
	};
	if (request->kind == OPENER_OPEN && random_next() % 8 != 0)
		request->handle = OPENER_NO_HANDLE;
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
	test_fuzz();
	return done();
}
