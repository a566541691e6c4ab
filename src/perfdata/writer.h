/* SPDX-License-Identifier: MIT */
/*
 * writer - a perf.data file, written from front to back while it grows.
 *
 *     header | attrs, ids, features | records ... | table of the features, and what has changed of them
 *
 * What is known at the beginning stands in front.  The table must follow the records, so what is there
 * is "the end", with the attrs and features of events that were added since.  It is written at each
 * checkpoint, and the header points to it: perf reads a file that grows, or whose writer was killed, up
 * to there.  A full disk leaves a file that is valid up to there.
 *
 * A thread of its own writes (spool.h), to an output (output.h).  An error is told by one of the calls
 * after it.
 *
 * Layout: tools/perf/Documentation/perf.data-file-format.txt.  One thread calls.
 */
#ifndef PERFDATA_WRITER_H
#define PERFDATA_WRITER_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/build-id.h"
#include "decode/record.h"

struct perfdata_writer;

/* Where the file was recorded; copied. */
struct perfdata_writer_origin {
	const char *hostname, *osrelease, *arch, *version;
	const char *processor, *processor_type; /* see source/processor.h */
	const char *const *command;		/* words, ended by NULL */
	uint32_t cpus_available, cpus_online;
};

/* Create `path` with mode 0600, or open it: perfdata_writer_begin() truncates it.  NULL and errno. */
struct perfdata_writer *perfdata_writer_open(const char *path,
					     const struct perfdata_writer_origin *origin);

/*
 * Another file, with the origin, kernel, events and formats that this one has so far.  It is to be
 * begun, too.  NULL and errno.
 */
struct perfdata_writer *perfdata_writer_next(const struct perfdata_writer *writer,
					     const char *path);

/*
 * Before begin: what CLOCK_REALTIME was at `clock_ns` of the records' clock `clockid`, for times of
 * day (CLOCK_DATA).
 */
void perfdata_writer_clock(struct perfdata_writer *writer, uint32_t clockid, uint64_t wall_ns,
			   uint64_t clock_ns);

/* Until the close: the build-id of the kernel. */
void perfdata_writer_kernel_id(struct perfdata_writer *writer, const struct build_id *id);

/* Until the close: times of the first and the last sample written (SAMPLE_TIME); 0: none. */
void perfdata_writer_times(struct perfdata_writer *writer, uint64_t first_ns, uint64_t last_ns);

/* Add an event, by its number, or more ids (0 is skipped) of a known one. */
void perfdata_writer_event(struct perfdata_writer *writer, uint32_t number,
			   const struct perf_event_attr *attr, const char *name,
			   const uint64_t *ids, size_t nids);

/* Add a tracepoint's format, the text of tracefs. */
void perfdata_writer_format(struct perfdata_writer *writer, const char *system, const char *text,
			    size_t len);

/* Once all initial events are added: write what precedes the records. */
int perfdata_writer_begin(struct perfdata_writer *writer);

/* How many bytes the file has, with what waits to be written. */
uint64_t perfdata_writer_size(const struct perfdata_writer *writer);

/* How many bytes of records are taken now without waiting for the disk. */
size_t perfdata_writer_room(struct perfdata_writer *writer);

/*
 * Write whole records, waiting while there is no room: 0, or -1 and errno: nothing more can be written,
 * but it can be closed.
 */
int perfdata_writer_records(struct perfdata_writer *writer, const void *bytes, size_t len);

/* Write a FINISHED_ROUND (see perfdata/order.h). */
int perfdata_writer_round(struct perfdata_writer *writer);

/*
 * Write synthesized records: a thread's name, and the start of the kernel's code (without which perf
 * resolves no kernel symbol).
 */
int perfdata_writer_comm(struct perfdata_writer *writer, int32_t pid, int32_t tid,
			 const char *comm);
int perfdata_writer_kernel(struct perfdata_writer *writer, uint64_t text_address);

/* What an event lost on a CPU. */
struct perfdata_writer_loss {
	uint64_t id; /* of the event's fd there, or of another one of its fds */
	uint32_t cpu;
	uint64_t samples;
	uint64_t time_ns; /* of the records' clock, not before the last round but one; 0: unknown */
};

/* Write a synthesized record of it. */
int perfdata_writer_lost(struct perfdata_writer *writer, uint32_t number,
			 const struct perfdata_writer_loss *loss);

/* Write synthesized records: the code that is mapped in a process, its names, places, devices and inodes. */
int perfdata_writer_maps(struct perfdata_writer *writer, int32_t pid, const struct record_map *maps,
			 size_t count);

/*
 * Write the end for the records so far.  Nothing is done while the last end waits for the disk, and
 * before as many bytes of records as it has were added.  0, or -1 and errno, as for records.
 */
int perfdata_writer_checkpoint(struct perfdata_writer *writer);

/* Wait until all is written, until `until_ns` (CLOCK_MONOTONIC) at most: 0, or -1 and errno; ETIMEDOUT. */
int perfdata_writer_settle(struct perfdata_writer *writer, uint64_t until_ns);

/*
 * Wait, write the end and close: 0, or -1 and errno when the file is incomplete.  One that was not begun is left as it
 * was, or removed if it is new.  NULL is allowed.
 */
int perfdata_writer_close(struct perfdata_writer *writer);

/* Leave the file as the last checkpoint that was written has it, without waiting: also a disk that hangs. */
void perfdata_writer_leave(struct perfdata_writer *writer);

#endif
