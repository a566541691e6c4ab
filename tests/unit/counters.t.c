/* SPDX-License-Identifier: MIT */
#include "capture/counters.h"

#include "base/abi.h"
#include "capture/features.h"
#include "faults.h"
#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define PAGES 100

static struct features features;

static uint64_t lost_format(void)
{
	return features.has_format_lost ? ABI_FORMAT_LOST : 0;
}

static int open_faults(bool has_lost)
{
	return faults_open(has_lost ? ABI_FORMAT_LOST : 0, 0, -1);
}

static const struct count *read_all(struct counters *counters)
{
	static enum counts_of turn;

	turn = turn == COUNTS_EVEN ? COUNTS_ODD : COUNTS_EVEN;
	return counters_read(counters, turn, features.has_format_lost);
}

/* --- without a kernel ----------------------------------------------------------------------- */

static void check_words(void)
{
	struct counters *counters = counters_new(3, 2);
	static const int fds[] = { 0, 1, 1048575 };

	is_int(counters_fd(counters, 2, 1), -1, "no fd at first");
	is_int(counters_clear(counters, 2, 1), -1, "and none to clear");
	for (size_t i = 0; i < 3; i++) {
		counters_set(counters, i, 1, fds[i], UINT32_MAX - (uint32_t)i);
		is_int(counters_fd(counters, i, 1), fds[i], "fd %d is kept beside its generation",
		       fds[i]);
	}
	is_int(counters_fd(counters, 1, 0), -1, "its neighbour has none");
	for (size_t i = 0; i < 3; i++) {
		is_int(counters_clear(counters, i, 1), fds[i], "clear returns it");
		is_int(counters_clear(counters, i, 1), -1, "once");
	}
	counters_free(counters);
	counters_free(NULL);
}

/* An fd that cannot be read as a counter: not open. */
static void check_no_counter(void)
{
	struct counters *counters = counters_new(2, 1);
	int empty = open("/dev/null", O_RDONLY | O_CLOEXEC);

	counters_set(counters, 0, 0, empty, 1);
	counters_set(counters, 1, 0, 1 << 20, 1);
	const struct count *counts = read_all(counters);
	ok(!counts[0].is_open, "a read of 0 bytes is no count (an event in error)");
	ok(!counts[1].is_open, "nor is a read that fails");
	close(empty);
	counters_free(counters);
}

/* --- with its events ------------------------------------------------------------------------ */

static void check_counts(void)
{
	struct counters *counters = counters_new(3, 1);
	int fd = open_faults(features.has_format_lost);

	const struct count *counts = read_all(counters);
	ok(!counts[0].is_open && !counts[1].is_open && !counts[2].is_open, "nothing open at first");
	counters_set(counters, 1, 0, fd, 7);
	counts = read_all(counters);
	ok(counts[1].is_open, "an fd that was set is read");
	is_u64(counts[1].generation, 7, "with its generation");
	is_u64(counts[1].lost, 0, "nothing lost");
	ok(!counts[0].is_open && !counts[2].is_open, "the others are still closed");

	struct count before = counts[1];
	faults_make(PAGES);
	counts = read_all(counters);
	ok(counts[1].value >= before.value + PAGES, "%d page faults are counted", PAGES);
	ok(counts[1].enabled_ns > before.enabled_ns && counts[1].running_ns > before.running_ns,
	   "and the times go on");
	ok(counts[1].running_ns <= counts[1].enabled_ns, "running no longer than enabled");

	counters_disable(counters);
	counts = read_all(counters);
	uint64_t value = counts[1].value;
	faults_make(PAGES);
	const struct count *later = read_all(counters);
	is_u64(later[1].value, value, "a disabled one does not count");
	ok(later[1].is_open, "but can be read");
	ok(later != counts && counts[1].value == value,
	   "what was read before is not written over by the next reading");

	is_int(counters_clear(counters, 1, 0), fd, "clear returns the fd");
	counts = read_all(counters);
	ok(!counts[1].is_open, "and its count is removed");
	is_u64(counts[1].value, 0, "its value too");
	close(fd);

	fd = open_faults(features.has_format_lost);
	counters_set(counters, 1, 0, fd, 8);
	counts = read_all(counters);
	ok(counts[1].is_open && counts[1].generation == 8, "opened again, a new generation");
	ok(counts[1].value < PAGES, "begins at zero again");
	close(counters_clear(counters, 1, 0));
	counters_free(counters);
}

/* An event of several tasks is the sum of its fds. */
static void check_targets(void)
{
	struct counters *counters = counters_new(1, 3);
	int first = open_faults(features.has_format_lost);
	int third = open_faults(features.has_format_lost);

	counters_set(counters, 0, 0, first, 1);
	counters_set(counters, 0, 2, third, 1);
	uint64_t before = read_all(counters)[0].value;
	faults_make(PAGES);
	const struct count *count = read_all(counters);
	ok(count->value >= before + 2 * PAGES, "two fds of one event are added");
	ok(count->is_open && count->generation == 1, "and are one event");

	uint64_t both = count->value;
	counters_clear(counters, 0, 0);
	count = read_all(counters);
	ok(count->is_open, "one that is left is enough to be open");
	ok(count->value >= PAGES && count->value < both, "with its own count alone");
	counters_disable(counters);
	close(first);
	close(third);
	counters_free(counters);
}

