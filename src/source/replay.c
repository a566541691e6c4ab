/* SPDX-License-Identifier: MIT */
#include "source/replay.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sys.h"
#include "base/xalloc.h"
#include "source/replay-inside.h"

/* Check for commands after so many records: about every 100 us. */
#define RECORDS_BETWEEN_LOOKS 1024
/*
 * A directory's files have no rounds, so the buffer always gets full; merged by time, they need no more
 * than what the rings of one thread held.
 */
#define ORDER_BYTES_MANY (32u << 20)
#define PAST_BYTES	 (24u << 20)
/* Sizes of temporary files; most is never written. */
#define ORDER_FILE_BYTES (4ull << 30)
#define PAST_FILE_BYTES	 (1ull << 30)

/* --- commands ------------------------------------------------------------------------------- */

static struct replay *replay_of(struct source *source)
{
	return (struct replay *)source;
}

bool replay_is_stopping(const struct replay *replay)
{
	return replay->is_finishing || replay->pace.goes_back;
}

/* Seconds since 1970, of any value, in the file's time; exact to 400 ns. */
static uint64_t file_time(const struct replay *replay, double seconds)
{
	double ns = seconds * 1e9 - (double)replay->clock.offset_ns;
	uint64_t most_ns = FILE_TIME_MAX_NS;

	if (!(ns >= 1))
		return 1;
	return ns < (double)most_ns ? (uint64_t)ns : most_ns;
}

static void hold(struct replay *replay, const struct snapshot *snap)
{
	snapshot_release(replay->held);
	replay->held = snap != NULL ? snapshot_hold(snap) : NULL;
}

/* Bring the model to the time that is shown. */
static void come_back(struct replay *replay)
{
	if (replay->is_away && !replay->pace.is_moving)
		pace_move(&replay->pace, replay->away_ns);
}

/* What is kept is shown at once.  While it is paused the model need not follow. */
static void move(struct replay *replay, uint64_t time_ns)
{
	const struct snapshot *kept = past_find(&replay->past, time_ns);

	replay->moves++;
	hold(replay, kept);
	replay->is_away = kept != NULL && kept != replay->newest;
	replay->away_ns = time_ns;
	if (kept == NULL || (replay->is_away && !replay->pace.is_paused))
		pace_move(&replay->pace, time_ns);
	else
		pace_stay(&replay->pace);
	replay_publish_held(replay);
}

static void defer(struct replay *replay, const struct command *command)
{
	replay->later = xreallocarray(replay->later, replay->nlater + 1, sizeof(*replay->later));
	replay->later[replay->nlater++] = *command;
}

/* What is built from now on is not what reading the file from its start would give. */
static void forget_past(struct replay *replay)
{
	if (replay->start_ns != 0)
		past_stop(&replay->past);
}

/* Of a command that changes what is counted, at the time that is shown: whether the model is there. */
static bool is_there(struct replay *replay, const struct command *command)
{
	forget_past(replay);
	come_back(replay);
	if (!replay->pace.is_moving)
		return true;
	defer(replay, command);
	return false;
}

/* The next interval ends so long after the last record, or after the last end if none came since. */
static void set_interval(struct replay *replay, double seconds)
{
	uint64_t from_ns = replay->newest_ns;

	if (from_ns < replay->pace.passed_ns)
		from_ns = replay->pace.passed_ns;
	replay->interval_ns = (uint64_t)(seconds * 1e9);
	replay->next_tick_ns = from_ns + replay->interval_ns;
}

