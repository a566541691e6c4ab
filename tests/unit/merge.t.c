/* SPDX-License-Identifier: MIT */
/* Several streams: none gets further ahead of another than by one record. */
#include "source/merge.h"

#include "tap.h"

#define NSTREAMS 3

/* The times of each stream's records, up to 0. */
static const uint64_t times_of[NSTREAMS][8] = {
	{ 5, 8, 9, 30, 31 },
	{ 1, 2, 3, 40 },
	{ 4, 4, 35, 50, UINT64_MAX },
};

struct progress {
	size_t at[NSTREAMS]; /* records read */
	bool has_ended[NSTREAMS];
};

static uint64_t newest_of(const struct progress *progress, size_t stream)
{
	size_t at = progress->at[stream];

	return at > 0 ? times_of[stream][at - 1] : 0;
}

/* Whether the stream is ahead of another one that goes on. */
static bool is_ahead(const struct progress *progress, size_t stream)
{
	for (size_t i = 0; i < NSTREAMS; i++) {
		if (!progress->has_ended[i] && newest_of(progress, stream) > newest_of(progress, i))
			return true;
	}
	return false;
}

/* Read all from their start: the number of records; *ahead is how many were read too early. */
static unsigned int read_all(struct merge *merge, unsigned int *ahead)
{
	struct progress progress = { 0 };
	unsigned int count = 0;
	size_t stream;

	*ahead = 0;
	while (merge_choose(merge, &stream)) {
		do {
			uint64_t time = times_of[stream][progress.at[stream]];

			if (time == 0) {
				merge_end(merge, stream);
				progress.has_ended[stream] = true;
				break;
			}
			*ahead += is_ahead(&progress, stream);
			progress.at[stream]++;
			merge_reach(merge, stream, time);
			count++;
		} while (merge_is_next(merge, stream));
	}
	return count;
}

static void test_no_times(void)
{
	struct merge *merge = merge_new(2);
	size_t stream;

	ok(merge_choose(merge, &stream) && stream == 0, "the first stream is the first");
	merge_reach(merge, stream, 0);
	ok(merge_is_next(merge, stream), "a record without a time: it goes on");
	merge_reach(merge, stream, 7);
	ok(!merge_is_next(merge, stream), "one with a time: the other one is behind");
	ok(merge_choose(merge, &stream) && stream == 1, "and is next");
	merge_end(merge, 0);
	merge_end(merge, 1);
	ok(!merge_choose(merge, &stream), "both have ended");
	merge_free(merge);
}

int main(void)
{
	struct merge *merge = merge_new(NSTREAMS);
	unsigned int ahead;

	plan_lazy();
	is_u64(read_all(merge, &ahead), 14,
	       "all records, also one of the latest time that there is");
	is_u64(ahead, 0, "none is read while its stream is ahead of another");
	merge_again(merge);
	is_u64(read_all(merge, &ahead), 14, "again from the start: all records");
	is_u64(ahead, 0, "again from the start: none too early");
	merge_free(merge);
	test_no_times();
	return done();
}
