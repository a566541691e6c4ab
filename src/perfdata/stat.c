/* SPDX-License-Identifier: MIT */
#include "perfdata/stat.h"

#include "perfdata/stream.h"

size_t stat_bytes(enum perfdata_record type)
{
	return type == PERFDATA_RECORD_STAT ? 40 : 16;
}

struct stat_count stat_count_of(const struct perf_event_header *header)
{
	struct cursor body = stream_body(header);
	struct stat_count count;

	count.id = cursor_u64(&body);
	count.cpu = cursor_u32(&body);
	cursor_u32(&body); /* index of the thread in the THREAD_MAP */
	for (int i = 0; i < STAT_VALUES; i++)
		count.values[i] = cursor_u64(&body);
	return count;
}

uint64_t stat_round_ns(const struct perf_event_header *header)
{
	struct cursor body = stream_body(header);

	cursor_u64(&body); /* whether it is the last one */
	return cursor_u64(&body);
}
