/* SPDX-License-Identifier: MIT */
/* Files that the test writes, replayed: the ticks of the file's clock, commands, pace and end. */
#include "source/replay.h"

#include "base/sys.h"
#include "made-perfdata.h"
#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#define ID	      5u
#define START_NS      (1000 * NSEC_PER_SEC)
#define PATIENCE_MSEC 20000
#define SNAPSHOTS_MAX 10000

static char path[] = "/tmp/replay.XXXXXX";

/* --- the file --------------------------------------------------------------------------------- */

static struct perfdata_writer *begin_file(void)
{
	const struct perfdata_writer_origin origin = made_origin();
	const struct perf_event_attr attr = made_attr(PERF_TYPE_TRACEPOINT, 77);
	const uint64_t ids[] = { ID };
	struct perfdata_writer *writer = perfdata_writer_open(path, &origin);

	if (writer == NULL)
		bail("%s: %s", path, strerror(errno));
	perfdata_writer_event(writer, 0, &attr, "sys:tested", ids, 1);
	perfdata_writer_begin(writer);
	return writer;
}

static void put_samples(struct perfdata_writer *writer, uint64_t from_ns, uint64_t step_ns,
			unsigned int count)
{
	if (made_samples(writer, ID, START_NS + from_ns, step_ns, count) != 0)
		bail("%s: %s", path, strerror(errno));
	perfdata_writer_round(writer);
}

/* --- the replay ------------------------------------------------------------------------------- */

struct play {
	int fd;
	struct source *replay;
	const struct snapshot *snap; /* the newest */
	unsigned int taken;
	uint64_t counted; /* the sum of their counts */
};

static void begin(struct play *play, const struct replay_config *how)
{
	struct replay_config config = *how;
	char *error = NULL;

	memset(play, 0, sizeof(*play));
	play->fd = open(path, O_RDONLY | O_CLOEXEC);
	config.fd = play->fd;
	config.top = 10;
	play->replay = replay_open(&config, &error);
	if (play->replay == NULL)
		bail("%s: %s", path, error);
	if (source_start(play->replay, config.interval_s) != NULL)
		bail("no thread: %s", strerror(errno));
}

/* The next one: there must be one. */
static void take(struct play *play)
{
	struct pollfd filled = { .fd = source_fd(play->replay), .events = POLLIN };

	snapshot_release(play->snap);
	play->snap = NULL;
	if (poll(&filled, 1, PATIENCE_MSEC) > 0)
		play->snap = source_take(play->replay);
	if (play->snap == NULL)
		bail("no snapshot came");
	play->taken++;
	play->counted += play->snap->events[0].count;
}

static void take_all(struct play *play)
{
	do
		take(play);
	while (play->taken < SNAPSHOTS_MAX && !play->snap->is_final);
}

static uint64_t total(const struct play *play)
{
	return play->snap->events[0].total;
}

static void end(struct play *play)
{
	snapshot_release(play->snap);
	source_free(play->replay, UINT64_MAX);
	close(play->fd);
}

/* --- tests ------------------------------------------------------------------------------------ */

/* 100 samples a second for 2.5 s: from 0 to 2.49 s. */
static void make_steady(void)
{
	struct perfdata_writer *writer = begin_file();

	put_samples(writer, 0, 10 * NSEC_PER_MSEC, 250);
	perfdata_writer_close(writer);
}

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

/* Two weeks between two samples, in intervals of a second. */
static void test_gap(void)
{
	const struct replay_config config = { .interval_s = 1 };
	struct perfdata_writer *writer = begin_file();
	struct play play;

	put_samples(writer, 0, 0, 1);
	put_samples(writer, 14 * 86400 * NSEC_PER_SEC, 0, 1);
	perfdata_writer_close(writer);
	begin(&play, &config);
	take_all(&play);
	ok(play.taken < 10, "a long gap is passed in one step (%u snapshots)", play.taken);
	is_u64(total(&play), 2, "and what is after it counts");
	end(&play);
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
	with_pipe.fd = fds[0];
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

int main(void)
{
	plan_lazy();
	int fd = mkstemp(path);
	if (fd < 0)
		bail("no temporary file: %s", strerror(errno));
	test_ticks();
	test_iterations();
	test_gap();
	test_pace();
	test_stays();
	test_commands();
	test_free();
	test_pipe();
	test_damage();
	close(fd);
	unlink(path);
	return done();
}
