/* SPDX-License-Identifier: MIT */
/* What --record writes, read back by our own reader; tests/live/recording.t.sh asks perf. */
#include "fake-kernel.h"
#include "made-perfdata.h"
#include "tap.h"

#include "perfdata/reader.h"
#include "perfdata/writer.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char format[] = FAKE_FORMAT;

static void write_file(const char *path)
{
	const struct perfdata_writer_origin origin = made_origin();
	struct perf_event_attr dummy = made_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
	struct perf_event_attr tested = made_attr(PERF_TYPE_TRACEPOINT, 77);
	uint64_t side[] = { 1, 2 }, ids[] = { 3, 0 }, later[] = { 3, 9 };
	struct perfdata_writer *writer = perfdata_writer_open(path, &origin);

	if (!ok(writer != NULL, "a file is created"))
		bail("%s cannot be written", path);
	perfdata_writer_event(writer, 0, &dummy, "dummy", side, 2);
	perfdata_writer_event(writer, 2, &tested, "sys:tested", ids, 2);
	perfdata_writer_format(writer, "sys", format, sizeof(format) - 1);
	perfdata_writer_clock(writer, CLOCK_MONOTONIC, 1700000000000000000, 90);
	is_int(perfdata_writer_begin(writer), 0, "its head is written");
	is_int(perfdata_writer_comm(writer, 8, 9, "a task"), 0, "a name");
	made_samples(writer, 3, 100, 1, 5);
	is_int(perfdata_writer_round(writer), 0, "a round");
	perfdata_writer_event(writer, 2, &tested, "sys:tested", later, 2);
	made_samples(writer, 9, 100, 1, 2);
	struct perfdata_writer_loss loss = { .id = 3, .cpu = 1, .samples = 42 };

	is_int(perfdata_writer_lost(writer, 2, &loss), 0, "a loss");
	perfdata_writer_times(writer, 100, 104);
	is_int(perfdata_writer_close(writer), 0, "and its end");
}

static void check_head(const struct perfdata *data)
{
	const struct perfdata_origin *from = perfdata_origin(data);

	is_u64(perfdata_damage(data)->count, 0, "nothing is damaged: %s",
	       perfdata_damage(data)->what);
	is_int((int)perfdata_count(data), 2, "both events");
	is_str(perfdata_event(data, 1)->name, "sys:tested", "by name");
	is_int((int)perfdata_event(data, 1)->nids, 2, "with the id that came later");
	is_str(from->hostname, "host", "host");
	is_str(from->osrelease, "6.1", "kernel");
	is_str(from->arch, "x86_64", "architecture");
	is_str(from->cmdline, "perftop-ng --record a b", "command");
	is_int((int)from->cpus_available, 4, "CPUs");
	is_u64(from->first_ns, 100, "time of the first sample");
	is_u64(from->last_ns, 104, "and of the last");
	is_u64(from->wall_ns, 1700000000000000000, "time of day");
	is_u64(from->wall_clock_ns, 90, "at a time of the records");
	const struct fieldformats *formats = perfdata_formats(data);
	is_str(fieldformats_name(formats, 77), "sys:tested", "the format");
	is_u64(fieldformats_offset(formats, 77, "answer", 4), 8, "where its field is");
	is_u64(fieldformats_offset(formats, 77, "answer", 8), 0, "of another size: nowhere");
	is_u64(fieldformats_offset(formats, 77, "question", 4), 0, "one that is not there");
	is_u64(fieldformats_offset(formats, 78, "answer", 4), 0, "nor of no format");
}

static void check_records(struct perfdata *data)
{
	static const uint32_t want[] = { 3, 9, 9, 9, 9, 9, 68, 9, 9, 13 };
	const struct perf_event_header *header;
	size_t at = 0;
	bool is_right = true;

	while (perfdata_next(data, 0, &header) == 1) {
		is_right &= at < sizeof(want) / sizeof(want[0]) && header->type == want[at];
		at++;
	}
	is_int((int)at, sizeof(want) / sizeof(want[0]), "all records");
	ok(is_right, "in the order in which they were written");
}

int main(void)
{
	const struct perfdata_writer_origin origin = made_origin();
	char path[] = "/tmp/perfdata_writer.XXXXXX";
	char *error = NULL;

	plan_lazy();
	int fd = mkstemp(path);
	if (fd < 0)
		bail("no temporary file");
	write_file(path);

	struct perfdata *data = perfdata_open(&fd, 1, NULL, &error);
	if (ok(data != NULL, "it opens: %s", error != NULL ? error : "")) {
		check_head(data);
		check_records(data);
	}
	perfdata_free(data);
	free(error);
	close(fd);
	unlink(path);
	ok(perfdata_writer_open("/nonexistent/file", &origin) == NULL, "a path that cannot be");
	return done();
}
