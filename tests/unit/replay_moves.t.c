/* SPDX-License-Identifier: MIT */
/* A replay that is paused and moved to other times: each interval is as if it was played to it. */
#include "play-file.h"

#include "base/strbuf.h"
#include "output/output.h"
#include "tap.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The file lasts LAST_S seconds; its intervals of a second end 1, 2 ... seconds after its start. */
#define LAST_S 20
#define BACK   (-1e300)
#define AHEAD  1e300

static const struct replay_config by_second = { .interval_s = 1, .stays = true };
static double start_s; /* of the file, since 1970; by the clocks of this machine, at each begin() */

/* In each second more samples than in the one before. */
static void make_growing(void)
{
	struct perfdata_writer *writer = begin_file();

	for (unsigned int i = 0; i < LAST_S; i++)
		put_samples(writer, i * NSEC_PER_SEC + (i != 0), NSEC_PER_MSEC, 10 + i);
	put_samples(writer, LAST_S * NSEC_PER_SEC + NSEC_PER_SEC / 2, 0, 1);
	perfdata_writer_close(writer);
}

/* Which interval it is: 1 for the first; LAST_S + 1 for the rest at the end. */
static long number(const struct play *play)
{
	return (long)(play->snap->time_s - start_s + 0.9);
}

static uint64_t until(long number)
{
	uint64_t sum = 0;

	for (long i = 0; i < number && i < LAST_S; i++)
		sum += 10 + (uint64_t)i;
	return sum + (number > LAST_S);
}

static void is_at(const struct play *play, long want, const char *what)
{
	const struct snap_event *event = &play->snap->events[0];

	is_int((int)number(play), (int)want, "%s: that interval", what);
	is_u64(event->total, until(want), "%s: the total until then", what);
	is_u64(event->count, until(want) - until(want - 1), "%s: the count of it", what);
}

static void move(struct play *play, double seconds)
{
	source_move(play->replay, start_s + seconds);
	take(play);
}

/* Begin, and pause with the first interval shown. */
static void begin_paused(struct play *play)
{
	begin(play, &by_second);
	source_pause(play->replay, true);
	source_move(play->replay, BACK);
	take(play);
	start_s = play->snap->time_s - 1;
}

static void test_there_and_back(void)
{
	struct play play;

	begin_paused(&play);
	is_at(&play, 1, "paused at the start");
	move(&play, 6.5);
	is_at(&play, 7, "forward, in the middle of an interval");
	move(&play, 3.0);
	is_at(&play, 3, "back, to the end of an interval");
	move(&play, 3.0);
	is_at(&play, 3, "to where it is");
	move(&play, 2.2);
	is_at(&play, 3, "to an earlier time of the same interval");
	move(&play, 4.0);
	is_at(&play, 4, "to the next one");
	move(&play, BACK);
	is_at(&play, 1, "before the start");
	end(&play);
}

static void test_end(void)
{
	struct play play;

	begin_paused(&play);
	move(&play, AHEAD);
	is_at(&play, LAST_S + 1, "after the end");
	is_int((int)play.snap->nnotes, 1, "the end is noted");
	move(&play, AHEAD);
	is_at(&play, LAST_S + 1, "after the end again");
	move(&play, LAST_S - 1);
	is_at(&play, LAST_S - 1, "back from the end");
	is_int((int)play.snap->nnotes, 0, "which is not the end");
	move(&play, AHEAD);
	is_at(&play, LAST_S + 1, "to the end once more");
	is_int((int)play.snap->nnotes, 1, "it is noted once");
	end(&play);
}

static void test_pause(void)
{
	struct play play;

	begin_paused(&play);
	struct pollfd filled = { .fd = source_fd(play.replay), .events = POLLIN };
	is_int(poll(&filled, 1, 100), 0, "paused: no other snapshot");
	source_pause(play.replay, false);
	take(&play);
	is_at(&play, 2, "on again: the next one");
	end(&play);
}

