/* SPDX-License-Identifier: MIT */
#include "model/verify.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/* Contexts that a sample can be interrupted by: softirq, interrupt, NMI. */
#define NESTED_MOST 3
/* Readings of the counters that a difference may outlast: one can come right after it began. */
#define READINGS_MOST 1
/* The most raw data of a sample that is kept. */
#define RAW_MOST 2048

/* The sequence of one event on one CPU. */
struct sequence {
	uint64_t id;	    /* of the fd; 0: no sample yet */
	uint64_t samples;   /* of that fd */
	uint64_t known;	    /* what was reported as missing, without what was reported as extra */
	int64_t difference; /* beyond that, at the last sample */
	unsigned int readings;	 /* since it is not 0 */
	struct violation *began; /* the sample where it was not 0 any more (owned), or NULL */
};

struct verify {
	size_t events, slots;
	struct sequence *sequences; /* [events * slots], by event */
	uint64_t checked, missing, extra;
	struct violation *first; /* owned, or NULL */
};

struct verify *verify_new(size_t events, size_t slots)
{
	struct verify *verify = xcalloc(1, sizeof(*verify));

	verify->events = events;
	verify->slots = slots;
	verify->sequences = xcalloc(events * slots, sizeof(*verify->sequences));
	return verify;
}

static void violation_free(struct violation *violation)
{
	if (violation == NULL)
		return;
	free(violation->raw);
	free(violation);
}

void verify_free(struct verify *verify)
{
	if (verify == NULL)
		return;
	for (size_t i = 0; i < verify->events * verify->slots; i++)
		violation_free(verify->sequences[i].began);
	violation_free(verify->first);
	free(verify->sequences);
	free(verify);
}

static struct sequence *sequence_of(struct verify *verify, size_t event, size_t slot)
{
	return &verify->sequences[event * verify->slots + slot];
}

static struct violation *violation_new(uint32_t event, uint32_t slot, uint64_t period,
				       uint64_t sampled, const struct record *record)
{
	struct violation *made = xcalloc(1, sizeof(*made));

	*made = (struct violation){ .event = event,
				    .slot = slot,
				    .pid = (int32_t)record->pid,
				    .tid = (int32_t)record->tid,
				    .time_ns = record->time_ns,
				    .period = period,
				    .count = record->value,
				    .lost = record->value_lost,
				    .sampled = sampled };
	if (record->raw != NULL && record->raw_size > 0 && record->raw_size <= RAW_MOST) {
		made->raw = xcalloc(1, record->raw_size);
		memcpy(made->raw, record->raw, record->raw_size);
		made->raw_size = record->raw_size;
	}
	return made;
}

static void forget(struct sequence *sequence)
{
	violation_free(sequence->began);
	sequence->began = NULL;
	sequence->difference = 0;
	sequence->readings = 0;
}

/* Its difference is a violation. */
static void report(struct verify *verify, struct sequence *sequence)
{
	uint64_t difference = (uint64_t)sequence->difference;

	if (sequence->difference > 0)
		verify->missing += difference;
	else
		verify->extra += -difference;
	if (verify->first == NULL) {
		verify->first = sequence->began;
		sequence->began = NULL;
	}
	sequence->known += difference;
	forget(sequence);
}

/* A damaged count is any number: the differences are those of unsigned numbers. */
static int64_t difference_of(const struct sequence *sequence, uint64_t period,
			     const struct record *record)
{
	uint64_t accounted = sequence->samples + record->value_lost + sequence->known;

	return (int64_t)(record->value / period - accounted);
}

void verify_sample(struct verify *verify, uint32_t event, uint32_t slot, uint64_t period,
		   const struct record *record)
{
	if (event >= verify->events || slot >= verify->slots || period == 0)
		return;

	struct sequence *sequence = sequence_of(verify, event, slot);

	if (sequence->id != record->value_id) {
		/* What was open of the fd before is the end of its sequence. */
		if (sequence->difference != 0)
			report(verify, sequence);
		*sequence = (struct sequence){ .id = record->value_id };
	}
	sequence->samples++;
	verify->checked++;
	sequence->difference = difference_of(sequence, period, record);
	if (sequence->difference == 0) {
		if (sequence->began != NULL)
			forget(sequence);
		return;
	}
	if (sequence->began == NULL)
		sequence->began = violation_new(event, slot, period, sequence->samples, record);
	if (sequence->difference > NESTED_MOST || sequence->difference < -NESTED_MOST)
		report(verify, sequence);
}

void verify_counted(struct verify *verify, uint32_t slot)
{
	for (size_t event = 0; slot < verify->slots && event < verify->events; event++) {
		struct sequence *sequence = sequence_of(verify, event, slot);

		if (sequence->difference != 0 && sequence->readings++ == READINGS_MOST)
			report(verify, sequence);
	}
}

void verify_end(struct verify *verify, uint32_t slot)
{
	for (size_t event = 0; slot < verify->slots && event < verify->events; event++) {
		struct sequence *sequence = sequence_of(verify, event, slot);

		if (sequence->difference != 0)
			report(verify, sequence);
	}
}

struct verify_sums verify_sums(const struct verify *verify)
{
	return (struct verify_sums){ .checked = verify->checked,
				     .missing = verify->missing,
				     .extra = verify->extra,
				     .first = verify->first };
}
