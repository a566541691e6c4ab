/* SPDX-License-Identifier: MIT */
/*
 * play-file - for tests that write a file and replay it.
 */
#ifndef PLAY_FILE_H
#define PLAY_FILE_H

#include "source/input-files.h"
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

static inline struct perfdata_writer *begin_file_of(const struct perf_event_attr *attr)
{
	const struct perfdata_writer_origin origin = made_origin();
	const uint64_t ids[] = { ID };
	struct perfdata_writer *writer = perfdata_writer_open(path, &origin);

	if (writer == NULL)
		bail("%s: %s", path, strerror(errno));
	perfdata_writer_event(writer, 0, attr, "sys:tested", ids, 1);
	perfdata_writer_begin(writer);
	return writer;
}

static inline struct perfdata_writer *begin_file(void)
{
	const struct perf_event_attr attr = made_attr(PERF_TYPE_TRACEPOINT, 77);

	return begin_file_of(&attr);
}

static inline void put_samples(struct perfdata_writer *writer, uint64_t from_ns, uint64_t step_ns,
			       unsigned int count)
{
	if (made_samples(writer, ID, START_NS + from_ns, step_ns, count) != 0)
		bail("%s: %s", path, strerror(errno));
	perfdata_writer_round(writer);
}

/* --- the replay ------------------------------------------------------------------------------- */

struct play {
	struct input_files files;
	struct source *replay;
	const struct snapshot *snap; /* the newest */
	unsigned int taken;
	uint64_t counted; /* the sum of their counts */
};

static inline void begin_at(struct play *play, const char *name, const struct replay_config *how)
{
	struct replay_config config = *how;
	char *error = NULL;

	memset(play, 0, sizeof(*play));
	if (input_files_open(&play->files, name) != 0)
		bail("%s: %s", name, strerror(errno));
	config.fds = play->files.fds;
	config.nfds = play->files.count;
	config.keep.top = 10;
	play->replay = replay_open(&config, &error);
	if (play->replay == NULL)
		bail("%s: %s", name, error);
	if (source_start(play->replay, config.interval_s) != NULL)
		bail("no thread: %s", strerror(errno));
}

static inline void begin(struct play *play, const struct replay_config *how)
{
	begin_at(play, path, how);
}

/* The next one: there must be one.  Those from before a move are dropped. */
static inline void take(struct play *play)
{
	struct pollfd filled = { .fd = source_fd(play->replay), .events = POLLIN };

	snapshot_release(play->snap);
	play->snap = NULL;
	while (play->snap == NULL && poll(&filled, 1, PATIENCE_MSEC) > 0)
		play->snap = source_take(play->replay);
	if (play->snap == NULL)
		bail("no snapshot came");
	play->taken++;
	play->counted += play->snap->events[0].count;
}

static inline void take_all(struct play *play)
{
	do
		take(play);
	while (play->taken < SNAPSHOTS_MAX && !play->snap->is_final);
}

static inline uint64_t total(const struct play *play)
{
	return play->snap->events[0].total;
}

static inline void end(struct play *play)
{
	snapshot_release(play->snap);
	source_free(play->replay, UINT64_MAX);
	input_files_close(&play->files);
}

/* 100 samples a second for 2.5 s: from 0 to 2.49 s. */
static inline void make_steady(void)
{
	struct perfdata_writer *writer = begin_file();

	put_samples(writer, 0, 10 * NSEC_PER_MSEC, 250);
	perfdata_writer_close(writer);
}

#endif
