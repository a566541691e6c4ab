/* SPDX-License-Identifier: MIT */
/* A recording that grows, as a reader finds it if its writer is killed now. */
#include "fake-kernel.h"
#include "made-perfdata.h"
#include "tap.h"

#include "perfdata/reader.h"
#include "perfdata/writer.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define STEPS 300

static char path[] = "/tmp/perfdata_grows.XXXXXX";
static const char format[] = FAKE_FORMAT;

/* What a reader has of the file as it is. */
struct found {
	unsigned int events, samples;
	bool has_format, is_in_order;
	char damage[96];
};

static struct found read_now(void)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct found found = { .is_in_order = true };
	const struct perf_event_header *header;
	char *error = NULL;
	struct perfdata *data = perfdata_open(&fd, 1, NULL, &error);

	if (data == NULL)
		bail("it does not open: %s", error);
	while (perfdata_next(data, 0, &header) == 1) {
		struct made_sample sample;

		if (header->type != PERF_RECORD_SAMPLE)
			continue;
		memcpy(&sample, header, sizeof(sample));
		found.is_in_order &= sample.time_ns == found.samples;
		found.samples++;
	}
	found.events = (unsigned int)perfdata_count(data);
	found.has_format = fieldformats_name(perfdata_formats(data), FAKE_ID) != NULL;
	snprintf(found.damage, sizeof(found.damage), "%s", perfdata_damage(data)->what);
	perfdata_free(data);
	close(fd);
	return found;
}

static off_t file_size(void)
{
	struct stat info;

	return stat(path, &info) == 0 ? info.st_size : -1;
}

static void add_side(struct perfdata_writer *writer)
{
	const struct perf_event_attr dummy = made_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
	uint64_t ids[] = { 1 };

	perfdata_writer_event(writer, 0, &dummy, "dummy", ids, 1);
}

static void add_tested(struct perfdata_writer *writer)
{
	const struct perf_event_attr tested = made_attr(PERF_TYPE_TRACEPOINT, FAKE_ID);
	uint64_t ids[] = { 3 };

	perfdata_writer_event(writer, 1, &tested, "sys:tested", ids, 1);
	perfdata_writer_format(writer, "sys", format, sizeof(format) - 1);
}

static struct perfdata_writer *begin(bool has_tested)
{
	const struct perfdata_writer_origin origin = made_origin();
	struct perfdata_writer *writer = perfdata_writer_open(path, &origin);

	if (writer == NULL)
		bail("%s cannot be written", path);
	add_side(writer);
	if (has_tested)
		add_tested(writer);
	is_int(perfdata_writer_begin(writer), 0, "it begins");
	is_int(perfdata_writer_settle(writer, UINT64_MAX), 0, "its head is written");
	return writer;
}

/* One sample, a checkpoint: what a reader finds is whole, at most `late` samples behind. */
static unsigned int grow(struct perfdata_writer *writer, unsigned int from, unsigned int events,
			 unsigned int late)
{
	unsigned int wrong = 0;

	for (unsigned int i = from; i < from + STEPS; i++) {
		if (made_samples(writer, 1, i, 1, 1) != 0 ||
		    perfdata_writer_checkpoint(writer) != 0 ||
		    perfdata_writer_settle(writer, UINT64_MAX) != 0)
			bail("it cannot be written");

		struct found found = read_now();
		bool is_right = found.samples <= i + 1 && found.samples + late >= i + 1 &&
				found.is_in_order && found.events == events &&
				found.has_format == (events == 2) &&
				strncmp(found.damage, "the recording was not ended", 27) == 0;
		if (!is_right && wrong++ == 0)
			diag("after %u samples: %u samples%s, %u events, %s", i + 1, found.samples,
			     found.is_in_order ? "" : " in disorder", found.events, found.damage);
	}
	return wrong;
}

/* The table has 16 bytes for each feature: seven of the origin, formats, events. */
#define TABLE_SAMPLES (9 * 16 / sizeof(struct made_sample) + 1)

static void test_known_first(void)
{
	struct perfdata_writer *writer = begin(true);
	off_t begun = file_size();

	is_int((int)grow(writer, 0, 2, TABLE_SAMPLES), 0,
	       "at each checkpoint names, formats and nearly all samples are there");
	is_int(perfdata_writer_close(writer), 0, "it is closed");
	struct found found = read_now();
	is_int((int)found.samples, STEPS, "then it has each sample");
	ok(found.is_in_order, "in order");
	is_str(found.damage, "", "and was ended");
	is_int(file_size(), begun + (off_t)(STEPS * sizeof(struct made_sample)),
	       "it has grown by its samples only");
}

static void test_added_later(void)
{
	struct perfdata_writer *writer = begin(false);

	is_int((int)grow(writer, 0, 1, TABLE_SAMPLES), 0, "before an event is added");
	add_tested(writer);
	/* The end has the formats and attrs now: it is longer. */
	made_samples(writer, 1, STEPS, 1, STEPS);
	is_int(perfdata_writer_checkpoint(writer), 0, "a checkpoint with what was added");
	is_int((int)grow(writer, 2 * STEPS, 2, STEPS), 0, "and after");
	made_samples(writer, 1, 3 * STEPS, 1, 1);
	is_int(perfdata_writer_close(writer), 0, "it is closed soon after a checkpoint");
	struct found found = read_now();
	is_int((int)found.samples, 3 * STEPS + 1, "it has each sample");
	ok(found.is_in_order && found.has_format, "in order, and the format");
	is_str(found.damage, "", "and was ended");
}

int main(void)
{
	plan_lazy();
	int fd = mkstemp(path);
	if (fd < 0)
		bail("no temporary file");
	close(fd);
	test_known_first();
	test_added_later();
	unlink(path);
	return done();
}