static void obey(struct replay *replay, const struct command *command)
{
	switch (command->kind) {
	case COMMAND_TOGGLE:
		if (is_there(replay, command))
			file_model_toggle(replay->model, command->id);
		break;
	case COMMAND_ZERO:
		if (is_there(replay, command))
			file_model_zero(replay->model);
		break;
	case COMMAND_INTERVAL:
		forget_past(replay);
		set_interval(replay, command->seconds);
		break;
	case COMMAND_STREAM:
		forget_past(replay);
		file_model_stream(replay->model);
		break;
	case COMMAND_PAUSE:
		pace_pause(&replay->pace, command->is_on);
		if (!command->is_on)
			come_back(replay);
		break;
	case COMMAND_MOVE:
		if (replay->nlater > 0)
			defer(replay, command);
		else
			move(replay, file_time(replay, command->seconds));
		break;
	case COMMAND_FINISH:
		replay->is_finishing = true;
		break;
	case COMMAND_ADD: /* live only */
	case COMMAND_REMOVE:
		break;
	}
}

void replay_arrived(struct replay *replay)
{
	struct command *list = replay->later;
	size_t count = replay->nlater;

	replay->later = NULL;
	replay->nlater = 0;
	for (size_t i = 0; i < count; i++)
		obey(replay, &list[i]);
	free(list);
}

bool replay_look(struct replay *replay, int fd, int timeout_msec)
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
	while (!replay_is_stopping(replay)) {
		if (replay_look(replay, fd, -1))
			return 0;
	}
	return -1;
}

/* --- records -------------------------------------------------------------------------------- */

static void on_record(void *ctx, uint64_t time_ns, uint32_t event,
		      const struct perf_event_header *header)
{
	struct replay *replay = ctx;

	if (replay_is_stopping(replay))
		return;
	if (time_ns != 0)
		replay_reach(replay, time_ns);
	if (replay_is_stopping(replay))
		return;
	file_model_feed(replay->model, &(struct decoder_peek){ time_ns, event }, header);
}

static void take_stat(struct replay *replay, const struct perf_event_header *header)
{
	if (header->type == PERFDATA_RECORD_STAT) {
		struct stat_count stat = stat_count_of(header);

		file_model_stat(replay->model, &stat);
	} else {
		replay_round(replay, stat_round_ns(header));
	}
}

static void take_record(struct replay *replay, size_t stream,
			const struct perf_event_header *header)
{
	struct decoder_peek peek;

	if (header->type == PERFDATA_RECORD_FINISHED_ROUND) {
		order_round(replay->order);
		return;
	}
	if (header->type > PERFDATA_RECORD_FIRST) {
		take_stat(replay, header);
		return;
	}
	file_model_sync(replay->model);
	if (!file_model_peek(replay->model, header, &peek)) {
		perfdata_reject(replay->data, peek.event == DECODER_NO_EVENT ?
						      "a record is of none of the file's events" :
						      "the fields of a record make no sense");
		return;
	}
	if (header->type == PERF_RECORD_SAMPLE && peek.time_ns != 0 &&
	    !file_clock_fits(&replay->clock, peek.time_ns)) {
		perfdata_doubt(replay->data, "the time of a sample is far from the file's times");
		peek.time_ns = 0;
	}
	merge_reach(replay->merge, stream, peek.time_ns);
	order_push(replay->order, header, peek.time_ns, peek.event);
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
		if (++replay->records % RECORDS_BETWEEN_LOOKS == 0 && !replay_is_stopping(replay))
			replay_look(replay, -1, 0);
	} while (!replay_is_stopping(replay) && merge_is_next(replay->merge, stream));
	return true;
}

static void read_all(struct replay *replay)
{
	while (!replay_is_stopping(replay) && read_stream(replay))
		;
	if (!replay_is_stopping(replay))
		order_flush(replay->order);
}

static char *complaint_of(const struct source *source)
{
	const struct replay *replay = (const struct replay *)source;
	const struct perfdata_damage *damage = perfdata_damage(replay->data);
	char unread[80] = "", where[64] = "", file[32] = "";

	if (order_is_lacking(replay->order))
		return xstrdup("partly read: the temporary file could not be read again");
	if (damage->count == 0)
		return NULL;
	if (damage->bytes > 0 || damage->records > 0)
		snprintf(unread, sizeof(unread), "%llu bytes and %llu record%s were not; ",
			 (unsigned long long)damage->bytes, (unsigned long long)damage->records,
			 damage->records == 1 ? "" : "s");
	if (damage->type != 0)
		snprintf(where, sizeof(where), "record of type %u ", damage->type);
	if (damage->stream > 0)
		snprintf(file, sizeof(file), " of data.%zu", damage->stream - 1);
	return xasprintf("partly read: %s%s (%sat offset %llu%s)", unread, damage->what, where,
			 (unsigned long long)damage->offset, file);
}

