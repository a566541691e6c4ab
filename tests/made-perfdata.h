/* SPDX-License-Identifier: MIT */
/*
 * made-perfdata - the parts of a perf.data file that a test writes.
 */
#ifndef MADE_PERFDATA_H
#define MADE_PERFDATA_H

#include "perfdata/writer.h"

#define MADE_SAMPLE_TYPE \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU)

/* A sample of it: of thread 9 of process 8, on CPU 0. */
struct made_sample {
	struct perf_event_header header;
	uint64_t id;
	uint32_t pid, tid;
	uint64_t time_ns;
	uint32_t cpu, reserved;
};

static inline struct made_sample made_sample(uint64_t id, uint64_t time_ns)
{
	return (struct made_sample){
		{ PERF_RECORD_SAMPLE, 0, sizeof(struct made_sample) }, id, 8, 9, time_ns, 0, 0
	};
}

/* Write `count` of them, `step_ns` apart from `from_ns` on: 0, or the writer's -1. */
static inline int made_samples(struct perfdata_writer *writer, uint64_t id, uint64_t from_ns,
			       uint64_t step_ns, unsigned int count)
{
	int result = 0;

	for (unsigned int i = 0; i < count && result == 0; i++) {
		const struct made_sample sample = made_sample(id, from_ns + i * step_ns);

		result = perfdata_writer_records(writer, &sample, sizeof(sample));
	}
	return result;
}

static inline struct perf_event_attr made_attr(uint32_t type, uint64_t config)
{
	return (struct perf_event_attr){ .type = type,
					 .config = config,
					 .sample_period = 1,
					 .sample_type = MADE_SAMPLE_TYPE,
					 .sample_id_all = 1 };
}

static inline struct perfdata_writer_origin made_origin(void)
{
	static const char *const command[] = { "perftop-ng", "--record", "a b", NULL };

	return (struct perfdata_writer_origin){
		.hostname = "host",
		.osrelease = "6.1",
		.arch = "x86_64",
		.version = "test",
		.processor = "A processor",
		.processor_type = "Made,1,2,3",
		.command = command,
		.cpus_available = 4,
		.cpus_online = 3,
	};
}

#endif
