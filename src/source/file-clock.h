/* SPDX-License-Identifier: MIT */
/*
 * file-clock - the wall-clock time of a file's records.
 */
#ifndef SOURCE_FILE_CLOCK_H
#define SOURCE_FILE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "perfdata/reader.h"

/* Later times are invalid: 146 years, so that the sum or difference of two fits into int64 ns. */
#define FILE_TIME_MAX_NS ((uint64_t)INT64_MAX / 2)

/* Whether it can be a record's time. */
bool file_clock_is_time(uint64_t ns);

/*
 * The wall clock minus the file's clock, in ns: from the times in its head, else the time at which `fd`
 * was modified, else this machine's clocks.
 */
int64_t file_clock_offset(const struct perfdata *data, int fd);

#endif
