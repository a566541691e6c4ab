/* SPDX-License-Identifier: MIT */
/*
 * verify - checks the sequence of every counter's samples: --verify.
 *
 * With PERF_SAMPLE_READ a sample has its event's count and its event's losses so far.  Where every
 * `period`-th event is a sample, at each of them
 *
 *     count / period == samples of that fd so far, this one included, + lost
 *
 * An interrupt can come between the counting of an event and its sample, and count and sample the
 * same event first (kernel: perf_swevent_event(), one context in another: task, softirq, interrupt,
 * NMI).  So a difference of up to 3 is allowed until the CPU's counters have been read twice: its
 * reader, which is pinned to it, ran there meanwhile, so no sample was being written.  A larger one,
 * or one that stays, is a violation; the sample where it began is the one to look at.  After that
 * the sequence is checked on from there.
 *
 * Used by the decoder thread, as the model is.
 */
#ifndef MODEL_VERIFY_H
#define MODEL_VERIFY_H

#include <stddef.h>
#include <stdint.h>

#include "decode/record.h"

struct verify;

/* The sample where the sequence was broken. */
struct violation {
	uint32_t event, slot;
	int32_t pid, tid;
	uint64_t time_ns;
	uint64_t period;
	uint64_t count, lost; /* in the sample */
	uint64_t sampled;     /* samples of the fd so far, this one included */
	unsigned char *raw;   /* [raw_size] its fields (owned); NULL: none, or too long */
	uint32_t raw_size;
};

/* Since the start. */
struct verify_sums {
	uint64_t checked;	       /* samples */
	uint64_t missing;	       /* neither sampled nor lost */
	uint64_t extra;		       /* sampled or lost, but not counted */
	const struct violation *first; /* valid as long as the verify; NULL: none */
};

/* For events and slots below these; samples of others are not checked. */
struct verify *verify_new(size_t events, size_t slots);
void verify_free(struct verify *verify);

/* Take the next sample of an event on a CPU, of every `period`-th event; it must have a count. */
void verify_sample(struct verify *verify, uint32_t event, uint32_t slot, uint64_t period,
		   const struct record *record);

/* The CPU's counters were read, and all samples that they include were taken. */
void verify_counted(struct verify *verify, uint32_t slot);

/* No sample of the CPU will come: a difference that is left is a violation. */
void verify_end(struct verify *verify, uint32_t slot);

/* What was found so far. */
struct verify_sums verify_sums(const struct verify *verify);

#endif
