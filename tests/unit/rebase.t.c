/* SPDX-License-Identifier: MIT */
/* Counts in samples, by file. */
#include "source/rebase.h"

#include "base/abi.h"
#include "made-perfdata.h"
#include "tap.h"

#define TIMES  (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING)
#define LEADER 3
#define MEMBER 4
#define GONE   5 /* of no event */

/* One with the count of its fd. */
struct single {
	struct made_sample sample;
	uint64_t value, enabled_ns, running_ns, id, lost;
};

struct member {
	uint64_t value, id, lost;
};

/* One with the counts of its group. */
struct group {
	struct made_sample sample;
	uint64_t count, enabled_ns, running_ns;
	struct member members[3];
};

static struct perf_event_attr attr_of(uint64_t format)
{
	struct perf_event_attr attr = made_attr(PERF_TYPE_TRACEPOINT, 1);

	attr.sample_type |= PERF_SAMPLE_READ;
	attr.read_format = PERF_FORMAT_ID | ABI_FORMAT_LOST | TIMES | format;
	return attr;
}

static struct single single(uint64_t id, uint64_t value)
{
	struct single single = { made_sample(id, 1), value, value * 10, value * 5, id, value / 100 };

	single.sample.header.size = sizeof(single);
	return single;
}

static struct group group(uint64_t value)
{
	struct group group = {
		made_sample(LEADER, 1),
		3,
		value * 10,
		value * 5,
		{ { value, LEADER, 0 }, { value * 2, MEMBER, 7 }, { value * 3, GONE, 0 } }
	};

	group.sample.header.size = sizeof(group);
	return group;
}

static void test_single(void)
{
	const struct perf_event_attr attr = attr_of(0);
	const uint64_t ids[] = { LEADER, 0, MEMBER };
	struct rebase *rebase = rebase_new();
	struct single block[2] = { single(LEADER, 1000), single(MEMBER, 50) };

	ok(!rebase_has_work(rebase), "without events there is nothing to do");
	rebase_event(rebase, &(struct perf_event_attr){ .sample_type = MADE_SAMPLE_TYPE }, ids, 3);
	ok(!rebase_has_work(rebase), "nor for one without READ");
	rebase_event(rebase, &attr, ids, 3);
	ok(rebase_has_work(rebase), "but for one with it");

	rebase_records(rebase, block, sizeof(block));
	is_u64(block[0].value, 1000, "in the first file a count is as it was made");
	rebase_next(rebase);
	block[0] = single(LEADER, 1300);
	block[1] = single(GONE, 60);
	rebase_records(rebase, block, sizeof(block));
	is_u64(block[0].value, 300, "in the next one it is what was counted since");
	is_u64(block[0].enabled_ns, 3000, "and its time enabled");
	is_u64(block[0].running_ns, 1500, "its time running");
	is_u64(block[0].lost, 3, "its losses");
	is_u64(block[0].id, LEADER, "with its id");
	is_u64(block[1].value, 60, "of an unknown id it remains");

	rebase_event(rebase, &attr, ids, 3);
	rebase_next(rebase);
	block[0] = single(LEADER, 1301);
	block[1] = single(MEMBER, 51);
	rebase_records(rebase, block, sizeof(block));
	is_u64(block[0].value, 1, "a known id remains known");
	is_u64(block[1].value, 1, "also when a file had no sample of it");
	rebase_free(rebase);
}

static void test_group(void)
{
	const struct perf_event_attr attr = attr_of(PERF_FORMAT_GROUP);
	const uint64_t leaders[] = { LEADER }, members[] = { MEMBER };
	struct rebase *rebase = rebase_new();
	struct group block = group(100);

	rebase_event(rebase, &attr, leaders, 1);
	rebase_event(rebase, &attr, members, 1);
	rebase_records(rebase, &block, sizeof(block));
	is_u64(block.members[1].value, 200, "a group: in the first file as it was made");
	rebase_next(rebase);
	block = group(130);
	rebase_records(rebase, &block, sizeof(block));
	is_u64(block.members[0].value, 30, "a group: then the leader's growth");
	is_u64(block.members[1].value, 60, "a group: and each member's");
	is_u64(block.members[1].lost, 0, "a group: its losses");
	is_u64(block.members[2].value, 390, "a group: of an unknown id as it was made");
	is_u64(block.enabled_ns, 300, "a group: the times");
	rebase_free(rebase);
}

/* They are cut off, or say that they have more than they do. */
static void test_short(void)
{
	const struct perf_event_attr attr = attr_of(0), grouped = attr_of(PERF_FORMAT_GROUP);
	const uint64_t leaders[] = { LEADER }, members[] = { MEMBER };
	struct rebase *rebase = rebase_new();
	struct single cut = single(MEMBER, 9);
	struct group many = group(9);

	rebase_event(rebase, &grouped, leaders, 1);
	rebase_event(rebase, &attr, members, 1);
	rebase_next(rebase);
	cut.sample.header.size = sizeof(cut) - sizeof(uint64_t);
	rebase_records(rebase, &cut, cut.sample.header.size);
	is_u64(cut.value, 9, "a sample without its last field remains");
	many.count = UINT64_MAX / 2;
	rebase_records(rebase, &many, sizeof(many));
	is_u64(many.members[0].value, 9, "a group of more members than it has as well");
	cut.sample.header.size = 4;
	rebase_records(rebase, &cut, sizeof(cut));
	is_u64(cut.value, 9, "and what is after a size that cannot be");
	rebase_free(rebase);
}

int main(void)
{
	plan_lazy();
	test_single();
	test_group();
	test_short();
	rebase_free(NULL);
	return done();
}
