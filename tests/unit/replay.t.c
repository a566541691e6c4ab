/* SPDX-License-Identifier: MIT */
/* Files that the test writes, replayed: the ticks of the file's clock, commands, pace and end. */
#include "play-file.h"

#include "base/sys.h"
#include "source/pace.h"
#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- tests ------------------------------------------------------------------------------------ */

static void test_ticks(void)
{
	const struct replay_config config = { .interval_s = 1 };
	struct play play;

	make_steady();
	begin(&play, &config);
	take(&play);
	ok(play.snap->events[0].count == 101, "a snapshot of the first second");
	poll(NULL, 0, 50); /* the next one is not taken in time */
	take_all(&play);
	is_int(play.taken, 3, "one a second, and the final one");
	is_u64(total(&play), 250, "all samples");
	is_u64(play.counted, 250, "each in one of them");
	ok(play.snap->interval_s > 0.4 && play.snap->interval_s < 0.6, "the last is half as long");
	ok(source_complaint(play.replay) == NULL, "nothing is damaged");
	end(&play);
}

static void test_iterations(void)
{
	const struct replay_config config = { .interval_s = 0.5, .iterations = 2 };
	struct play play;

	begin(&play, &config);
	take_all(&play);
	is_int(play.taken, 2, "-n 2: two snapshots");
	ok(total(&play) >= 100 && total(&play) <= 102, "-n 2: of two intervals");
	end(&play);
}

/* Two weeks between two samples, in intervals of 20 ms. */
static void test_gap(void)
{
	const struct replay_config config = { .interval_s = 0.02, .speed = 1 };
	struct perfdata_writer *writer = begin_file();
	struct play play;

	put_samples(writer, 0, 0, 1);
	put_samples(writer, 14 * 86400 * NSEC_PER_SEC, 0, 1);
	perfdata_writer_close(writer);
	begin(&play, &config);
	take(&play);
	ok(play.snap->events[0].count == 1 && play.snap->interval_s < 0.03,
	   "an interval before a gap is as long as the others");
	take(&play);
	ok(play.snap->events[0].count == 0 && play.snap->interval_s > 1e6,
	   "the gap is one interval, for which nobody waits");
	take_all(&play);
	is_u64(total(&play), 2, "and what is after it counts");
	is_int(play.taken, 3, "in the final one");
	end(&play);
}

static void test_short_gap(void)
{
	const struct replay_config config = { .interval_s = 1 };
	struct perfdata_writer *writer = begin_file();
	struct play play;

	put_samples(writer, 0, 0, 1);
	put_samples(writer, 60 * NSEC_PER_SEC + 1, 0, 1);
	perfdata_writer_close(writer);
	begin(&play, &config);
	take_all(&play);
	is_int(play.taken, 61, "a gap of a minute is shown second by second");
	end(&play);
}

/* Where the clock of a paused replay was put. */
static void test_pause_in_gap(void)
{
	struct pace pace = { .speed = 1, .passed_ns = START_NS };

	pace_pause(&pace, true);
	pace_set(&pace, 2 * START_NS);
	is_int(pace_msec(&pace, 2 * START_NS), -1, "paused in a gap: its end waits");
	pace_pause(&pace, false);
	is_int(pace_msec(&pace, 2 * START_NS), 0, "and comes at once when it goes on");
}

/* Never sooner than the file's clock; how much later depends on the machine. */
static void test_pace(void)
{
	const struct replay_config config = { .interval_s = 0.5, .speed = 10 };
	struct play play;

	make_steady();
	uint64_t start_ns = sys_monotonic_ns();
	begin(&play, &config);
	take(&play);
	ok(sys_monotonic_ns() - start_ns >= 50 * NSEC_PER_MSEC, "speed: the first tick waits");
	take_all(&play);
	ok(sys_monotonic_ns() - start_ns >= 200 * NSEC_PER_MSEC, "speed: so do the others");
	is_u64(total(&play), 250, "speed: all samples");
	end(&play);
}

/* A screen stays at the end of the file until the user quits. */
static void test_stays(void)
{
	const struct replay_config config = { .interval_s = 10, .stays = true };
	struct play play;

	begin(&play, &config);
	take(&play);
	ok(!play.snap->is_final && total(&play) == 250, "stays: the end of the file is shown");
	is_int(play.snap->nnotes, 1, "stays: and noted");
	source_toggle(play.replay, 0);
	source_finish(play.replay, UINT64_MAX);
	source_finish(play.replay, UINT64_MAX); /* q, and then a signal */
	take_all(&play);
	is_int(play.taken, 2, "stays: the final one comes when it is asked for");
	ok(play.snap->events[0].state == EVENT_STATE_OFF, "stays: commands work until then");
	end(&play);
}

static void test_commands(void)
{
	const struct replay_config config = { .interval_s = 1, .stays = true };
	struct play play;

	begin(&play, &config);
	take(&play);
	source_zero(play.replay); /* somewhere between here and the end of the file */
	source_interval(play.replay, 100);
	source_finish(play.replay, UINT64_MAX);
	take_all(&play);
	ok(total(&play) < 250, "commands: zero resets the total");
	ok(play.snap->target_s > 99, "commands: the interval has changed");
	end(&play);
}

/* Freed in mid-file, with a snapshot that was not taken. */
static void test_free(void)
{
	const struct replay_config config = { .interval_s = 0.01 };
	struct play play;

	begin(&play, &config);
	take(&play);
	ok(!play.snap->is_final, "freed in the middle: it ends");
	end(&play);
}