/* The leader's fd has the counts of all, its own first. */
static void check_group(void)
{
	struct counters *counters = counters_new(2, 1);
	int leader = faults_open(PERF_FORMAT_GROUP | lost_format(), 0, -1);

	faults_make(PAGES);
	int member = faults_open(lost_format(), 0, leader);
	counters_set_group(counters, 0, true);
	counters_set(counters, 0, 0, leader, 1);
	counters_set(counters, 1, 0, member, 1);
	faults_make(PAGES);
	counters_disable(counters);
	const struct count *counts = read_all(counters);
	ok(counts[0].is_open && counts[1].is_open, "a leader and its member are read");
	ok(counts[0].value >= 2 * PAGES && counts[1].value >= PAGES &&
		   counts[0].value >= counts[1].value + PAGES,
	   "each has its own count (%llu, %llu)", (unsigned long long)counts[0].value,
	   (unsigned long long)counts[1].value);
	ok(counts[0].id != 0 && counts[1].id != 0 && counts[0].id != counts[1].id, "and id");
	is_u64(counts[0].lost, 0, "nothing lost");
	ok(counts[0].running_ns > 0 && counts[0].running_ns <= counts[0].enabled_ns,
	   "the times are the group's");
	close(member);
	close(leader);
	counters_free(counters);
}

#define MEMBERS 3

/* Each counts from its opening on: the first has the most. */
static void open_members(struct counters *counters, int leader, int *fds)
{
	for (size_t i = 0; i < MEMBERS; i++) {
		uint64_t id = 0;

		fds[i] = faults_open(lost_format(), 0, leader);
		if (fds[i] < 0 || ioctl(fds[i], PERF_EVENT_IOC_ID, &id) < 0)
			bail("member %zu: %s", i, strerror(errno));
		/* The last member is event 0: not the order of the group. */
		counters_set_id(counters, MEMBERS - 1 - i, id);
		faults_make(PAGES);
	}
}

/* Events of a bundle are read through its leader: their own fds here cannot be read. */
static void check_bundle(void)
{
	struct counters *counters = counters_new(MEMBERS + 1, 1);
	int leader = faults_open(PERF_FORMAT_GROUP | lost_format(), 0, -1);
	int fds[MEMBERS], alone = open_faults(features.has_format_lost);
	int unreadable = open("/dev/null", O_RDONLY | O_CLOEXEC);

	open_members(counters, leader, fds);
	for (size_t event = 0; event < MEMBERS; event++)
		counters_set(counters, event, 0, unreadable, (uint32_t)event + 1);
	counters_set(counters, MEMBERS, 0, alone, 1);
	ok(!counters_has_bundles(counters) && !read_all(counters)[0].is_open, "no leader at first");
	counters_set_leader(counters, 0, leader);
	ok(counters_has_bundles(counters), "there is one");

	const struct count *counts = read_all(counters);

	ok(counts[0].is_open && counts[1].is_open && counts[2].is_open, "all are read through it");
	ok(counts[0].value >= PAGES && counts[1].value >= counts[0].value + PAGES &&
		   counts[2].value >= counts[1].value + PAGES,
	   "each has its own count (%llu, %llu, %llu)", (unsigned long long)counts[0].value,
	   (unsigned long long)counts[1].value, (unsigned long long)counts[2].value);
	ok(counts[1].id != 0 && counts[1].generation == 2, "id and generation");
	ok(counts[1].lost == 0 && counts[1].running_ns > 0 &&
		   counts[1].running_ns <= counts[1].enabled_ns,
	   "losses and times");
	ok(counts[MEMBERS].is_open && counts[MEMBERS].value >= MEMBERS * PAGES,
	   "one that is no member is read by itself");

	close(fds[1]);
	counts = read_all(counters);
	ok(counts[0].is_open && !counts[1].is_open && counts[2].is_open,
	   "so is one that has left the group");
	counters_set_leader(counters, 0, unreadable);
	counts = read_all(counters);
	ok(!counts[0].is_open && counts[MEMBERS].is_open, "and all if the leader cannot be read");
	close(unreadable);
	close(alone);
	close(fds[0]);
	close(fds[2]);
	close(leader);
	counters_free(counters);
}

/* has_lost must be what the fds were opened with. */
static void check_lost_format(void)
{
	struct counters *counters = counters_new(1, 1);
	int fd = open_faults(false);

	counters_set(counters, 0, 0, fd, 1);
	ok(counters_read(counters, COUNTS_ALONE, false)->is_open,
	   "without PERF_FORMAT_LOST there are three values");
	ok(!counters_read(counters, COUNTS_ALONE, true)->is_open, "and a fourth is not made up");
	close(fd);
	counters_free(counters);
}

int main(void)
{
	plan_lazy();
	features_probe(&features);
	check_words();
	check_no_counter();

	int fd = open_faults(false);
	if (fd < 0) {
		skip(1, "no event of this thread may be opened: %s", strerrorname_np(errno));
		return done();
	}
	close(fd);
	check_counts();
	check_targets();
	check_group();
	check_bundle();
	check_lost_format();
	return done();
}
