/* SPDX-License-Identifier: MIT */
#include "base/textfile.h"

#include "made-folder.h"
#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static void put_bytes(const char *path, const char *text, size_t len)
{
	FILE *file = fopen(path, "w");

	if (file == NULL || fwrite(text, 1, len, file) != len || fclose(file) != 0)
		bail("%s: %s", path, strerror(errno));
}

static void fails(const char *name, int error, const char *what)
{
	errno = 0;
	char *text = textfile_read(name, NULL);
	int got = errno;
	ok(text == NULL, "%s is not read", what);
	is_int(got, error, "%s: errno", what);
	free(text);
}

static void check_read(void)
{
	static char large[TEXTFILE_MAX + 1];
	size_t len;

	memset(large, 'x', sizeof(large));
	put_bytes("some", "a\0b", 3);
	char *text = textfile_read("some", &len);
	is_u64(len, 3, "a NUL is a byte like others");
	is_mem(text, "a\0b", 4, "the text, and a 0");
	free(text);
	put_bytes("empty", "", 0);
	text = textfile_read("empty", &len);
	ok(text != NULL && len == 0, "an empty file is empty text");
	free(text);
	put_bytes("most", large, TEXTFILE_MAX);
	text = textfile_read("most", &len);
	is_u64(len, TEXTFILE_MAX, "the largest is read whole");
	free(text);
	put_bytes("large", large, TEXTFILE_MAX + 1);
	fails("large", EFBIG, "one byte more");
	fails("none", ENOENT, "a file that is not there");
	fails(".", EINVAL, "a folder");
	mkfifo("fifo", 0600);
	fails("fifo", EINVAL, "a FIFO");
	is_int(symlink("/dev/zero", "zero"), 0, "a link to a device");
	fails("zero", EINVAL, "a device behind a link");
}

static void check_lines(void)
{
	static const char text[] = "one\n\t two words \r\n\n12345678\nx\0y\nlast";
	static const char *const lines[] = { "one", "two words", "", NULL, NULL, "last" };
	const char *at = text;
	size_t len = sizeof(text) - 1;
	char line[10];

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		size_t room = i == 3 ? 8 : sizeof(line);
		bool fits = textfile_line(&at, &len, line, room);

		is_int(fits, lines[i] != NULL, "line %zu fits, or does not", i + 1);
		is_str(line, fits ? lines[i] : "", "line %zu", i + 1);
	}
	ok(len == 0 && at == text + sizeof(text) - 1, "that is all");
}

static void is_content(const char *name, const char *want, const char *what)
{
	char *text = textfile_read(name, NULL);

	is_str(text != NULL ? text : "(none)", want, "%s", what);
	free(text);
}

static unsigned int mode_of(const char *name)
{
	struct stat st = { 0 };

	lstat(name, &st);
	return st.st_mode & 0777;
}

static void check_replace(void)
{
	umask(0);
	is_int(textfile_replace("new", "one\n", 4), 0, "a new file is made");
	is_content("new", "one\n", "it holds the text");
	is_int((int)mode_of("new"), 0600, "for its owner alone");
	chmod("new", 0644);
	is_int(symlink("new", "link"), 0, "a link to it");
	is_int(textfile_replace("link", "two\n", 4), 0, "it is replaced by its link");
	is_content("new", "two\n", "it holds the new text");
	is_int((int)mode_of("new"), 0644, "and has the mode that it had");
	struct stat st;
	ok(lstat("link", &st) == 0 && S_ISLNK(st.st_mode), "the link is still one");
}

/* A full disk, by a limit on the size of files. */
static void check_full(void)
{
	struct rlimit before, limit;

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &before);
	limit = (struct rlimit){ 2, before.rlim_max };
	setrlimit(RLIMIT_FSIZE, &limit);
	errno = 0;
	int result = textfile_replace("new", "three\n", 6), error = errno;
	setrlimit(RLIMIT_FSIZE, &before);
	is_int(result, -1, "a full disk is an error");
	is_int(error, EFBIG, "which errno names");
	is_content("new", "two\n", "the file is as it was");

	errno = 0;
	is_int(textfile_replace("no/folder", "", 0), -1, "no file without its folder");
	is_int(errno, ENOENT, "and that is the reason");
}

static void no_leftovers(void)
{
	static const char *const names[] = { "some", "empty", "most", "large",
					     "fifo", "zero",  "new",  "link" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		is_int(unlink(names[i]), 0, "%s is there", names[i]);
	is_int(rmdir(root), 0, "and nothing else: no temporary file is left");
}

int main(void)
{
	plan_lazy();
	folder_begin();
	if (chdir(root) != 0)
		bail("%s: %s", root, strerror(errno));
	check_read();
	check_lines();
	check_replace();
	check_full();
	no_leftovers();
	folder_end();
	return done();
}
