/* SPDX-License-Identifier: MIT */
/*
 * file-model - passes a file's records to decoder and model, with the counts, events and CPUs that
 * a live run gets from the kernel.
 *
 * A file has no counters.  An event's total is the sum of what its samples represent: the growth of
 * the count in them; without a count their period, if sampled by frequency; else the event's
 * period.  Lost samples (LOST_SAMPLES records) are added, unless samples have a count, which
 * includes them.  What perf stat counted has no samples, but its totals.
 *
 * CPUs are added when a record names them, events when a pipe does.  One thread.
 */
#ifndef SOURCE_FILE_MODEL_H
#define SOURCE_FILE_MODEL_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode/decoder.h"
#include "model/model.h"
#include "perfdata/reader.h"
#include "perfdata/stat.h"
#include "source/file-symbols.h"

struct file_model;

/* Borrows `data`, whose head was read, and `symbols`, those of the kernel; `keep`: the rows of a snapshot. */
struct file_model *file_model_new(const struct perfdata *data, struct file_symbols *symbols,
				  struct model_keep keep);
void file_model_free(struct file_model *file);

/*
 * A new one of the same file, to read it from its start once more: events that are off stay off, and
 * records are kept if they were.
 */
struct file_model *file_model_again(const struct file_model *file);

/* Add the events that the file has added or named since the last call.  Cheap without any. */
void file_model_sync(struct file_model *file);

/* As decoder_peek(), with time 0 where it is not one that a file can have. */
bool file_model_peek(struct file_model *file, const struct perf_event_header *header,
		     struct decoder_peek *peek);

/*
 * Decode and count a record, with its event by file_model_peek() and the time by which it was put in order;
 * they come in that order, those without a time, 0, anywhere.
 */
void file_model_feed(struct file_model *file, const struct decoder_peek *peek,
		     const struct perf_event_header *header);

/* Count what perf stat has read in a round. */
void file_model_stat(struct file_model *file, const struct stat_count *stat);

/* The round has ended: what was counted until now is shown, as of `now_ns`. */
void file_model_end_round(struct file_model *file, uint64_t now_ns);

/* Begin the run at `now_ns` of the file's clock. */
void file_model_start(struct file_model *file, uint64_t now_ns);

/* End the interval: its snapshot, which the caller owns; sets tick->unknown_records. */
struct snapshot *file_model_tick(struct file_model *file, struct model_tick *tick);

/* Stop counting an event's samples, or count them again; reset totals; add a note for the user. */
void file_model_toggle(struct file_model *file, uint32_t row);
void file_model_zero(struct file_model *file);
void file_model_stream(struct file_model *file); /* keep records from now on */
void file_model_note(struct file_model *file, const char *text);

#endif
