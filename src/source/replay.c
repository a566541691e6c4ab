/* SPDX-License-Identifier: MIT */
#include "source/replay.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sys.h"
#include "base/xalloc.h"
#include "perfdata/order.h"
#include "perfdata/reader.h"
#include "source/file-clock.h"
#include "source/file-model.h"
#include "source/merge.h"
#include "source/pace.h"

/* Check for commands after so many records: about every 100 us. */
#define RECORDS_BETWEEN_LOOKS 1024
/*
 * A directory's files have no rounds, so the buffer always gets full; merged by time, they need no more
 * than what the rings of one thread held.
 */
#define ORDER_BYTES_MANY (32u << 20)
/* A gap in the file's time of more intervals than this is skipped in one step. */
#define TICKS_OF_GAP_MAX 4096

struct replay {
	struct source source; /* first: a source is cast to its replay */
	struct replay_config config;
	struct perfdata *data;
	int64_t wall_offset_ns; /* wall clock minus the file's clock */
	pthread_t thread;
	bool is_running; /* written by main only while the thread does not run */

	/* Used by the thread only, from here on. */
	struct file_symbols *symbols;
	struct file_model *model;
	struct order *order;
	struct merge *merge;
	bool is_finishing; /* skip further records: the final snapshot is next */
	struct pace pace;
	uint32_t moves;		       /* requested so far */
	const struct snapshot *newest; /* published last */
	uint64_t records;
	uint64_t start_ns, next_tick_ns, newest_ns; /* the file's time; 0: no time known yet */
	double first_tick_s;
	uint64_t interval_ns;
	uint64_t ticks;
};

/* --- commands ------------------------------------------------------------------------------- */

static struct replay *replay_of(struct source *source)
{
	return (struct replay *)source;
}

/* Whether to skip the records that are being read. */
static bool is_stopping(const struct replay *replay)
{
	return replay->is_finishing || replay->pace.goes_back;
}

/* Seconds since 1970, of any value, in the file's time; exact to 400 ns. */
static uint64_t file_time(const struct replay *replay, double seconds)
{
	double ns = seconds * 1e9 - (double)replay->wall_offset_ns;
	uint64_t most_ns = FILE_TIME_MAX_NS;

	if (!(ns >= 1))
		return 1;
	return ns < (double)most_ns ? (uint64_t)ns : most_ns;
}

static void obey(struct replay *replay, const struct command *command)
{
	switch (command->kind) {
	case COMMAND_TOGGLE:
		file_model_toggle(replay->model, command->id);
		break;
	case COMMAND_ZERO:
		file_model_zero(replay->model);
		break;
	case COMMAND_INTERVAL:
		replay->interval_ns = (uint64_t)(command->seconds * 1e9);
		replay->next_tick_ns = replay->newest_ns + replay->interval_ns;
		break;
	case COMMAND_STREAM:
		file_model_stream(replay->model);
		break;
	case COMMAND_PAUSE:
		pace_pause(&replay->pace, command->is_on);
		break;
	case COMMAND_MOVE:
		replay->moves++;
		pace_move(&replay->pace, file_time(replay, command->seconds));
		break;
	case COMMAND_FINISH:
		replay->is_finishing = true;
		break;
	case COMMAND_ADD: /* live only */
	case COMMAND_REMOVE:
		break;
	}
}

/* Wait for a command, which is executed, or for `fd` (-1: none): whether fd is ready. */
static bool look(struct replay *replay, int fd, int timeout_msec)
{
	struct pollfd fds[] = {
		{ .fd = replay->source.commands.out, .events = POLLIN },
		{ .fd = fd, .events = POLLIN },
	};

	if (poll(fds, 2, timeout_msec) <= 0)
		return false;
	if (fds[0].revents & POLLIN) {
		struct command command;

		if (command_take(&replay->source.commands, &command))
			obey(replay, &command);
	}
	return fds[1].revents != 0;
}

/* Called before each read of a pipe, which can be without data for hours: 0, or -1 to end. */
static int wait_for_input(void *ctx, int fd)
{
	struct replay *replay = ctx;

	if (!replay->is_running)
		return 0;
	while (!is_stopping(replay)) {
		if (look(replay, fd, -1))
			return 0;
	}
	return -1;
}

/* --- ticks ---------------------------------------------------------------------------------- */

