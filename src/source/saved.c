/* SPDX-License-Identifier: MIT */
#include "source/saved.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "output/reopen.h"
#include "perfdata/layout.h"

#define BYTES_MAX (64u << 20)

struct saved {
	struct source source; /* first: a source is cast to its saved snapshot */
	char *text;
	const char *object; /* the snapshot's JSON object, in `text` */
	size_t len;
};

/* The text of a regular file of at most BYTES_MAX, or NULL; NULL also for a perf.data file. */
static char *read_text(int fd, size_t *len)
{
	struct stat status;

	if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) ||
	    status.st_size < PERFDATA_MAGIC_BYTES || status.st_size > BYTES_MAX)
		return NULL;

	char *text = xcalloc((size_t)status.st_size + 1, 1);
	ssize_t got = pread(fd, text, PERFDATA_MAGIC_BYTES, 0);
	if (got == PERFDATA_MAGIC_BYTES &&
	    memcmp(text, PERFDATA_MAGIC, PERFDATA_MAGIC_BYTES) != 0 &&
	    memcmp(text, PERFDATA_MAGIC_FOREIGN, PERFDATA_MAGIC_BYTES) != 0)
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

/* Put a snapshot into the mailbox, in place of one that was not taken. */
static void show(struct saved *saved, struct snapshot *snap, bool is_final)
{
	snapshot_release(mailbox_take(&saved->source.mailbox, NULL));
	snap->is_final = is_final;
	mailbox_put(&saved->source.mailbox, snap);
}

/* Only FINISH has an effect.  The text is parsed again: the first snapshot may be in use. */
static void obey(struct source *source, const struct command *command)
{
	struct saved *saved = (struct saved *)source;

	if (command->kind == COMMAND_FINISH)
		show(saved, reopen_snapshot(saved->object, saved->len, NULL), true);
}

static bool end(struct source *source, uint64_t until_ns)
{
	struct saved *saved = (struct saved *)source;

	(void)until_ns;
	source_fini(source);
	free(saved->text);
	free(saved);
	return true;
}

struct source *saved_open(int fd, bool stays, char **screen, char **error)
{
	static const struct source_ops ops = { .command = obey, .free = end };
	struct saved *saved = xcalloc(1, sizeof(*saved));
	struct snapshot *snap = NULL;
	size_t text_len = 0;
	bool is_init = source_init(&saved->source, &ops) == 0;

	*screen = NULL;
	*error = is_init ? NULL : xstrdup(strerror(errno));
	if (is_init)
		saved->text = read_text(fd, &text_len);
	if (saved->text != NULL)
		saved->object = reopen_find(saved->text, text_len, &saved->len);
	if (saved->object != NULL) {
		snap = reopen_snapshot(saved->object, saved->len, screen);
		if (snap == NULL)
			*error = xstrdup(
				"the saved snapshot in it is of another version, or makes no sense");
	}
	if (snap == NULL) {
		end(&saved->source, 0);
		return NULL;
	}
	show(saved, snap, !stays);
	return &saved->source;
}
