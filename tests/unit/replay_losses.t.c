/* SPDX-License-Identifier: MIT */
/* What a file's rings lost, until it is said which event's samples they were. */
#include "play-file.h"

#include "base/abi.h"
#include "tap.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* As the kernel writes it into a ring that had no room for `lost` records. */
struct lost {
	struct perf_event_header header;
	uint64_t id, lost;
	uint32_t pid, tid;
	uint64_t time_ns;
	uint32_t cpu, reserved;
	uint64_t identifier;
};

static void put_lost(struct perfdata_writer *writer, uint64_t at_ns, uint64_t count)
{
	struct lost lost = { .header = { PERF_RECORD_LOST, 0, sizeof(lost) },
			     .id = ID,
			     .lost = count,
			     .time_ns = START_NS + at_ns,
			     .identifier = ID };

	if (perfdata_writer_records(writer, &lost, sizeof(lost)) != 0)
		bail("%s: %s", path, strerror(errno));
}

/* Three seconds with a loss in the second one, which is said at `told_ns`; 0: at the end, without a time. */
static void make_file(uint64_t told_ns)
{
	struct perf_event_attr attr = made_attr(PERF_TYPE_TRACEPOINT, 77);
	struct perfdata_writer_loss loss = { .id = ID, .samples = 40 };

	attr.read_format = PERF_FORMAT_ID | ABI_FORMAT_LOST;
	struct perfdata_writer *writer = begin_file_of(&attr);

	put_samples(writer, 0, 10 * NSEC_PER_MSEC, 101);
	put_samples(writer, 1100 * NSEC_PER_MSEC, 10 * NSEC_PER_MSEC, 50);
	put_lost(writer, 1700 * NSEC_PER_MSEC, 40);
	if (told_ns != 0) {
		loss.time_ns = START_NS + told_ns;
		perfdata_writer_lost(writer, 0, &loss);
	}
	put_samples(writer, 1800 * NSEC_PER_MSEC, 10 * NSEC_PER_MSEC, 100);
	put_samples(writer, 2800 * NSEC_PER_MSEC, 0, 1);
	if (told_ns == 0)
		perfdata_writer_lost(writer, 0, &loss);
	perfdata_writer_close(writer);
}

/* "count lost" of each interval, ">" before those that are lower bounds. */
static const char *intervals(void)
{
	const struct replay_config config = { .interval_s = 1 };
	static char text[256];
	struct play play;
	size_t len = 0;

	begin(&play, &config);
	do {
		take(&play);
		const struct snap_event *event = &play.snap->events[0];

		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%d %d, ",
					event->is_at_least ? ">" : "", (int)event->count,
					(int)event->lost_count);
	} while (!play.snap->is_final);
	ok(!play.snap->events[0].is_balance_known,
	   "a count that is that of its samples is not checked with them");
	end(&play);
	return text;
}

int main(void)
{
	plan_lazy();
	int fd = mkstemp(path);
	if (fd < 0)
		bail("no temporary file: %s", strerror(errno));
	make_file(0);
	is_str(intervals(), "101 0, >71 0, 120 40, ",
	       "where a ring lost records, counts are lower bounds until it is said whose they were");
	make_file(1600 * NSEC_PER_MSEC);
	is_str(intervals(), "101 0, 111 40, 80 0, ", "but not in our files, which say it at once");
	close(fd);
	unlink(path);
	return done();
}