/* As with a held-down key: only the last of many moves is shown. */
static void test_many_moves(void)
{
	struct play play;

	begin_paused(&play);
	for (int i = 0; i < 50; i++)
		source_move(play.replay, start_s + 1 + i * 7 % LAST_S);
	move(&play, 5);
	is_at(&play, 5, "the last of many moves");
	struct pollfd filled = { .fd = source_fd(play.replay), .events = POLLIN };
	is_int(poll(&filled, 1, 50), 0, "and only that");
	end(&play);
}

static void test_settings_stay(void)
{
	struct play play;

	begin_paused(&play);
	source_stream(play.replay);
	source_toggle(play.replay, 0);
	move(&play, 8);
	ok(play.snap->events[0].state == EVENT_STATE_OFF, "switched off, and moved on: it is off");
	move(&play, 4);
	ok(play.snap->events[0].state == EVENT_STATE_OFF, "moved back: it is still off");
	is_u64(play.snap->events[0].total, 0, "and counts nothing");
	source_toggle(play.replay, 0);
	move(&play, 3);
	is_u64(play.snap->events[0].total, until(3), "on, and moved back: counted from the start");
	ok(play.snap->npages > 0, "records are still kept");
	end(&play);
}

static void test_zero(void)
{
	struct play play;

	begin_paused(&play);
	source_zero(play.replay);
	move(&play, 4);
	is_u64(total(&play), until(4) - until(1), "zero: on from there the total is since then");
	move(&play, 3);
	is_u64(total(&play), until(3), "zero: back from there it is that of the file");
	end(&play);
}

/* While it waits for its pace. */
static void test_while_playing(void)
{
	struct replay_config config = by_second;
	struct play play;

	config.speed = 0.01;
	begin(&play, &config);
	source_move(play.replay, BACK);
	take(&play);
	start_s = play.snap->time_s - 1;
	source_move(play.replay, start_s + 9);
	take(&play);
	is_at(&play, 9, "a slow replay moves at once");
	source_finish(play.replay, UINT64_MAX);
	take_all(&play);
	ok(play.snap->is_final && total(&play) >= until(9), "and ends there");
	end(&play);
}

static void test_shorter_interval(void)
{
	struct play play;

	begin_paused(&play);
	source_interval(play.replay, 0.5);
	move(&play, 2.9);
	ok(play.snap->interval_s > 0.49 && play.snap->interval_s < 0.51,
	   "an interval of half a second");
	move(&play, 0.6);
	ok(play.snap->interval_s > 0.49 && play.snap->interval_s < 0.51, "also when moved back");
	is_u64(total(&play), until(1), "with the total until then");
	end(&play);
}

/* The snapshot as JSON, but for what it says of ourselves. */
static char *json_of(const struct play *play)
{
	struct strbuf text;

	strbuf_init(&text);
	output_json()->put(&text, play->snap, NULL);
	char *self = strstr(text.text, "\"self\"");
	if (self != NULL)
		*self = '\0';
	return text.text;
}

/* After a command that can change what is built, the interval is read again. */
static void test_same(void)
{
	struct play play;

	begin_paused(&play);
	source_stream(play.replay);
	for (int i = 2; i <= 12; i++)
		move(&play, i);
	char *played = json_of(&play);
	move(&play, 15);
	move(&play, 12);
	char *moved = json_of(&play);
	is_str(moved, played, "all of a snapshot is the same, played or moved to");
	free(played);
	free(moved);
	end(&play);
}

/* Swap the file's bytes with those in `bytes`. */
static void swap_file(int fd, char *bytes, size_t len)
{
	char *were = malloc(len);

	if (pread(fd, were, len, 0) != (ssize_t)len || pwrite(fd, bytes, len, 0) != (ssize_t)len)
		bail("%s: %s", path, strerror(errno));
	memcpy(bytes, were, len);
	free(were);
}

