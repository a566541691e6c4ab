/* SPDX-License-Identifier: MIT */
#include "source/replay-inside.h"

#include <unistd.h>

#include "base/sys.h"

/* More intervals than this without any record are one, and nobody waits for its end. */
#define EMPTY_INTERVALS_MAX 100

static struct snapshot *build(struct replay *replay, uint64_t now_ns, bool is_final)
{
	struct model_tick tick = {
		.now_ns = now_ns,
		.wall_ns = (int64_t)now_ns + replay->clock.offset_ns,
		.target_s = (double)replay->interval_ns / 1e9,
		.is_final = is_final,
		.max_sample_rate = -1,
		.cpu_time_max_percent = -1,
		.cpu_ns = sys_cpu_ns(),
		.rss_bytes = sys_rss_bytes(),
	};

	return file_model_tick(replay->model, &tick);
}

/* Put it into the mailbox, which is empty. */
static void put(struct replay *replay, const struct snapshot *snap)
{
	replay->source.mailbox.mark = replay->moves;
	mailbox_put(&replay->source.mailbox, snap);
}

/* The last interval's: a move that was under way has arrived.  What main has already is not shown again. */
static void publish(struct replay *replay, const struct snapshot *snap)
{
	bool has_arrived = replay->pace.is_moving;

	if (has_arrived && replay->is_away)
		snapshot_release(snap);
	else
		put(replay, snap);
	if (has_arrived) {
		replay->is_away = false;
		pace_stay(&replay->pace);
		pace_set(&replay->pace, replay->pace.passed_ns);
		replay_arrived(replay);
	}
}

/* The snapshot of the interval that ends there. */
static const struct snapshot *end_at(struct replay *replay, uint64_t end_ns)
{
	struct snapshot *snap = build(replay, end_ns, false);

	past_add(&replay->past, snap, replay->pace.passed_ns, end_ns);
	replay->pace.passed_ns = end_ns;
	snapshot_release(replay->newest);
	replay->newest = snapshot_hold(snap);
	return snap;
}

/* Wait until main has taken the last snapshot, or for a command. */
static void wait_taken(struct replay *replay)
{
	uint64_t count;

	replay_look(replay, replay->source.mailbox.taken, -1);
	if (read(replay->source.mailbox.taken, &count, sizeof(count)) < 0)
		return;
}

void replay_publish_held(struct replay *replay)
{
	if (replay->held == NULL || !mailbox_is_free(&replay->source.mailbox))
		return;
	put(replay, replay->held);
	replay->held = NULL;
}

/*
 * End the interval at `end_ns`: publish it when it is due, unless a move passes it by.  False: it goes
 * on, because of a command.
 */
static bool end_interval(struct replay *replay, uint64_t end_ns, bool is_last)
{
	while (!replay_is_stopping(replay) && (is_last || end_ns == replay->next_tick_ns)) {
		int msec = pace_msec(&replay->pace, end_ns);

		replay_publish_held(replay);
		if (!is_last && pace_passes_by(&replay->pace, end_ns)) {
			snapshot_release(end_at(replay, end_ns));
			replay_look(replay, -1, 0); /* there may be many without a record */
			return true;
		} else if (!mailbox_is_free(&replay->source.mailbox)) {
			wait_taken(replay);
		} else if (msec != 0) {
			replay_look(replay, -1, msec);
		} else {
			publish(replay, end_at(replay, end_ns));
			return true;
		}
	}
	return false;
}

void replay_publish_final(struct replay *replay)
{
	mailbox_wait_free(&replay->source.mailbox);
	put(replay, build(replay, replay->newest_ns, true));
}

void replay_show_end(struct replay *replay)
{
	end_interval(replay, replay->newest_ns, true);
	while (!replay_is_stopping(replay)) {
		replay_publish_held(replay);
		if (!mailbox_is_free(&replay->source.mailbox))
			wait_taken(replay);
		else if (!replay->pace.is_moving)
			replay_look(replay, -1, -1);
		else
			publish(replay, snapshot_hold(replay->newest));
	}
}

/* False: the interval goes on, because of a command, or the replay ends. */
static bool tick(struct replay *replay)
{
	if (replay->config.iterations != 0 && ++replay->ticks >= replay->config.iterations) {
		replay->is_finishing = true;
		return false;
	}
	if (!end_interval(replay, replay->next_tick_ns, false))
		return false;
	replay->next_tick_ns += replay->interval_ns;
	return true;
}

/* The interval has no record yet, and the next is of `time_ns`: a long gap, or a time that is damaged. */
static void skip_gap(struct replay *replay, uint64_t time_ns)
{
	const uint64_t nempty = (time_ns - replay->next_tick_ns) / replay->interval_ns;

	if (nempty < EMPTY_INTERVALS_MAX)
		return;
	replay->next_tick_ns += nempty * replay->interval_ns;
	pace_set(&replay->pace, replay->next_tick_ns);
}

static void start_clock(struct replay *replay, uint64_t time_ns)
{
	uint64_t first_ns = (uint64_t)(replay->first_tick_s * 1e9);

	replay->start_ns = replay->newest_ns = time_ns;
	pace_set(&replay->pace, time_ns);
	if (first_ns > replay->interval_ns)
		first_ns = replay->interval_ns;
	replay->next_tick_ns = time_ns + first_ns;
	file_model_start(replay->model, time_ns);
}

void replay_reach(struct replay *replay, uint64_t time_ns)
{
	bool is_empty = false;

	if (replay->start_ns == 0)
		start_clock(replay, time_ns);
	while (time_ns > replay->next_tick_ns && !replay_is_stopping(replay)) {
		if (is_empty)
			skip_gap(replay, time_ns);
		is_empty = tick(replay);
	}
	if (replay_is_stopping(replay))
		return;
	if (time_ns > replay->newest_ns)
		replay->newest_ns = time_ns;
}

static void end_round_interval(struct replay *replay)
{
	if (!replay->is_round_due)
		return;
	replay->is_round_due = false;
	replay->next_tick_ns = replay->newest_ns;
	tick(replay);
}

void replay_round(struct replay *replay, uint64_t time_ns)
{
	if (replay->start_ns == 0)
		start_clock(replay, FILE_STAT_START_NS);
	end_round_interval(replay);
	if (replay_is_stopping(replay))
		return;
	if (time_ns > replay->newest_ns && time_ns <= FILE_TIME_MAX_NS) {
		uint64_t half_ns = (time_ns - replay->newest_ns) / 2;

		replay->newest_ns = time_ns;
		replay->is_round_due = time_ns + half_ns >= replay->next_tick_ns;
	}
	file_model_end_round(replay->model, replay->newest_ns);
}
