/* SPDX-License-Identifier: MIT */
/* The sequence of each counter's samples, and where it is broken. */
#include "model/verify.h"

#include "tap.h"

#include <string.h>

enum { EVENTS = 3, CPUS = 2 };
enum { EVENT = 1, CPU = 1, ID = 7 };

static struct verify *verify;

static void begin(void)
{
	verify = verify_new(EVENTS, CPUS);
}

static void end(void)
{
	verify_free(verify);
}

static void one(uint32_t event, uint32_t slot, uint64_t period, const struct record *record)
{
	verify_sample(verify, event, slot, period, record);
}

static void sample_of(uint64_t id, uint64_t value, uint64_t lost)
{
	struct record record = { .pid = 40,
				 .tid = 41,
				 .time_ns = 1000 + value,
				 .has_value = true,
				 .value_id = id,
				 .value = value,
				 .value_lost = lost };

	one(EVENT, CPU, 1, &record);
}

static void sample(uint64_t value, uint64_t lost)
{
	sample_of(ID, value, lost);
}

/* Samples with the counts `from` to `to`. */
static void samples(uint64_t from, uint64_t to, uint64_t lost)
{
	for (uint64_t value = from; value <= to; value++)
		sample(value, lost);
}

static void sums_are(uint64_t checked, uint64_t missing, uint64_t extra, const char *what)
{
	struct verify_sums sums = verify_sums(verify);

	is_u64(sums.checked, checked, "%s: samples", what);
	is_u64(sums.missing, missing, "%s: missing", what);
	is_u64(sums.extra, extra, "%s: extra", what);
	ok((sums.first != NULL) == (missing + extra > 0), "%s: the first, if any", what);
}

static void check_whole(void)
{
	begin();
	samples(1, 10, 0);
	verify_counted(verify, CPU);
	sample(15, 4); /* the samples 11 to 14 were lost */
	samples(16, 20, 4);
	verify_counted(verify, CPU);
	verify_end(verify, CPU);
	sums_are(16, 0, 0, "a whole sequence");
	end();
}

static void check_nested(void)
{
	begin();
	/* Event 1 was counted; an interrupt had 2 and 3 before its sample was written. */
	sample(2, 0);
	verify_counted(verify, CPU);
	sample(3, 0);
	sample(3, 0);
	samples(4, 8, 0);
	for (int i = 0; i < 5; i++)
		verify_counted(verify, CPU);
	sums_are(8, 0, 0, "an interrupt between event and sample");

	/* It lost a sample after the interrupted one had its count, not its losses. */
	sample(9, 1);
	sample(11, 1);
	verify_counted(verify, CPU);
	verify_counted(verify, CPU);
	verify_end(verify, CPU);
	sums_are(10, 0, 0, "an interrupt between count and losses");
	end();
}

static void check_missing(void)
{
	begin();
	samples(1, 4, 0);
	samples(6, 9, 0);
	verify_counted(verify, CPU);
	sums_are(8, 0, 0, "it can be an interrupt until the second reading");
	samples(10, 11, 0);
	verify_counted(verify, CPU);
	sums_are(10, 1, 0, "after that it is missing");

	const struct violation *first = verify_sums(verify).first;
	ok(first->event == EVENT && first->slot == CPU, "of that event and CPU");
	ok(first->pid == 40 && first->tid == 41 && first->time_ns == 1006, "task and time are");
	ok(first->count == 6 && first->sampled == 5 && first->lost == 0 && first->period == 1,
	   "those of the sample where it began");
	ok(first->raw == NULL && first->raw_size == 0, "which has no fields");

	samples(12, 14, 0);
	verify_counted(verify, CPU);
	verify_counted(verify, CPU);
	sums_are(13, 1, 0, "it is reported once");
	samples(17, 17, 0);
	verify_end(verify, CPU);
	sums_are(14, 3, 0, "at the end nothing can come any more");
	is_u64(verify_sums(verify).first->count, 6, "the first stays");
	end();
}

static void check_many(void)
{
	begin();
	samples(1, 4, 0);
	sample(9, 0);
	sums_are(5, 4, 0, "more than interrupts can be");
	samples(10, 12, 0);
	sums_are(8, 4, 0, "is reported at once, and once");
	end();

	begin();
	samples(1, 4, 0);
	for (int i = 0; i < 4; i++)
		sample(4, 0);
	sums_are(8, 0, 4, "so are samples that were not counted");
	samples(5, 6, 0);
	sample(7, UINT64_MAX / 2);
	ok(verify_sums(verify).extra > UINT64_MAX / 4, "and losses that were not");
	sample(8, 0);
	sample(UINT64_MAX, 0);
	verify_end(verify, CPU);
	end();
}

static void check_fds(void)
{
	begin();
	samples(1, 3, 0);
	sample_of(8, 1, 0);
	sample_of(8, 2, 0);
	sums_are(5, 0, 0, "another fd begins at 1");
	sample_of(8, 5, 0);
	sample_of(9, 1, 0);
	sums_are(7, 2, 0, "what is missing when its fd was closed is missing");
	sample_of(10, 3, 0);
	verify_end(verify, CPU);
	sums_are(8, 4, 0, "its first samples can be missing, too");
	end();
}

static void check_periods(void)
{
	struct record record = { .has_value = true, .value_id = ID };

	begin();
	for (int i = 1; i <= 5; i++) {
		record.value = 10 * (uint64_t)i + (i == 3); /* 3: one of an interrupt */
		one(EVENT, CPU, 10, &record);
	}
	verify_end(verify, CPU);
	sums_are(5, 0, 0, "one in ten");
	record.value = 70;
	one(EVENT, CPU, 10, &record);
	verify_end(verify, CPU);
	sums_are(6, 1, 0, "one of ten events is one missing sample");
	is_u64(verify_sums(verify).first->period, 10, "which says its period");
	end();
}

static void check_fields(void)
{
	static unsigned char large[2049];
	unsigned char raw[] = { 1, 2, 3 };
	struct record record = { .has_value = true,
				 .value_id = ID,
				 .value = 5,
				 .raw = raw,
				 .raw_size = sizeof(raw) };

	begin();
	one(EVENT, CPU, 1, &record);
	raw[0] = 9;
	const struct violation *first = verify_sums(verify).first;
	ok(first->raw_size == 3 && first->raw[0] == 1 && first->raw[2] == 3,
	   "its fields are kept as they were");
	end();

	record.raw = large;
	record.raw_size = sizeof(large);
	begin();
	one(EVENT, CPU, 1, &record);
	ok(verify_sums(verify).first->raw == NULL, "but not those that are too long");
	end();
}

static void check_apart(void)
{
	struct record record = { .has_value = true, .value_id = ID, .value = 1 };

	begin();
	samples(1, 3, 0);
	sample(5, 0);
	for (uint32_t event = 0; event < EVENTS; event += 2)
		one(event, CPU, 1, &record);
	one(EVENT, 0, 1, &record);
	verify_end(verify, 0);
	sums_are(7, 0, 0, "each event and CPU has its own sequence");
	verify_end(verify, CPU);
	sums_are(7, 1, 0, "and its own end");

	one(EVENTS, CPU, 1, &record);
	one(EVENT, CPUS, 1, &record);
	one(EVENT, CPU, 0, &record);
	verify_counted(verify, CPUS);
	verify_end(verify, CPUS);
	sums_are(7, 1, 0, "others are not checked");
	end();
}

int main(void)
{
	plan_lazy();
	check_whole();
	check_nested();
	check_missing();
	check_many();
	check_fds();
	check_periods();
	check_fields();
	check_apart();
	return done();
}
