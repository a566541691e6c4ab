/* SPDX-License-Identifier: MIT */
#include "output/sink.h"

#include "base/sys.h"
#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LARGE (1 << 20) /* bytes: more than any pipe holds */

static char dir[] = "/tmp/sink.XXXXXX";
static char path[64];

static void write_text(bool append, const char *text, bool want_fresh)
{
	struct sink *sink = sink_open(path, append);

	if (!ok(sink != NULL, "the file opens"))
		return;
	is_int(sink_is_fresh(sink), want_fresh, "and is %s", want_fresh ? "fresh" : "not fresh");
	is_int(sink_write(sink, text, strlen(text)), 0, "takes text");
	is_int(sink_close(sink), 0, "and closes");
}

static void check_file(void)
{
	char text[64];
	struct stat st;

	umask(022);
	write_text(false, "one\n", true);
	write_text(true, "two\n", false);
	sys_read_file(path, text, sizeof(text));
	is_str(text, "one\ntwo\n", "appending keeps what was there");
	write_text(false, "three\n", true);
	sys_read_file(path, text, sizeof(text));
	is_str(text, "three\n", "not appending truncates it");
	stat(path, &st);
	is_int(st.st_mode & 0777, 0644, "its mode is the umask's, as a redirection's");
	unlink(path);
	write_text(true, "", true);

	errno = 0;
	ok(sink_open("/nonexistent/file", false) == NULL && errno == ENOENT, "a wrong path fails");
	errno = 0;
	ok(sink_open(dir, false) == NULL && errno == EISDIR, "so does a directory");
	is_int(sink_close(NULL), 0, "NULL may be closed");
}

static void check_full_disk(void)
{
	struct sink *sink = sink_open("/dev/full", false);

	if (!ok(sink != NULL, "/dev/full opens"))
		return;
	errno = 0;
	is_int(sink_write(sink, "x", 1), -1, "a full disk fails");
	is_int(errno, ENOSPC, "with ENOSPC");
	is_int(sink_write(sink, "", 0), 0, "writing 0 bytes always succeeds");
	sink_close(sink);
}

static void check_stdout(void)
{
	fflush(stdout);
	int saved = dup(STDOUT_FILENO);

	close(STDOUT_FILENO);
	errno = 0;
	struct sink *closed = sink_open(NULL, false);
	int reason = errno;
	dup2(saved, STDOUT_FILENO);
	ok(closed == NULL, "a closed stdout is no sink");
	is_int(reason, EBADF, "with EBADF");

	int to_full = open("/dev/full", O_WRONLY);
	fflush(stdout);
	dup2(to_full, STDOUT_FILENO);
	struct sink *sink = sink_open(NULL, false);
	errno = 0;
	int result = sink ? sink_write(sink, "x", 1) : 0;
	reason = errno;
	sink_close(sink);
	bool is_open = fcntl(STDOUT_FILENO, F_GETFD) >= 0;
	dup2(saved, STDOUT_FILENO);
	close(saved);
	close(to_full);
	ok(result == -1 && reason == ENOSPC, "stdout onto a full disk fails with ENOSPC");
	ok(is_open, "and stdout is still open after the sink");
}

struct reading {
	int fd;
	size_t len;
};

/* Slowly at first, so that the writer meets a full pipe. */
static void *read_all(void *arg)
{
	struct reading *reading = arg;
	char part[4096];
	ssize_t got;

	usleep(20000);
	while ((got = read(reading->fd, part, sizeof(part))) > 0)
		reading->len += (size_t)got;
	return NULL;
}

static void check_pipe(void)
{
	static char text[LARGE];
	int ends[2];
	pthread_t thread;

	unlink(path);
	if (mkfifo(path, 0600) != 0 || (ends[0] = open(path, O_RDONLY | O_NONBLOCK)) < 0)
		bail("no fifo: %s", strerror(errno));
	struct sink *sink = sink_open(path, false);

	/* The writer's end, non-blocking as another process that shares it may make it. */
	char self[64];
	for (int fd = 3; fd < 64; fd++) {
		struct stat a, b;
		snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
		if (fd != ends[0] && stat(self, &a) == 0 && stat(path, &b) == 0 &&
		    a.st_ino == b.st_ino)
			fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
	}
	fcntl(ends[0], F_SETFL, 0);
	struct reading reading = { .fd = ends[0] };
	pthread_create(&thread, NULL, read_all, &reading);
	is_int(sink_write(sink, text, LARGE), 0, "more than a non-blocking pipe holds is written");
	sink_close(sink);
	pthread_join(thread, NULL);
	is_u64(reading.len, LARGE, "whole");

	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	sink = sink_open(path, false);
	close(ends[0]);
	errno = 0;
	is_int(sink_write(sink, "x", 1), -1, "a reader that went away fails it");
	is_int(errno, EPIPE, "with EPIPE");
	sink_close(sink);
}

int main(void)
{
	signal(SIGPIPE, SIG_IGN);
	if (!mkdtemp(dir))
		skip_all("no directory to write in");
	snprintf(path, sizeof(path), "%s/out", dir);

	plan_lazy();
	check_file();
	check_full_disk();
	check_stdout();
	check_pipe();
	unlink(path);
	rmdir(dir);
	return done();
}
