/* SPDX-License-Identifier: MIT */
#include "source/saved.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "output/reopen.h"

#define BYTES_MAX (64u << 20)

struct saved {
	char *text;
	const char *object; /* in text */
	size_t len;
	int wake;
	bool is_waiting, is_final; /* what waits */
};

/* The whole of a regular file of bearable size that does not begin as perf.data does. */
static char *read_text(int fd, size_t *len)
{
	struct stat status;

	if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size < 8 ||
	    status.st_size > BYTES_MAX)
		return NULL;

	char *text = xcalloc((size_t)status.st_size + 1, 1);
	ssize_t got = pread(fd, text, 8, 0);
	if (got == 8 && memcmp(text, "PERFILE2", 8) != 0 && memcmp(text, "2ELIFREP", 8) != 0)
		got = pread(fd, text, (size_t)status.st_size, 0);
	else
		got = -1;
	if (got < 0) {
		free(text);
		return NULL;
	}
	*len = (size_t)got;
	return text;
}

static void show(struct saved *saved, bool is_final)
{
	uint64_t one = 1;

	saved->is_waiting = true;
	saved->is_final = is_final;
	if (write(saved->wake, &one, sizeof(one)) < 0)
		return; /* at its maximum it is readable already */
}

struct saved *saved_open(int fd, bool stays, char **error)
{
	size_t text_len, len;
	char *text = read_text(fd, &text_len);
	const char *object = text != NULL ? reopen_find(text, text_len, &len) : NULL;

	*error = NULL;
	if (object == NULL) {
		free(text);
		return NULL;
	}
	struct snapshot *snap = reopen_snapshot(object, len);
	if (snap == NULL) {
		*error = xstrdup("the data of the saved snapshot in it makes no sense");
		free(text);
		return NULL;
	}
	snapshot_free(snap);

	struct saved *saved = xcalloc(1, sizeof(*saved));
	saved->text = text;
	saved->object = object;
	saved->len = len;
	saved->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	show(saved, !stays);
	return saved;
}

int saved_fd(const struct saved *saved)
{
	return saved->wake;
}

struct snapshot *saved_take(struct saved *saved)
{
	uint64_t count;

	if (read(saved->wake, &count, sizeof(count)) < 0 || !saved->is_waiting)
		return NULL;
	saved->is_waiting = false;

	/* Read anew each time: the one before is its taker's. */
	struct snapshot *snap = reopen_snapshot(saved->object, saved->len);
	if (snap != NULL)
		snap->is_final = saved->is_final;
	return snap;
}

void saved_finish(struct saved *saved)
{
	show(saved, true);
}

void saved_free(struct saved *saved)
{
	if (saved == NULL)
		return;

	if (saved->wake >= 0)
		close(saved->wake);
	free(saved->text);
	free(saved);
}
