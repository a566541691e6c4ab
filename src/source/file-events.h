/* SPDX-License-Identifier: MIT */
/*
 * file-events - what the events of a file are.
 */
#ifndef SOURCE_FILE_EVENTS_H
#define SOURCE_FILE_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "decode/record-layout.h"
#include "perfdata/reader.h"

/* How its occurrences are counted from the file's records. */
struct file_event {
	bool is_counted;   /* it makes no samples: of perf stat, whose file has its counts */
	bool lacks_counts; /* or of a recording, which has not */
	bool is_freq;
	bool has_value;	 /* its samples have its count, from which their weight is computed */
	bool has_period; /* each has its weight; else it is `weight` */
	bool is_grouped; /* its weight is the growth of its count, which its group's samples have */
	bool is_of_samples; /* its count is what its samples, and those that are said to be lost, stand for */
	bool has_cpu;	 /* its records have the CPU */
	uint64_t weight; /* what a sample stands for if it does not say */
};

/* What its attr says. */
struct file_event file_event_of(const struct perfdata_event *event);

/* Whether it is a dummy, which is there for the records of tasks only. */
bool file_event_is_dummy(const struct perfdata_event *event);

/* Where all its records have the id of their event: none if it has one event, or they are at different places. */
struct record_ids file_events_ids(const struct perfdata *data);

/* Whether samples of one of the file's events have their CPU, or the id of an fd that was opened on one. */
bool file_events_have_cpus(const struct perfdata *data);

/*
 * How many CPUs, from the first on, were watched as far as is known before there are records: those of the
 * machine, but no more than an event has ids, as it has at least one for each.  At least 1.
 */
uint32_t file_events_cpus(const struct perfdata *data);

/* Whether there are events, and the file has the counts of all of them, as perf stat's. */
bool file_events_are_counted(const struct perfdata *data);

#endif
