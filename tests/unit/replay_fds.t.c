/* SPDX-License-Identifier: MIT */
/* A file whose event has several fds on a CPU, each of a task: the counts in their samples are each fd's own. */
#include "play-file.h"

#include "base/abi.h"
#include "tap.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define OTHER_ID (ID + 1)

/* A sample of a task with the count of its fd. */
struct sample {
	struct made_sample made;
	uint64_t value, id, lost;
};

static void put(struct perfdata_writer *writer, uint64_t id, uint64_t at_ns, uint64_t value,
		uint64_t lost)
{
	struct sample sample = { made_sample(id, START_NS + at_ns), value, id, lost };

	sample.made.header.size = sizeof(sample);
	sample.made.pid = sample.made.tid = (uint32_t)id;
	if (perfdata_writer_records(writer, &sample, sizeof(sample)) != 0)
		bail("%s: %s", path, strerror(errno));
}

static void make_file(void)
{
	const struct perfdata_writer_origin origin = made_origin();
	const uint64_t ids[] = { ID, OTHER_ID };
	struct perf_event_attr attr = made_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
	struct perfdata_writer *writer = perfdata_writer_open(path, &origin);

	if (writer == NULL)
		bail("%s: %s", path, strerror(errno));
	attr.sample_type |= PERF_SAMPLE_READ;
	attr.read_format = PERF_FORMAT_ID | ABI_FORMAT_LOST;
	perfdata_writer_event(writer, 0, &attr, "page-faults", ids, 2);
	perfdata_writer_begin(writer);
	for (unsigned int i = 1; i <= 100; i++) {
		put(writer, ID, i * NSEC_PER_MSEC, i * 3, 0);
		put(writer, OTHER_ID, i * NSEC_PER_MSEC + 1, 1000 + i, i);
	}
	perfdata_writer_close(writer);
}

static uint64_t count_of(const struct snapshot *snap, int32_t tid)
{
	for (size_t i = 0; i < snap->ntasks; i++) {
		if (snap->tasks[i].tid == tid)
			return snap->tasks[i].events[0].total;
	}
	return 0;
}

int main(void)
{
	const struct replay_config config = { .interval_s = 1 };
	struct play play;

	plan_lazy();
	int fd = mkstemp(path);
	if (fd < 0)
		bail("no temporary file: %s", strerror(errno));
	make_file();
	begin(&play, &config);
	take_all(&play);
	is_u64(total(&play), 300 + 1100, "the event's total is the sum of what its fds counted");
	is_u64(count_of(play.snap, (int32_t)ID), 300, "a task has what its fd counted");
	ok(play.snap->events[0].is_balance_known, "a count in the samples is checked with them");
	end(&play);
	close(fd);
	unlink(path);
	return done();
}
