/* SPDX-License-Identifier: MIT */
/*
 * file-model - a file's records into decoder and model, with the counts, events and
 * CPUs that a live run would have from the kernel.
 *
 * A file has no counters.  What an event's samples stand for (their period,
 * where they carry one by frequency; else the event's), and what LOST_SAMPLES
 * records say was lost, is its total.  CPUs appear as records name them, events
 * as a pipe does.  One thread.
 */
#ifndef SOURCE_FILE_MODEL_H
#define SOURCE_FILE_MODEL_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"
#include "perfdata/reader.h"

struct file_model;

/* Borrows the file, whose head is read. */
struct file_model *file_model_new(const struct perfdata *data, size_t top);
void file_model_free(struct file_model *file);

/* Learn the events that the file has added or named since.  Cheap when there are none. */
void file_model_sync(struct file_model *file);

/* Before order: the record's time (0: none), or false when no sense can be made of it. */
bool file_model_peek(struct file_model *file, const struct perf_event_header *header,
		     uint64_t *time_ns);

/* In order: count it. */
void file_model_feed(struct file_model *file, const struct perf_event_header *header);

/* The file's clock begins here. */
void file_model_start(struct file_model *file, uint64_t now_ns);

/* Close the interval; tick->unknown_records is filled in. */
struct snapshot *file_model_tick(struct file_model *file, struct model_tick *tick);

/* Take an event out of the count, or in again. */
void file_model_toggle(struct file_model *file, uint32_t row);
void file_model_zero(struct file_model *file);
void file_model_note(struct file_model *file, const char *text);

#endif
