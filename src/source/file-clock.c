/* SPDX-License-Identifier: MIT */
#include "source/file-clock.h"

#include <sys/stat.h>

#include "base/sys.h"
#include "perfdata/stat.h"
#include "source/file-events.h"

/*
 * perf takes the times of the head from samples that it has sorted only as well as their rings were read
 * in time.
 */
#define RANGE_SLACK_NS (10 * NSEC_PER_SEC)

bool file_clock_is_time(uint64_t ns)
{
	return ns != 0 && ns <= FILE_TIME_MAX_NS;
}

bool file_clock_fits(struct file_clock *clock, uint64_t ns)
{
	const bool fits = !clock->has_range || (ns + RANGE_SLACK_NS >= clock->first_ns &&
						ns <= clock->last_ns + RANGE_SLACK_NS);

	if (!fits && !clock->is_range_tried)
		clock->has_range = false;
	clock->is_range_tried = true;
	return fits || !clock->has_range;
}

/*
 * Reads all of perf stat's file; but of another one in the format of a pipe, whose events are not in the
 * head, only up to the first record of the kernel.
 */
static void time_rounds(struct perfdata *data, struct file_clock *clock)
{
	const struct perf_event_header *header;
	uint64_t time_ns;

	while (perfdata_next(data, 0, &header) == 1) {
		if (header->type == PERFDATA_RECORD_STAT_ROUND) {
			time_ns = stat_round_ns(header);
			if (file_clock_is_time(time_ns))
				clock->last_ns = time_ns;
		} else if (header->type < PERFDATA_RECORD_FIRST && !file_events_are_counted(data)) {
			break;
		}
	}
	clock->first_ns = clock->last_ns != 0 ? FILE_STAT_START_NS : 0;
	perfdata_rewind(data); /* lseek(2) in a regular file does not fail */
}

static int64_t offset_of(const struct perfdata_origin *origin, uint64_t last_ns, int fd)
{
	struct stat status;

	if (file_clock_is_time(origin->wall_ns) && origin->wall_clock_ns <= FILE_TIME_MAX_NS)
		return (int64_t)origin->wall_ns - (int64_t)origin->wall_clock_ns;
	if (last_ns != 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
	    (uint64_t)status.st_mtim.tv_sec <= FILE_TIME_MAX_NS / NSEC_PER_SEC)
		return status.st_mtim.tv_sec * (int64_t)NSEC_PER_SEC - (int64_t)last_ns;
	return sys_wall_ns() - (int64_t)sys_monotonic_ns();
}

struct file_clock file_clock_of(struct perfdata *data, int fd)
{
	const struct perfdata_origin *origin = perfdata_origin(data);
	struct file_clock clock = { 0 };

	if (file_clock_is_time(origin->first_ns) && file_clock_is_time(origin->last_ns)) {
		clock.first_ns = origin->first_ns;
		clock.last_ns = origin->last_ns;
		clock.has_range = true;
	} else if (perfdata_can_rewind(data) &&
		   (perfdata_count(data) == 0 || file_events_are_counted(data))) {
		time_rounds(data, &clock);
	}
	clock.offset_ns = offset_of(origin, clock.last_ns, fd);
	return clock;
}