/* What was read needs no second reading: the file has none of it any more. */
static void test_kept(void)
{
	struct play play;
	int fd = open(path, O_RDWR);
	size_t len = (size_t)lseek(fd, 0, SEEK_END);
	char *zeros = calloc(len, 1);

	begin_paused(&play);
	move(&play, AHEAD);
	swap_file(fd, zeros, len);
	move(&play, 5);
	is_at(&play, 5, "kept");
	move(&play, BACK);
	is_at(&play, 1, "kept: the first");
	move(&play, LAST_S + 0.2);
	is_at(&play, LAST_S + 1, "kept: the last");
	move(&play, 6.5);
	is_at(&play, 7, "kept: in the middle of it");
	swap_file(fd, zeros, len);
	source_pause(play.replay, false);
	take(&play);
	is_at(&play, 8, "on from there");
	end(&play);
	free(zeros);
	close(fd);
}

/* At the time that is shown, not where the reading is. */
static void test_kept_and_changed(void)
{
	struct play play;

	begin_paused(&play);
	move(&play, 12);
	move(&play, 5);
	source_zero(play.replay);
	move(&play, 8);
	is_u64(total(&play), until(8) - until(5), "zeroed at the time that was shown");
	move(&play, 3);
	is_u64(total(&play), until(3), "before that the total is the file's");
	move(&play, 10);
	move(&play, 6);
	source_toggle(play.replay, 0);
	move(&play, 9);
	ok(play.snap->events[0].state == EVENT_STATE_OFF, "switched off from there on");
	is_u64(total(&play), until(6), "with the total until then");
	end(&play);
}

/*
 * One sample a second, each with its round, and `first` more at the start: so that once the thread,
 * which looks for commands after every 1,024 records, does so directly after the move back.
 */
static void back_and_on_at_once(unsigned int first)
{
	struct perfdata_writer *writer = begin_file();
	struct play play;
	unsigned int wrong = 0;

	put_samples(writer, 0, 0, first);
	for (unsigned int i = 0; i < 560; i++)
		put_samples(writer, i * NSEC_PER_SEC + (i != 0), 0, 1);
	perfdata_writer_close(writer);
	begin_paused(&play);
	for (unsigned int at = 480; at < 540; at++) {
		source_stream(play.replay); /* drops the intervals that are kept */
		move(&play, at);
		source_stream(play.replay);
		source_move(play.replay, BACK);
		move(&play, at + 10);
		wrong += total(&play) != at + 10 + first;
	}
	is_int((int)wrong, 0, "a move back, and at once one forward: no record is left out");
	end(&play);
}

/* No record came for longer than the new interval. */
static void shorter_interval_in_a_gap(void)
{
	struct perfdata_writer *writer = begin_file();
	struct play play;

	put_samples(writer, 0, NSEC_PER_MSEC, 10);
	put_samples(writer, 9 * NSEC_PER_SEC, NSEC_PER_MSEC, 10);
	perfdata_writer_close(writer);
	begin_paused(&play);
	move(&play, 4);
	source_interval(play.replay, 0.5);
	source_pause(play.replay, false);
	take(&play);
	is_int(lround((play.snap->time_s - start_s) * 10), 45,
	       "a shorter interval, in a gap: the next one");
	is_int(lround(play.snap->interval_s * 10), 5, "as long as it is to be");
	end(&play);
}

int main(void)
{
	struct play play;

	plan_lazy();
	int fd = mkstemp(path);
	if (fd < 0)
		bail("no temporary file: %s", strerror(errno));
	make_growing();
	begin(&play, &by_second);
	ok(replay_file(play.replay).can_move, "a file can be moved in");
	end(&play);
	test_there_and_back();
	test_end();
	test_pause();
	test_many_moves();
	test_settings_stay();
	test_zero();
	test_while_playing();
	test_shorter_interval();
	test_same();
	test_kept();
	test_kept_and_changed();
	shorter_interval_in_a_gap();
	back_and_on_at_once(2);
	back_and_on_at_once(3);
	close(fd);
	unlink(path);
	return done();
}
