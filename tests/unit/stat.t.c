/* SPDX-License-Identifier: MIT */
/* Files of perf stat record, written by the test: counts, rounds, units; and records that make no sense. */
#include "play-file.h"

#include "perfdata/layout.h"

#include <stdlib.h>

struct stat_record {
	struct perf_event_header header;
	uint64_t id;
	uint32_t cpu, thread;
	uint64_t value, enabled_ns, running_ns;
};

struct round_record {
	struct perf_event_header header;
	uint64_t type, time_ns;
};

struct attr_record {
	struct perf_event_header header;
	struct perf_event_attr attr;
};

struct update_record {
	struct perf_event_header header;
	uint64_t type, id;
	union {
		double scale;
		char text[16];
	};
};

enum { UPDATE_UNIT, UPDATE_SCALE };
enum { ON_TASK = -1 };

static void put(struct perfdata_writer *writer, const void *record)
{
	const struct perf_event_header *header = record;

	if (perfdata_writer_records(writer, record, header->size) != 0)
		bail("%s: %s", path, strerror(errno));
}

/* A total, counted in the first `running` of `enabled` seconds. */
static void put_stat(struct perfdata_writer *writer, uint64_t id, int cpu, uint64_t value,
		     double enabled, double running)
{
	const struct stat_record record = { { PERFDATA_RECORD_STAT, 0, sizeof(record) },
					    id,
					    (uint32_t)cpu,
					    0,
					    value,
					    (uint64_t)(enabled * NSEC_PER_SEC),
					    (uint64_t)(running * NSEC_PER_SEC) };

	put(writer, &record);
}

static void put_round(struct perfdata_writer *writer, double seconds)
{
	const struct round_record record = { { PERFDATA_RECORD_STAT_ROUND, 0, sizeof(record) },
					     0,
					     (uint64_t)(seconds * NSEC_PER_SEC) };

	put(writer, &record);
}

/* An event without an id: it could not be opened. */
static void put_attr(struct perfdata_writer *writer)
{
	const struct attr_record record = {
		{ PERFDATA_RECORD_HEADER_ATTR, 0, sizeof(record) },
		{ .type = PERF_TYPE_HARDWARE,
		  .config = PERF_COUNT_HW_CPU_CYCLES,
		  .size = sizeof(struct perf_event_attr),
		  .sample_type = PERF_SAMPLE_IDENTIFIER },
	};

	put(writer, &record);
}

/* Of three events: software with the ids 5 and 6, of a PMU with 7, and one that could not be opened. */
static struct perfdata_writer *begin_stat(void)
{
	const struct perfdata_writer_origin origin = made_origin();
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					.config = PERF_COUNT_SW_PAGE_FAULTS,
					.size = sizeof(attr),
					.sample_type = PERF_SAMPLE_IDENTIFIER };
	const uint64_t software[] = { 5, 6 }, pmu[] = { 7 };
	struct perfdata_writer *writer = perfdata_writer_open(path, &origin);

	if (writer == NULL)
		bail("%s: %s", path, strerror(errno));
	perfdata_writer_event(writer, 0, &attr, "page-faults", software, 2);
	attr.type = 40;
	perfdata_writer_event(writer, 1, &attr, "power/energy/", pmu, 1);
	perfdata_writer_begin(writer);
	put_attr(writer);
	return writer;
}

static uint64_t total_of(const struct play *play, size_t event)
{
	return play->snap->events[event].total;
}

/* --- tests ------------------------------------------------------------------------------------ */

/* Three rounds of two CPUs, then counts without a round: perf stat ended. */
static void make_rounds(void)
{
	struct perfdata_writer *writer = begin_stat();

	for (int i = 1; i <= 3; i++) {
		put_stat(writer, 5, 0, 10 * (uint64_t)i, i, i);
		put_stat(writer, 6, 1, 1, i, i);
		put_round(writer, i + 0.01 * (i % 2));
	}
	put_stat(writer, 5, 0, 1000, 3.1, 3.1);
	perfdata_writer_close(writer);
}

static void test_rounds(void)
{
	const struct replay_config config = { .interval_s = 1 };
	const uint64_t counts[] = { 11, 10, 10 };
	struct play play;
	bool are_equal = true;

	make_rounds();
	begin(&play, &config);
	for (int i = 0; i < 3; i++) {
		take(&play);
		are_equal &= play.snap->events[0].count == counts[i];
		if (i == 1)
			ok(play.snap->interval_s > 0.98 && play.snap->interval_s < 1,
			   "an interval is as long as from round to round (%g s)",
			   play.snap->interval_s);
	}
	ok(are_equal, "a snapshot for each round, with its counts");
	ok(play.snap->is_final, "the last round is the final snapshot's");
	is_u64(total_of(&play, 0), 31, "what is counted after the last round is left out");
	is_u64(play.snap->events[0].cpus[0].total, 30, "by CPU: 0");
	is_u64(play.snap->events[0].cpus[1].total, 1, "by CPU: 1");
	ok(play.snap->ncpus == 2, "no CPU but those that were counted");
	ok(play.snap->events[0].sampling == SAMPLING_NONE, "it has no samples");
	ok(source_complaint(play.replay) == NULL, "nothing is damaged");
	end(&play);
}

