/* SPDX-License-Identifier: MIT */
#include "base/reread.h"

#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/sys.h"

static char path[] = "/tmp/reread.XXXXXX";

static void write_file(const char *text)
{
	int fd = open(path, O_WRONLY | O_TRUNC);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		bail("no file to read");
	close(fd);
}

/* With room for 7 bytes. */
static void check_reading(struct reread *file, const char *now, const char *want, const char *what)
{
	char text[8];

	write_file(now);
	is_int(reread_text(file, text, sizeof(text)), (int)strlen(want), "%s is read", what);
	is_str(text, want, "as it is now, terminated");
}

static void check_text(void)
{
	struct reread file = REREAD_OF(path);

	check_reading(&file, "0-3\n", "0-3\n", "a text");
	check_reading(&file, "0,2-3\n", "0,2-3\n", "a later one from its beginning");
	check_reading(&file, "0,2,4,6,8\n", "0,2,4,6", "a longer one as far as there is room");
	check_reading(&file, "", "", "an empty one");
	reread_fini(&file);
}

static void check_int(void)
{
	struct reread file = REREAD_OF(path);
	long long value = 7;

	write_file("100000\n");
	ok(reread_int(&file, &value) == 0 && value == 100000, "an integer");
	write_file("25\n");
	ok(reread_int(&file, &value) == 0 && value == 25, "a later one");
	write_file("none\n");
	ok(reread_int(&file, &value) == -1 && errno == EINVAL && value == 25, "or none");
	reread_fini(&file);
}

static void check_missing(void)
{
	struct reread file = REREAD_OF(path);
	char text[8] = "before";

	unlink(path);
	ok(reread_text(&file, text, sizeof(text)) == -1 && errno == ENOENT, "there is no file");
	is_str(text, "", "and no text");
	close(open(path, O_CREAT | O_WRONLY, 0600));
	write_file("1\n");
	is_int(reread_text(&file, text, sizeof(text)), 2, "a file that came later is read");
	reread_fini(&file);
}

/* The kernel's own files give the text of now to each reading. */
static void check_statm(void)
{
	struct reread file = REREAD_OF(SYS_STATM);
	char text[SYS_STATM_MAX];
	size_t room = 8 << 20;
	uint64_t before = 0, after = 0;

	if (reread_text(&file, text, sizeof(text)) > 0)
		before = sys_parse_rss(text);
	void *memory = mmap(NULL, room, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (reread_text(&file, text, sizeof(text)) > 0)
		after = sys_parse_rss(text);
	ok(before > 0 && after > before + room / 2, "resident memory grows by what is mapped");
	munmap(memory, room);
	reread_fini(&file);
}

int main(void)
{
	int fd = mkstemp(path);

	plan_lazy();
	if (fd < 0)
		bail("no file in /tmp");
	close(fd);
	check_text();
	check_int();
	check_missing();
	check_statm();
	unlink(path);
	return done();
}
