/* SPDX-License-Identifier: MIT */
/* A directory of perf record --threads: the records of its files are merged by time. */
#include "source/input-files.h"

#include "made-folder.h"
#include "play-file.h"

#include <fcntl.h>
#include <sys/stat.h>

/* A slot of time of each stream, and what each has. */
#define STEP_NS	 (10 * NSEC_PER_MSEC)
#define EACH	 100u
#define NSTREAMS 3u

static const struct replay_config by_second = { .interval_s = 1 };

static const char *in_folder(const char *name)
{
	static char full[256];

	snprintf(full, sizeof(full), "%s/%s", root, name);
	return full;
}

/* The file with the header, and one record, as it never is without any. */
static void make_head(void)
{
	const struct perfdata_writer_origin origin = made_origin();
	const struct perf_event_attr attr = made_attr(PERF_TYPE_TRACEPOINT, 77);
	const uint64_t ids[] = { ID };
	struct perfdata_writer *writer = perfdata_writer_open(in_folder("data"), &origin);

	if (writer == NULL)
		bail("data: %s", strerror(errno));
	perfdata_writer_event(writer, 0, &attr, "sys:tested", ids, 1);
	perfdata_writer_begin(writer);
	made_samples(writer, ID, START_NS, 0, 1);
	perfdata_writer_close(writer);
}

/* data.NUMBER: a sample in each slot of STEP_NS, so that the files' records alternate. */
static void make_stream(unsigned int number)
{
	struct made_sample samples[EACH];
	char name[32];

	snprintf(name, sizeof(name), "data.%u", number);
	for (unsigned int i = 0; i < EACH; i++)
		samples[i] = made_sample(ID, START_NS + i * STEP_NS + number);

	FILE *file = fopen(in_folder(name), "w");
	if (file == NULL || fwrite(samples, sizeof(samples), 1, file) != 1 || fclose(file) != 0)
		bail("%s: %s", name, strerror(errno));
}

static void make_all(void)
{
	make_head();
	for (unsigned int i = 0; i < NSTREAMS; i++)
		make_stream(i);
}

/* Play the folder: the total of all, and *complaint, which the caller frees. */
static uint64_t play_all(char **complaint)
{
	struct play play;

	begin_at(&play, root, &by_second);
	take_all(&play);
	uint64_t all = total(&play);
	*complaint = source_complaint(play.replay);
	end(&play);
	return all;
}

static void test_all(void)
{
	char *complaint;

	make_all();
	is_u64(play_all(&complaint), 1 + (uint64_t)NSTREAMS * EACH, "the samples of all files");
	ok(complaint == NULL, "nothing is missing");
	free(complaint);
}

static void test_intervals(void)
{
	const struct replay_config config = { .interval_s = 0.25, .stays = true };
	struct play play;

	begin_at(&play, root, &config);
	source_pause(play.replay, true);
	source_move(play.replay, 1e15); /* behind the end */
	take(&play);
	is_u64(total(&play), 1 + (uint64_t)NSTREAMS * EACH, "a move to the end");
	source_move(play.replay, play.snap->time_s - 0.5);
	take(&play);
	ok(total(&play) > EACH && total(&play) < 2 * EACH,
	   "a move back: what all files have up to there (%llu)", (unsigned long long)total(&play));
	source_finish(play.replay, UINT64_MAX);
	take_all(&play);
	end(&play);
}

static void test_cut_off(void)
{
	char *complaint;

	if (truncate(in_folder("data.1"), (EACH - 1) * sizeof(struct made_sample) + 16) != 0)
		bail("truncate: %s", strerror(errno));
	is_u64(play_all(&complaint), (uint64_t)NSTREAMS * EACH,
	       "a file is cut off: all but one sample");
	ok(complaint != NULL && strstr(complaint, "data.1") != NULL, "and the file is named");
	free(complaint);
}

/* What has the name of one of the files, but is none: `make` puts it there. */
static void test_no_file(int (*make)(const char *name), const char *what)
{
	char *complaint;

	unlink(in_folder("data.1"));
	if (make(in_folder("data.1")) != 0)
		bail("data.1: %s", strerror(errno));
	is_u64(play_all(&complaint), 1 + (NSTREAMS - 1ull) * EACH, "%s: the other files are read",
	       what);
	ok(complaint != NULL && strstr(complaint, "data.1") != NULL, "%s: said", what);
	free(complaint);
}

static int make_nothing(const char *name)
{
	(void)name;
	return 0;
}

static int make_fifo(const char *name)
{
	return mkfifo(name, 0600);
}

static int make_link(const char *name)
{
	return symlink("data.0", name);
}

static void test_no_head(void)
{
	struct input_files files = { 0 };

	unlink(in_folder("data"));
	ok(input_files_open(&files, root) != 0 && errno == EISDIR, "no \"data\": a directory");
	ok(input_files_open(&files, in_folder("none")) != 0 && errno == ENOENT, "no such file");
	input_files_close(&files);
}

int main(void)
{
	plan_lazy();
	folder_begin();
	test_all();
	test_intervals();
	test_cut_off();
	test_no_file(make_nothing, "missing");
	test_no_file(make_fifo, "a FIFO");
	test_no_file(make_link, "a symbolic link");
	test_no_head();
	folder_end();
	return done();
}
