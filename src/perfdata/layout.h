/* SPDX-License-Identifier: MIT */
/*
 * layout - constants of the perf.data format, for reader and writer.
 *
 * From tools/perf/Documentation/perf.data-file-format.txt, tools/perf/util/header.h and
 * tools/lib/perf/include/perf/event.h.  All words are little-endian here: in files of the other
 * byte order the magic is reversed.
 */
#ifndef PERFDATA_LAYOUT_H
#define PERFDATA_LAYOUT_H

#include <linux/perf_event.h>

#define PERFDATA_MAGIC_BYTES   8
#define PERFDATA_MAGIC	       "PERFILE2"
#define PERFDATA_MAGIC_FOREIGN "2ELIFREP" /* of the other byte order */
#define PERFDATA_MAGIC_OLD     "PERFFILE" /* before Linux 2.6.37 */

/* A header's size, the word after the magic: of a file, and of a pipe. */
#define PERFDATA_HEAD_BYTES	 104
#define PERFDATA_PIPE_HEAD_BYTES 16

/*
 * Where the header has the place of event types, unused since Linux 3.x: this offset, with size 0, in a
 * recording of ours that goes on.
 */
#define PERFDATA_GOES_ON 1

/* An entry of the table of attrs: the attr, and offset and size of its ids. */
#define PERFDATA_ENTRY_BYTES (sizeof(struct perf_event_attr) + 16)

/* Bits of the header, in the order of the sections.  Only those that are read or written. */
enum perfdata_feature {
	FEATURE_TRACING_DATA = 1,
	FEATURE_BUILD_ID = 2,
	FEATURE_HOSTNAME = 3,
	FEATURE_OSRELEASE = 4,
	FEATURE_VERSION = 5,
	FEATURE_ARCH = 6,
	FEATURE_NRCPUS = 7,
	FEATURE_CPUDESC = 8,
	FEATURE_CPUID = 9,
	FEATURE_CMDLINE = 11,
	FEATURE_EVENT_DESC = 12,
	FEATURE_SAMPLE_TIME = 21,
	FEATURE_CLOCK_DATA = 29,
	FEATURE_LAST = 255,
};

/* In the misc of a build-id: its size is behind it, else it has 20 bytes.  Linux 5.11. */
#define PERFDATA_MISC_ID_SIZE (1u << 15)

/* perf's name of the kernel, whose symbols it has from /proc/kallsyms. */
#define PERFDATA_KERNEL "[kernel.kallsyms]"

/* perf record's own records, among the kernel's. */
enum perfdata_record {
	PERFDATA_RECORD_FIRST = 64, /* the kernel's are below */
	PERFDATA_RECORD_HEADER_ATTR = 64,
	PERFDATA_RECORD_TRACING_DATA = 66,
	PERFDATA_RECORD_BUILD_ID = 67,
	PERFDATA_RECORD_FINISHED_ROUND = 68,
	PERFDATA_RECORD_ID_INDEX = 69,
	PERFDATA_RECORD_AUXTRACE = 71,
	PERFDATA_RECORD_STAT = 76,
	PERFDATA_RECORD_STAT_ROUND = 77,
	PERFDATA_RECORD_EVENT_UPDATE = 78,
	PERFDATA_RECORD_FEATURE = 80,
	PERFDATA_RECORD_COMPRESSED = 81,
	PERFDATA_RECORD_COMPRESSED2 = 83,
};

#endif