static void test_pipe(void)
{
	const struct replay_config config = { .interval_s = 1 };
	struct play play = { 0 };
	struct replay_config with_pipe = config;
	char *error = NULL;
	int fds[2];

	if (pipe(fds) != 0)
		bail("pipe: %s", strerror(errno));
	close(fds[1]);
	with_pipe.fds = fds;
	with_pipe.nfds = 1;
	play.replay = replay_open(&with_pipe, &error);
	ok(play.replay == NULL && error != NULL, "an empty pipe is no recording");
	free(error);
	close(fds[0]);
}

static void test_damage(void)
{
	static const char zeros[64];
	const struct replay_config config = { .interval_s = 1 };
	struct play play;

	make_steady();
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	if (pwrite(fd, zeros, sizeof(zeros), 4096) != sizeof(zeros))
		bail("%s: %s", path, strerror(errno));
	close(fd);
	begin(&play, &config);
	take_all(&play);
	ok(total(&play) > 50 && total(&play) < 250, "damage: what is before it is counted");
	char *complaint = source_complaint(play.replay);
	ok(complaint != NULL, "damage: and what is missing is reported");
	free(complaint);
	end(&play);
}

/* Without counts in its samples an event's total is of those that there are, and of the lost ones. */
static void test_lost(void)
{
	const struct replay_config config = { .interval_s = 1 };
	struct perf_event_attr attr = made_attr(PERF_TYPE_TRACEPOINT, 77);
	struct {
		struct perf_event_header header;
		uint64_t lost;
		uint32_t pid, tid;
		uint64_t time_ns;
		uint32_t cpu, reserved;
		uint64_t id;
	} lost = { .header = { PERF_RECORD_LOST_SAMPLES, 0, sizeof(lost) }, .lost = 7, .id = ID };
	struct perfdata_writer *writer;
	struct play play;

	attr.sample_period = 3;
	writer = begin_file_of(&attr);
	put_samples(writer, 0, 10, 5);
	for (unsigned int i = 0; i < 4; i++) {
		lost.time_ns = START_NS + 100 + i;
		perfdata_writer_records(writer, &lost, sizeof(lost));
	}
	perfdata_writer_round(writer);
	perfdata_writer_close(writer);
	begin(&play, &config);
	take_all(&play);
	is_u64(play.snap->events[0].sampled, 5, "lost: the samples that there are");
	is_u64(play.snap->events[0].lost, 4 * 7, "lost: and all that are lost");
	is_u64(total(&play), 3 * (5 + 4 * 7), "lost: each stands for its period");
	end(&play);
}

/* With counts in its samples the total is what these say. */
static void test_values(void)
{
	const struct replay_config config = { .interval_s = 1 };
	struct perf_event_attr attr = made_attr(PERF_TYPE_TRACEPOINT, 77);
	struct {
		struct made_sample made;
		uint64_t value, id;
	} sample = { .id = ID };
	struct perfdata_writer *writer;
	struct play play;

	attr.sample_type |= PERF_SAMPLE_READ;
	attr.read_format = PERF_FORMAT_ID;
	writer = begin_file_of(&attr);
	for (unsigned int i = 1; i <= 6; i++) {
		sample.made = made_sample(ID, START_NS + i);
		sample.made.header.size = sizeof(sample);
		sample.value = 10 * i;
		perfdata_writer_records(writer, &sample, sizeof(sample));
	}
	perfdata_writer_round(writer);
	perfdata_writer_close(writer);
	begin(&play, &config);
	take_all(&play);
	is_u64(play.snap->events[0].sampled, 6, "values: all samples");
	is_u64(total(&play), 60, "values: the count in the last one");
	is_u64(play.counted, 60, "values: which the intervals share");
	end(&play);
}

/* As where a file's table of ids is damaged.  With one event only, all samples would be taken as its. */
static void test_unknown_id(void)
{
	const struct replay_config config = { .interval_s = 1 };
	const struct perfdata_writer_origin origin = made_origin();
	const struct perf_event_attr attr = made_attr(PERF_TYPE_TRACEPOINT, 77);
	struct perfdata_writer *writer = perfdata_writer_open(path, &origin);
	struct play play;

	for (uint32_t event = 0; event < 2; event++) {
		const uint64_t ids[] = { ID + event };

		perfdata_writer_event(writer, event, &attr, "sys:tested", ids, 1);
	}
	perfdata_writer_begin(writer);
	put_samples(writer, 0, 1, 3);
	made_samples(writer, ID + 2, START_NS + 3, 1, 2);
	perfdata_writer_round(writer);
	perfdata_writer_close(writer);
	begin(&play, &config);
	take_all(&play);
	is_u64(total(&play), 3, "unknown id: samples of other ids are read");
	char *complaint = source_complaint(play.replay);
	ok(complaint != NULL && strstr(complaint, " 2 records") != NULL &&
		   strstr(complaint, "events") != NULL,
	   "unknown id: %s", complaint);
	free(complaint);
	end(&play);
}

int main(void)
{
	plan_lazy();
	int fd = mkstemp(path);
	if (fd < 0)
		bail("no temporary file: %s", strerror(errno));
	test_ticks();
	test_iterations();
	test_gap();
	test_short_gap();
	test_pause_in_gap();
	test_pace();
	test_stays();
	test_commands();
	test_free();
	test_pipe();
	test_damage();
	test_lost();
	test_values();
	test_unknown_id();
	close(fd);
	unlink(path);
	return done();
}