static struct snapshot *build(struct replay *replay, uint64_t now_ns, bool is_final)
{
	struct model_tick tick = {
		.now_ns = now_ns,
		.wall_ns = (int64_t)now_ns + replay->wall_offset_ns,
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
static void publish(struct replay *replay, const struct snapshot *snap)
{
	replay->source.mailbox.mark = replay->moves;
	snapshot_release(replay->newest);
	replay->newest = snapshot_hold(snap);
	mailbox_put(&replay->source.mailbox, snap);
	if (replay->pace.is_moving)
		pace_set(&replay->pace, replay->pace.passed_ns);
	replay->pace.is_moving = false;
}

/* Wait until main has taken the last snapshot, or for a command. */
static void wait_taken(struct replay *replay)
{
	uint64_t count;

	look(replay, replay->source.mailbox.taken, -1);
	if (read(replay->source.mailbox.taken, &count, sizeof(count)) < 0)
		return;
}

/*
 * End the interval at `end_ns`: publish it when it is due, unless a move passes it by.  False: it goes
 * on, because of a command.
 */
static bool end_interval(struct replay *replay, uint64_t end_ns, bool is_last)
{
	while (!is_stopping(replay) && (is_last || end_ns == replay->next_tick_ns)) {
		int msec = pace_msec(&replay->pace, end_ns);

		if (!is_last && pace_passes_by(&replay->pace, end_ns)) {
			replay->pace.passed_ns = end_ns;
			snapshot_release(build(replay, end_ns, false));
			look(replay, -1, 0); /* there may be many without a record */
			return true;
		}
		if (!mailbox_is_free(&replay->source.mailbox))
			wait_taken(replay);
		else if (msec != 0)
			look(replay, -1, msec);
		else {
			replay->pace.passed_ns = end_ns;
			publish(replay, build(replay, end_ns, false));
			return true;
		}
	}
	return false;
}

static void publish_final(struct replay *replay)
{
	mailbox_wait_free(&replay->source.mailbox);
	publish(replay, build(replay, replay->newest_ns, true));
}

static void tick(struct replay *replay)
{
	if (replay->config.iterations != 0 && ++replay->ticks >= replay->config.iterations) {
		replay->is_finishing = true;
		return;
	}
	if (end_interval(replay, replay->next_tick_ns, false))
		replay->next_tick_ns += replay->interval_ns;
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

/* --- records -------------------------------------------------------------------------------- */

static void on_record(void *ctx, uint64_t time_ns, const struct perf_event_header *header)
{
	struct replay *replay = ctx;

	if (is_stopping(replay))
		return;
	if (time_ns != 0 && replay->start_ns == 0)
		start_clock(replay, time_ns);
	if (time_ns > replay->next_tick_ns && replay->start_ns != 0) {
		uint64_t gap = (time_ns - replay->next_tick_ns) / replay->interval_ns;

		if (gap > TICKS_OF_GAP_MAX)
			replay->next_tick_ns += gap * replay->interval_ns;
		while (time_ns > replay->next_tick_ns && !is_stopping(replay))
			tick(replay);
		if (is_stopping(replay))
			return;
	}
	if (time_ns > replay->newest_ns)
		replay->newest_ns = time_ns;
	file_model_feed(replay->model, header);
}

static void take_record(struct replay *replay, size_t stream,
			const struct perf_event_header *header)
{
	uint64_t time_ns;

	if (header->type == PERFDATA_RECORD_FINISHED_ROUND) {
		order_round(replay->order);
		return;
	}
	file_model_sync(replay->model);
	if (!file_model_peek(replay->model, header, &time_ns)) {
		perfdata_reject(replay->data, "the fields of a record make no sense");
		return;
	}
	merge_reach(replay->merge, stream, time_ns);
	order_push(replay->order, header, time_ns);
}

/* Read on in one stream, until another one is behind it: false at the end of the last one. */
static bool read_stream(struct replay *replay)
{
	const struct perf_event_header *header;
	size_t stream;

	if (!merge_choose(replay->merge, &stream))
		return false;
	do {
		if (perfdata_next(replay->data, stream, &header) != 1) {
			merge_end(replay->merge, stream);
			break;
		}
		take_record(replay, stream, header);
		if (++replay->records % RECORDS_BETWEEN_LOOKS == 0)
			look(replay, -1, 0);
	} while (!is_stopping(replay) && merge_is_next(replay->merge, stream));
	return true;
}

static void read_all(struct replay *replay)
{
	while (!is_stopping(replay) && read_stream(replay))
		;
	if (!is_stopping(replay))
		order_flush(replay->order);
}

static char *complaint_of(const struct source *source)
{
	const struct replay *replay = (const struct replay *)source;
	const struct perfdata_damage *damage = perfdata_damage(replay->data);
	char where[64] = "", file[32] = "";

	if (damage->count == 0)
		return NULL;
	if (damage->type != 0)
		snprintf(where, sizeof(where), "record of type %u ", damage->type);
	if (damage->stream > 0)
		snprintf(file, sizeof(file), " of data.%zu", damage->stream - 1);
	return xasprintf(
		"partly read: %llu bytes and %llu records were not; %s (%sat offset %llu%s)",
		(unsigned long long)damage->bytes, (unsigned long long)damage->records,
		damage->what, where, (unsigned long long)damage->offset, file);
}

static void note_end(struct replay *replay)
{
	char *complaint = complaint_of(&replay->source);

	if (order_late(replay->order) > 0)
		file_model_note(replay->model,
				"some of the file's records came too late for their interval");
	file_model_note(replay->model, complaint != NULL ? complaint : "the end of the file");
	free(complaint);
}

/* Show the end, and show it again when a move leads behind it. */
static void stay_at_end(struct replay *replay)
{
	file_model_sync(replay->model);
	note_end(replay);
	end_interval(replay, replay->newest_ns, true);
	while (!is_stopping(replay)) {
		if (!replay->pace.is_moving)
			look(replay, -1, -1);
		else if (!mailbox_is_free(&replay->source.mailbox))
			wait_taken(replay);
		else
			publish(replay, snapshot_hold(replay->newest));
	}
}

static void begin(struct replay *replay, struct file_model *model)
{
	const struct order_sink sink = { replay, on_record };

	replay->model = model;
	replay->order = order_new(&sink, replay->config.nfds > 1 ? ORDER_BYTES_MANY : 0);
}

static void begin_again(struct replay *replay)
{
	struct file_model *old = replay->model;

	order_free(replay->order);
	begin(replay, file_model_again(old));
	file_model_free(old);
	replay->start_ns = replay->next_tick_ns = replay->newest_ns = 0;
	replay->ticks = 0;
	merge_again(replay->merge);
	pace_again(&replay->pace);
	if (perfdata_rewind(replay->data) != 0)
		file_model_note(replay->model, "the file cannot be read again");
}

static void *replay_main(void *arg)
{
	struct replay *replay = arg;

	look(replay, -1, 0); /* a command from before the start */
	for (;;) {
		read_all(replay);
		if (replay->config.stays && !is_stopping(replay))
			stay_at_end(replay);
		if (!replay->pace.goes_back || replay->is_finishing)
			break;
		begin_again(replay);
	}
	publish_final(replay);
	return NULL;
}

/* --- life ----------------------------------------------------------------------------------- */

static double wall_s(const struct replay *replay, uint64_t file_ns)
{
	return (double)((int64_t)file_ns + replay->wall_offset_ns) / 1e9;
}

static const char *start(struct source *source, double first_tick_s)
{
	struct replay *replay = replay_of(source);

	replay->first_tick_s = first_tick_s;
	replay->is_running = true;
	errno = pthread_create(&replay->thread, NULL, replay_main, replay);
	if (errno != 0) {
		replay->is_running = false;
		return "cannot start its thread";
	}
	pthread_setname_np(replay->thread, "perftop-decoder");
	return NULL;
}

/* The thread checks often for FINISH and then ends: no deadline is needed. */
static bool end(struct source *source, uint64_t until_ns)
{
	struct replay *replay = replay_of(source);

	(void)until_ns;
	if (replay->is_running) {
		source_drain(source, UINT64_MAX);
		pthread_join(replay->thread, NULL);
	}
	source_fini(source);
	snapshot_release(replay->newest);
	order_free(replay->order);
	file_model_free(replay->model);
	file_symbols_free(replay->symbols);
	perfdata_free(replay->data);
	merge_free(replay->merge);
	free(replay);
	return true;
}

struct replay_file replay_file(const struct source *source)
{
	const struct replay *replay = (const struct replay *)source;
	const struct perfdata_origin *origin = perfdata_origin(replay->data);
	struct replay_file file = { .can_move = perfdata_can_rewind(replay->data) };

	if (file_clock_is_time(origin->first_ns) && file_clock_is_time(origin->last_ns)) {
		file.first_s = wall_s(replay, origin->first_ns);
		file.last_s = wall_s(replay, origin->last_ns);
	}
	return file;
}

struct source *replay_open(const struct replay_config *config, char **error)
{
	static const struct source_ops ops = {
		.start = start,
		.complaint = complaint_of,
		.free = end,
	};
	struct replay *replay = xcalloc(1, sizeof(*replay));
	struct input_wait wait = { replay, wait_for_input };
	bool is_init = source_init(&replay->source, &ops) == 0;

	replay->config = *config;
	replay->pace.speed = config->speed;
	replay->interval_ns = (uint64_t)(config->interval_s * 1e9);
	if (is_init)
		replay->data = perfdata_open(config->fds, config->nfds, &wait, error);
	if (replay->data != NULL) {
		replay->symbols = file_symbols_new(replay->data, config->kernel);
		replay->merge = merge_new(config->nfds);
		begin(replay, file_model_new(replay->data, replay->symbols, config->keep));
		replay->wall_offset_ns = file_clock_offset(replay->data, config->fds[0]);
		return &replay->source;
	}
	if (*error == NULL)
		*error = xstrdup(strerror(errno));
	end(&replay->source, 0);
	return NULL;
}
