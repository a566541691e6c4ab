/* SPDX-License-Identifier: MIT */
/* Random records: decoded or refused, and no byte beyond them is read. */
#include "decode/record.h"

#include "made-record.h"
#include "tap.h"

#include <stdlib.h>

#define SEED   20260912
#define RANDOM 100000

static uint64_t random_u64(void)
{
	return (uint64_t)rand() << 42 ^ (uint64_t)rand() << 21 ^ (uint64_t)rand();
}

/* Lengths are small more often than not, so that decoding gets far. */
static uint64_t random_word(void)
{
	return rand() % 4 ? (uint64_t)(rand() % 5) : random_u64();
}

static struct record_layout random_layout(void)
{
	return (struct record_layout){ .sample_type = random_u64() & random_u64(),
				       .read_format = (uint64_t)rand() % 32,
				       .branch_sample_type = random_u64(),
				       .regs_user = (unsigned int)rand() % 65,
				       .regs_intr = (unsigned int)rand() % 65,
				       .has_sample_id = rand() % 2 };
}

/* Any bytes: true or false, and no read beyond them. */
static void check_random(void)
{
	unsigned int whole = 0;

	srand(SEED);
	for (int i = 0; i < RANDOM; i++) {
		struct record_layout layout = random_layout();
		struct record record;

		begin(rand() % 2 ? PERF_RECORD_SAMPLE : (uint32_t)rand() % 24);
		for (int words = rand() % 40; words > 0; words--)
			put(random_word());
		/* Sizes that are no multiple of 8 come from files, not from rings. */
		size_t size = made_size - (rand() % 8 == 0 && made_size > 16 ? rand() % 8 : 0);
		struct bytes bytes = bytes_new(made, size);
		whole += decode(&bytes, &layout, &record);
		record_id(bytes.header);
		free(bytes.header);
	}
	ok(whole > RANDOM / 20 && whole < RANDOM, "%d random records: %u were decoded", RANDOM,
	   whole);
}

int main(void)
{
	plan_lazy();
	check_random();
	return done();
}
