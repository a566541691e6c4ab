/* SPDX-License-Identifier: MIT */
#include "source/file-clock.h"

#include <sys/stat.h>

#include "base/sys.h"

bool file_clock_is_time(uint64_t ns)
{
	return ns != 0 && ns <= FILE_TIME_MAX_NS;
}

int64_t file_clock_offset(const struct perfdata *data, int fd)
{
	const struct perfdata_origin *origin = perfdata_origin(data);
	struct stat status;

	if (file_clock_is_time(origin->wall_ns) && origin->wall_clock_ns <= FILE_TIME_MAX_NS)
		return (int64_t)origin->wall_ns - (int64_t)origin->wall_clock_ns;
	if (file_clock_is_time(origin->last_ns) && fstat(fd, &status) == 0 &&
	    S_ISREG(status.st_mode) &&
	    (uint64_t)status.st_mtim.tv_sec <= FILE_TIME_MAX_NS / NSEC_PER_SEC)
		return status.st_mtim.tv_sec * (int64_t)NSEC_PER_SEC - (int64_t)origin->last_ns;
	return sys_wall_ns() - (int64_t)sys_monotonic_ns();
}
