/* SPDX-License-Identifier: MIT */
#include "source/rotation.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/sys.h"
#include "base/worker.h"
#include "base/xalloc.h"

#define STAMP_MAX 24

/* Asked at ticks, which do not come to the microsecond. */
#define EARLY_NSEC (20 * NSEC_PER_MSEC)

/* One file to be ended. */
struct ending {
	struct work work;
	struct perfdata_writer *writer;
	char *path;
	int error; /* 0: it is whole */
};

struct rotation {
	char *path;
	struct rotation_plan plan;
	uint64_t begun_ns;
	bool is_off;
	char *renamed; /* the last file's name now */
	char **names;  /* of the earlier ones that are there, oldest first */
	size_t count;
	struct worker *worker;
	bool is_ending; /* the worker has one */
	char *failure;
};

static void run_ending(struct work *work)
{
	struct ending *ending = (struct ending *)work;

	ending->error = perfdata_writer_close(ending->writer) == 0 ? 0 : errno;
	ending->writer = NULL;
}

static void free_ending(struct work *work)
{
	struct ending *ending = (struct ending *)work;

	if (ending->writer != NULL)
		perfdata_writer_leave(ending->writer);
	free(ending->path);
	free(ending);
}

struct rotation *rotation_new(const char *path, const struct rotation_plan *plan)
{
	static const struct worker_ops ops = { .run = run_ending, .free = free_ending };
	struct rotation *rotation = xcalloc(1, sizeof(*rotation));

	/* Where a link leads to, for that is the file. */
	rotation->path = realpath(path, NULL);
	if (rotation->path == NULL)
		rotation->path = xstrdup(path);
	rotation->plan = *plan;
	rotation->is_off = plan->bytes == 0 && plan->ns == 0;
	rotation->begun_ns = sys_monotonic_ns();
	rotation->worker = worker_new("recorded", &ops);
	return rotation;
}

void rotation_free(struct rotation *rotation)
{
	if (rotation == NULL)
		return;
	worker_free(rotation->worker);
	for (size_t i = 0; i < rotation->count; i++)
		free(rotation->names[i]);
	free(rotation->names);
	free(rotation->renamed);
	free(rotation->failure);
	free(rotation->path);
	free(rotation);
}

/* --- ending the file before ------------------------------------------------------------------ */

static void take_result(struct rotation *rotation, struct ending *ending)
{
	if (ending->error != 0 && rotation->failure == NULL)
		rotation->failure = xasprintf("the recording could not be ended: %s: %s",
					      ending->path, strerror(ending->error));
	rotation->is_ending = false;
	free_ending(&ending->work);
}

bool rotation_settle(struct rotation *rotation, uint64_t until_ns)
{
	if (!rotation->is_ending)
		return true;

	struct work *work = worker_take(rotation->worker, until_ns);
	if (work == NULL)
		return false;
	take_result(rotation, (struct ending *)work);
	return true;
}

const char *rotation_failure(const struct rotation *rotation)
{
	return rotation->failure;
}

/* --- the next file ---------------------------------------------------------------------------- */

const char *rotation_path(const struct rotation *rotation)
{
	return rotation->path;
}

bool rotation_is_due(struct rotation *rotation, uint64_t bytes)
{
	const struct rotation_plan *plan = &rotation->plan;

	if (rotation->is_off || !rotation_settle(rotation, 0))
		return false;
	return (plan->bytes != 0 && bytes >= plan->bytes) ||
	       (plan->ns != 0 && sys_monotonic_ns() + EARLY_NSEC - rotation->begun_ns >= plan->ns);
}

/* As in perf's names: local time and hundredths of a second. */
static void put_stamp(char *out)
{
	int64_t now_ns = sys_wall_ns();
	time_t now = (time_t)(now_ns / (int64_t)NSEC_PER_SEC);
	struct tm local = { .tm_mday = 1 };
	char text[16];

	localtime_r(&now, &local);
	strftime(text, sizeof(text), "%Y%m%d%H%M%S", &local);
	snprintf(out, STAMP_MAX, "%s%02d", text, (int)(now_ns % (int64_t)NSEC_PER_SEC / 10000000));
}

/* One that no file has: the clock may have been set back. */
static char *free_name(const char *path)
{
	char stamp[STAMP_MAX];

	put_stamp(stamp);
	char *name = xasprintf("%s.%s", path, stamp);
	for (unsigned int n = 2; access(name, F_OK) == 0; n++) {
		free(name);
		name = xasprintf("%s.%s-%u", path, stamp, n);
	}
	return name;
}

int rotation_rename(struct rotation *rotation)
{
	free(rotation->renamed);
	rotation->renamed = free_name(rotation->path);
	if (rename(rotation->path, rotation->renamed) == 0)
		return 0;
	rotation->is_off = true;
	return -1;
}

void rotation_undo(struct rotation *rotation)
{
	rename(rotation->renamed, rotation->path);
	rotation->is_off = true;
}

static void delete_oldest(struct rotation *rotation)
{
	unlink(rotation->names[0]);
	free(rotation->names[0]);
	rotation->count--;
	memmove(rotation->names, rotation->names + 1, rotation->count * sizeof(*rotation->names));
}

void rotation_next(struct rotation *rotation, struct perfdata_writer *before)
{
	struct ending *ending = xcalloc(1, sizeof(*ending));

	ending->writer = before;
	ending->path = xstrdup(rotation->renamed);
	rotation->begun_ns = sys_monotonic_ns();
	rotation->names =
		xreallocarray(rotation->names, rotation->count + 1, sizeof(*rotation->names));
	rotation->names[rotation->count++] = rotation->renamed;
	rotation->renamed = NULL;
	if (rotation->plan.keep != 0 && rotation->count >= rotation->plan.keep)
		delete_oldest(rotation);
	rotation->is_ending = worker_give(rotation->worker, &ending->work);
	if (rotation->is_ending)
		return;
	/* Without a thread for it, it is ended here. */
	run_ending(&ending->work);
	take_result(rotation, ending);
}