static void test_long_intervals(void)
{
	const struct replay_config config = { .interval_s = 1 };
	struct perfdata_writer *writer = begin_stat();
	struct play play;

	for (int i = 1; i <= 20; i++) {
		put_stat(writer, 5, 0, (uint64_t)i, i * 0.1, i * 0.1);
		put_round(writer, i * 0.1);
	}
	perfdata_writer_close(writer);
	begin(&play, &config);
	take(&play);
	is_u64(play.snap->events[0].count, 10, "ten rounds in the first second");
	take_all(&play);
	is_int(play.taken, 2, "two snapshots");
	is_u64(total_of(&play, 0), 20, "all rounds");
	end(&play);
}

static void test_units(void)
{
	const struct replay_config config = { .interval_s = 1 };
	struct perfdata_writer *writer = begin_stat();
	struct update_record update = { .header = { PERFDATA_RECORD_EVENT_UPDATE, 0,
						    sizeof(update) },
					.id = 7 };
	struct play play;

	update.type = UPDATE_UNIT;
	memcpy(update.text, "Joules", sizeof("Joules"));
	put(writer, &update);
	memset(update.text, 0, sizeof(update.text));
	update.type = UPDATE_SCALE;
	update.scale = 0.25;
	put(writer, &update);
	put_stat(writer, 7, 0, 100, 1, 0.5);
	put_round(writer, 1);
	perfdata_writer_close(writer);
	begin(&play, &config);
	take_all(&play);
	is_str(play.snap->events[1].unit, "0.25 Joules", "scale and unit are the file's");
	is_u64(total_of(&play, 1), 100, "the count is not scaled");
	ok(play.snap->events[1].running > 0.49 && play.snap->events[1].running < 0.51,
	   "multiplexed: it was counted half of the time");
	ok(play.snap->events[2].state == EVENT_STATE_FAILED, "without an fd it has failed");
	end(&play);
}

static void test_task(void)
{
	const struct replay_config config = { .interval_s = 1 };
	struct perfdata_writer *writer = begin_stat();
	struct play play;

	put_stat(writer, 5, ON_TASK, 3, 0.1, 0.1);
	put_stat(writer, 6, ON_TASK, 4, 0.1, 0.1);
	put_round(writer, 1);
	perfdata_writer_close(writer);
	begin(&play, &config);
	take_all(&play);
	is_u64(total_of(&play, 0), 7, "two threads of a process");
	ok(play.snap->ncpus == 1 && play.snap->cpus[0].id == CPU_UNKNOWN, "their CPU is unknown");
	end(&play);
}

/* Read twice: as it ends, and from its start with the event off. */
static void test_off(void)
{
	const struct replay_config config = { .interval_s = 1, .stays = true };
	struct play play;

	make_rounds();
	begin(&play, &config);
	struct replay_file file = replay_file(play.replay);

	ok(file.can_move && file.last_s - file.first_s > 3 && file.last_s - file.first_s < 3.1,
	   "it is as long as its rounds (%g s)", file.last_s - file.first_s);
	while (play.taken == 0 || play.snap->nnotes == 0)
		take(&play);
	is_u64(total_of(&play, 0), 31, "on a screen the end has all rounds too");
	source_move(play.replay, file.first_s);
	take(&play);
	is_u64(total_of(&play, 0), 11, "moved back to the first round");
	source_toggle(play.replay, 0);
	source_move(play.replay, file.first_s);
	take(&play);
	ok(play.snap->events[0].state == EVENT_STATE_OFF && total_of(&play, 0) == 0,
	   "an event that is off does not count");
	end(&play);
}

static void test_nonsense(void)
{
	const struct replay_config config = { .interval_s = 1 };
	struct perfdata_writer *writer = begin_stat();
	const struct perf_event_header empty_stat = { PERFDATA_RECORD_STAT, 0, sizeof(empty_stat) };
	const struct perf_event_header empty_round = { PERFDATA_RECORD_STAT_ROUND, 0,
						       sizeof(empty_round) };
	struct play play;

	put(writer, &empty_stat);
	put(writer, &empty_round);
	put_stat(writer, 0, 0, 100, 1, 1);
	put_stat(writer, 999, 0, 100, 1, 1);
	put_stat(writer, 5, 0, 100, 1, 1);
	put_round(writer, 1);
	put_stat(writer, 5, 0, 1, 2, 2);
	put_round(writer, 0.5);
	put_stat(writer, 5, 1000000, 3, 3, 3);
	put_round(writer, 1e10);
	put_round(writer, 2);
	perfdata_writer_close(writer);
	begin(&play, &config);
	take_all(&play);
	is_u64(total_of(&play, 0), 102, "unknown ids and falling counts add nothing");
	char *complaint = source_complaint(play.replay);
	ok(complaint != NULL && strstr(complaint, " 2 records") != NULL,
	   "two short records are damage: %s", complaint);
	free(complaint);
	end(&play);
}

int main(void)
{
	int fd = mkstemp(path);

	plan_lazy();
	if (fd < 0)
		bail("%s: %s", path, strerror(errno));
	close(fd);
	test_rounds();
	test_long_intervals();
	test_units();
	test_task();
	test_off();
	test_nonsense();
	unlink(path);
	return done();
}
