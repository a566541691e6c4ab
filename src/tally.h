/* SPDX-License-Identifier: MIT */
/*
 * tally - a file's records into decoder and model, with the counts, events and
 * CPUs that a live run would have from the kernel.
 *
 * A file has no counters.  What an event's samples stand for (their period,
 * where they carry one by frequency; else the event's), and what LOST_SAMPLES
 * records say was lost, is its total.  CPUs appear as records name them, events
 * as a pipe does.  One thread.
 */
#ifndef TALLY_H
#define TALLY_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode/perfdata.h"
#include "model/model.h"

struct tally;

/* Borrows the file, whose head is read. */
struct tally *tally_new(const struct perfdata *data, size_t top);
void tally_free(struct tally *tally);

/* Learn the events that the file has added or named since.  Cheap when there are none. */
void tally_sync(struct tally *tally);

/* Before order: the record's time (0: none), or false when no sense can be made of it. */
bool tally_peek(struct tally *tally, const struct perf_event_header *header, uint64_t *time_ns);

/* In order: count it. */
void tally_feed(struct tally *tally, const struct perf_event_header *header);

/* The file's clock begins here. */
void tally_start(struct tally *tally, uint64_t now_ns);

/* Close the interval; tick->unknown_records is filled in. */
struct snapshot *tally_tick(struct tally *tally, struct model_tick *tick);

/* Take an event out of the count, or in again. */
void tally_toggle(struct tally *tally, uint32_t row);
void tally_zero(struct tally *tally);
void tally_note(struct tally *tally, const char *text);

#endif