static void note_late(struct replay *replay)
{
	unsigned long long late = order_late(replay->order);
	char text[96];

	if (late == 0)
		return;
	snprintf(text, sizeof(text), "%llu record%s after newer ones, perhaps too late for %s",
		 late, late == 1 ? " came" : "s came",
		 late == 1 ? "its interval" : "their intervals");
	file_model_note(replay->model, text);
}

static void note_end(struct replay *replay)
{
	char *complaint = complaint_of(&replay->source);

	file_model_note(replay->model, complaint != NULL ? complaint : "the end of the file");
	free(complaint);
}

static void begin(struct replay *replay, struct file_model *model)
{
	const struct order_sink sink = { replay, on_record };

	replay->model = model;
	if (replay->config.nfds > 1)
		replay->order = order_new(&sink, ORDER_BYTES_MANY, NULL);
	else
		replay->order = order_new(&sink, 0, replay->order_file);
}

static void begin_again(struct replay *replay)
{
	struct file_model *old = replay->model;

	order_free(replay->order);
	begin(replay, file_model_again(old));
	file_model_free(old);
	replay->start_ns = replay->next_tick_ns = replay->newest_ns = 0;
	replay->records = replay->ticks = 0;
	replay->is_round_due = false;
	snapshot_release(replay->newest);
	replay->newest = NULL;
	merge_again(replay->merge);
	pace_again(&replay->pace);
	past_again(&replay->past);
	if (perfdata_rewind(replay->data) != 0)
		file_model_note(replay->model, "the file cannot be read again");
}

static void *replay_main(void *arg)
{
	struct replay *replay = arg;

	replay_look(replay, -1, 0); /* a command from before the start */
	for (;;) {
		read_all(replay);
		file_model_sync(replay->model);
		note_late(replay);
		if (replay->config.stays && !replay_is_stopping(replay)) {
			note_end(replay);
			replay_show_end(replay);
		}
		if (!replay->pace.goes_back || replay->is_finishing)
			break;
		begin_again(replay);
	}
	replay_publish_final(replay);
	return NULL;
}

/* --- life ----------------------------------------------------------------------------------- */

static double wall_s(const struct replay *replay, uint64_t file_ns)
{
	return (double)((int64_t)file_ns + replay->clock.offset_ns) / 1e9;
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
	pthread_setname_np(replay->thread, SOURCE_THREAD_NAME);
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
	snapshot_release(replay->held);
	past_fini(&replay->past);
	free(replay->later);
	order_free(replay->order);
	tempfile_free(replay->order_file);
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
	struct replay_file file = { .can_move = perfdata_can_rewind(replay->data) };

	if (replay->clock.last_ns != 0) {
		file.first_s = wall_s(replay, replay->clock.first_ns);
		file.last_s = wall_s(replay, replay->clock.last_ns);
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
		if (config->stays && perfdata_can_rewind(replay->data))
			past_init(&replay->past, PAST_BYTES, PAST_FILE_BYTES);
		replay->symbols = file_symbols_new(replay->data, config->kernel);
		replay->merge = merge_new(config->nfds);
		replay->order_file = tempfile_new(ORDER_FILE_BYTES);
		begin(replay, file_model_new(replay->data, replay->symbols, config->keep));
		replay->clock = file_clock_of(replay->data, config->fds[0]);
		return &replay->source;
	}
	if (*error == NULL)
		*error = xstrdup(strerror(errno));
	end(&replay->source, 0);
	return NULL;
}
