/* SPDX-License-Identifier: MIT */
/* A recording of several files: when the next is due, what the earlier ones are called, and which are kept. */
#include "source/rotation.h"

#include "base/sys.h"
#include "made-folder.h"
#include "made-perfdata.h"
#include "perfdata/reader.h"
#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char path[sizeof(root) + 8];

static const struct rotation_plan by_size = { .bytes = 1000 };

static void add_event(struct perfdata_writer *writer)
{
	const struct perf_event_attr dummy = made_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
	uint64_t ids[] = { 1 };

	perfdata_writer_event(writer, 0, &dummy, "dummy", ids, 1);
}

static struct perfdata_writer *begin_first(void)
{
	const struct perfdata_writer_origin origin = made_origin();
	struct perfdata_writer *writer = perfdata_writer_open(path, &origin);

	if (writer == NULL)
		bail("%s cannot be written", path);
	add_event(writer);
	if (perfdata_writer_begin(writer) != 0)
		bail("%s cannot be begun", path);
	return writer;
}

/* The file gets samples, and another one follows it. */
static struct perfdata_writer *follow(struct rotation *rotation, struct perfdata_writer *writer,
				      unsigned int samples)
{
	made_samples(writer, 1, 1, 1, samples);
	if (rotation_rename(rotation) != 0)
		bail("no rename");
	struct perfdata_writer *next = perfdata_writer_next(writer, path);
	if (next == NULL || perfdata_writer_begin(next) != 0)
		bail("no next file");
	rotation_next(rotation, writer);
	rotation_settle(rotation, UINT64_MAX);
	return next;
}

/* The samples of a file that is whole and has the event; -1 of another. */
static int samples_of(const char *file)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC), samples = 0;
	const struct perf_event_header *header;
	char *error = NULL;
	struct perfdata *data = fd >= 0 ? perfdata_open(&fd, 1, NULL, &error) : NULL;

	if (data == NULL)
		return -1;
	while (perfdata_next(data, 0, &header) == 1)
		samples += header->type == PERF_RECORD_SAMPLE;
	if (perfdata_damage(data)->count != 0 || perfdata_count(data) != 1 ||
	    strcmp(perfdata_origin(data)->hostname, "host") != 0)
		samples = -1;
	perfdata_free(data);
	close(fd);
	return samples;
}

/* The samples of the earlier files, oldest first: "10 20 ". */
static const char *earlier(void)
{
	static char found[256];
	char pattern[sizeof(path) + 24];
	glob_t names = { 0 };
	size_t len = 0;

	found[0] = '\0';
	snprintf(pattern, sizeof(pattern), "%s.20[0-9]*[0-9]", path);
	glob(pattern, 0, NULL, &names);
	for (size_t i = 0; i < names.gl_pathc; i++)
		len += (size_t)snprintf(found + len, sizeof(found) - len, "%d ",
					samples_of(names.gl_pathv[i]));
	globfree(&names);
	return found;
}

static void remove_all(void)
{
	char pattern[sizeof(path) + 8];
	glob_t names = { 0 };

	snprintf(pattern, sizeof(pattern), "%s*", path);
	glob(pattern, 0, NULL, &names);
	for (size_t i = 0; i < names.gl_pathc; i++)
		unlink(names.gl_pathv[i]);
	globfree(&names);
}

static void test_due(void)
{
	const struct rotation_plan never = { .keep = 3 }, by_time = { .ns = 3600 * NSEC_PER_SEC },
				   soon = { .ns = 1 };
	struct rotation *rotation = rotation_new(path, &never);

	ok(!rotation_is_due(rotation, UINT64_MAX), "without a plan no other file is due");
	rotation_free(rotation);
	rotation = rotation_new(path, &by_size);
	ok(!rotation_is_due(rotation, 999), "by size: not yet");
	ok(rotation_is_due(rotation, 1000), "by size: now");
	rotation_free(rotation);
	rotation = rotation_new(path, &by_time);
	ok(!rotation_is_due(rotation, UINT64_MAX), "by time: not yet");
	rotation_free(rotation);
	rotation = rotation_new(path, &soon);
	ok(rotation_is_due(rotation, 0), "by time: now");
	rotation_free(rotation);
}

static void test_files(void)
{
	struct rotation *rotation = rotation_new(path, &by_size);
	struct perfdata_writer *writer = begin_first();

	writer = follow(rotation, writer, 10);
	is_str(earlier(), "10 ", "the first is whole, under its own name");
	writer = follow(rotation, writer, 20);
	writer = follow(rotation, writer, 30);
	is_str(earlier(), "10 20 30 ", "all are there, also those of one time");
	made_samples(writer, 1, 1, 1, 5);
	is_int(perfdata_writer_close(writer), 0, "the last is closed");
	is_int(samples_of(path), 5, "with the name that was asked for");
	ok(rotation_failure(rotation) == NULL, "nothing failed");
	rotation_free(rotation);
	remove_all();
}

static void test_keep(void)
{
	const struct rotation_plan plan = { .bytes = 1000, .keep = 3 };
	struct rotation *rotation = rotation_new(path, &plan);
	struct perfdata_writer *writer = begin_first();

	for (unsigned int i = 1; i <= 5; i++) {
		writer = follow(rotation, writer, i);
		/* So that no two have the same time. */
		nanosleep(&(struct timespec){ .tv_nsec = 11000000 }, NULL);
	}
	is_str(earlier(), "4 5 ",
	       "of six files the last three are kept, with the one that is written");
	perfdata_writer_close(writer);
	rotation_free(rotation);
	remove_all();
}

static void test_link(void)
{
	char target[sizeof(path) + 8];

	snprintf(target, sizeof(target), "%s.target", path);
	if (symlink("data.target", path) != 0)
		bail("no symlink");
	struct perfdata_writer *writer = begin_first();
	struct rotation *rotation = rotation_new(path, &by_size);

	ok(strcmp(rotation_path(rotation), path) != 0, "a link: the file is where it leads");
	made_samples(writer, 1, 1, 1, 3);
	is_int(rotation_rename(rotation), 0, "a link: and that is renamed");
	ok(access(target, F_OK) != 0, "a link: it is away");
	rotation_undo(rotation);
	perfdata_writer_close(writer);
	is_int(samples_of(target), 3, "a link: and back");
	rotation_free(rotation);
	remove_all();
}

static void test_undo(void)
{
	struct rotation *rotation = rotation_new(path, &by_size);
	struct perfdata_writer *writer = begin_first();

	is_int(rotation_rename(rotation), 0, "it is renamed");
	ok(access(path, F_OK) != 0, "and not there");
	rotation_undo(rotation);
	ok(!rotation_is_due(rotation, UINT64_MAX), "undone: no other is due any more");
	made_samples(writer, 1, 1, 1, 7);
	perfdata_writer_close(writer);
	is_int(samples_of(path), 7, "undone: it has its name back");
	rotation_free(rotation);

	rotation = rotation_new(path, &by_size);
	unlink(path);
	errno = 0;
	is_int(rotation_rename(rotation), -1, "one that is not there cannot be renamed");
	is_int(errno, ENOENT, "and why");
	ok(!rotation_is_due(rotation, UINT64_MAX), "nor later");
	rotation_free(rotation);
	remove_all();
}

int main(void)
{
	plan_lazy();
	folder_begin();
	snprintf(path, sizeof(path), "%s/data", root);
	test_due();
	test_files();
	test_keep();
	test_link();
	test_undo();
	folder_end();
	return done();
}
