/* SPDX-License-Identifier: MIT */
/* The recorder with a scripted event set and access; what it wrote is read back by our own reader. */
#include "source/recorder.h"

#include "base/sys.h"
#include "decode/record.h"
#include "fake-evset.h"
#include "fake-kernel.h"
#include "made-perfdata.h"
#include "perfdata/reader.h"
#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define SLOTS 2
#define NAME  "recorded" /* this thread's, to be found in the file */

enum { TESTED = EVSET_FIRST, OTHER, EVENTS };

/* --- the event set ---------------------------------------------------------------------------- */

int evset_cpu(const struct evset *set, size_t slot)
{
	(void)set;
	return slot == 0 ? 0 : 3;
}

bool evset_watches_all(const struct evset *set)
{
	(void)set;
	return false;
}

bool evset_watches(const struct evset *set, pid_t task)
{
	(void)set;
	return task == getpid();
}

static bool has_clock; /* the kernel is of 4.1 or later */
static struct evset_event events[EVENTS];
static uint64_t ids[EVENTS][SLOTS];
static const struct evset set = { events, EVENTS, SLOTS, 0 };

static void make_set(void)
{
	static const uint64_t first_ids[EVENTS][SLOTS] = { { 1, 2 }, { 3, 4 }, { 5, 6 } };

	memcpy(ids, first_ids, sizeof(ids));
	for (uint32_t i = 0; i < EVENTS; i++) {
		bool is_side = i < EVSET_FIRST;

		events[i] = (struct evset_event){
			.state = i == OTHER ? EVSET_FAILED : EVSET_ON,
			.attr = is_side ? made_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY) :
					  made_attr(PERF_TYPE_TRACEPOINT, FAKE_ID),
			.spec.kind = is_side ? EVENT_SOFTWARE : EVENT_TRACEPOINT,
			.ids = ids[i],
		};
		events[i].attr.use_clockid = has_clock;
		events[i].attr.clockid = CLOCK_MONOTONIC;
	}
	events[EVSET_OWNER].spec.name = (char *)"dummy";
	events[EVSET_SWITCH].spec.name = (char *)"dummy:switch";
	events[TESTED].spec.name = (char *)"sys:tested:u";
	events[OTHER].spec.name = (char *)"sys:other";
}

/* --- the file --------------------------------------------------------------------------------- */

static const struct rotation_plan one_file;
static char *const argv[] = { (char *)"perftop-ng", NULL };
static char path[] = "/tmp/recorder.XXXXXX";
static int file;

static void feed(struct recorder *recorder, unsigned int count)
{
	recorder_times(recorder, 100, 100 + count - 1);
	for (unsigned int i = 0; i < count; i++) {
		const struct made_sample sample = made_sample(5, 100 + i);

		recorder_block(recorder, 0, &sample, sizeof(sample));
	}
}

struct found {
	unsigned int samples, rounds, names, kernels, losses;
	uint64_t lost;
	char lost_where[64]; /* "id cpu CPU at time, " of each */
	char maps[256]; /* "start+length@offset major:minor inode name, " of each that is of this process */
	unsigned int foreign_maps;
};

static bool is_our_name(const struct perf_event_header *header)
{
	const struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		char comm[];
	} *comm = (const void *)header;

	return comm->tid == (uint32_t)getpid() && strcmp(comm->comm, NAME) == 0;
}

static void add_lost(struct found *found, const struct perfdata *data,
		     const struct perf_event_header *header)
{
	struct record_layout layout;
	struct record record;
	size_t len = strlen(found->lost_where);

	record_layout_from_attr(&perfdata_event(data, 0)->attr, &layout);
	if (!record_decode(header, &layout, &record))
		return;
	found->losses++;
	found->lost += record.lost_samples.lost;
	snprintf(found->lost_where + len, sizeof(found->lost_where) - len, "%llu cpu %u at %llu, ",
		 (unsigned long long)record.id, record.cpu, (unsigned long long)record.time_ns);
}

static void add_map(struct found *found, const struct perfdata *data,
		    const struct perf_event_header *header)
{
	struct record_layout layout;
	struct record record;
	struct record_map map;
	size_t len = strlen(found->maps);

	record_layout_from_attr(&perfdata_event(data, 0)->attr, &layout);
	if (!record_decode(header, &layout, &record) || !record_map(&record, &map) ||
	    !map.is_code || record.time_ns != 0 || map.pid != (uint32_t)getpid() ||
	    map.tid != map.pid) {
		found->foreign_maps++;
		return;
	}
	snprintf(found->maps + len, sizeof(found->maps) - len, "%llx+%llx@%llx %x:%x %llu %.*s, ",
		 (unsigned long long)map.start, (unsigned long long)map.len,
		 (unsigned long long)map.offset, map.major, map.minor,
		 (unsigned long long)map.inode, (int)map.name_len, map.name);
}

static struct found read_records(struct perfdata *data)
{
	const struct perf_event_header *header;
	struct found found = { 0 };

	while (perfdata_next(data, 0, &header) == 1) {
		found.samples += header->type == PERF_RECORD_SAMPLE;
		found.rounds += header->type == PERFDATA_RECORD_FINISHED_ROUND;
		found.kernels += header->type == PERF_RECORD_MMAP;
		if (header->type == PERF_RECORD_MMAP2)
			add_map(&found, data, header);
		found.names += header->type == PERF_RECORD_COMM && is_our_name(header);
		if (header->type == PERF_RECORD_LOST_SAMPLES)
			add_lost(&found, data, header);
	}
	return found;
}

static struct perfdata *reopen(void)
{
	char *error = NULL;

	lseek(file, 0, SEEK_SET);
	struct perfdata *data = perfdata_open(&file, 1, NULL, &error);
	if (!ok(data != NULL, "the file opens: %s", error != NULL ? error : ""))
		bail("nothing was recorded");
	free(error);
	return data;
}

/* End the recording, and read it. */
static struct found recorded_by(struct recorder *recorder)
{
	recorder_free(recorder);

	struct perfdata *data = reopen();
	struct found found = read_records(data);
	perfdata_free(data);
	return found;
}

/* --- tests ------------------------------------------------------------------------------------ */

static struct recorder *open_with(const struct access *access)
{
	make_set();
	struct recorder *recorder = recorder_open(path, &set, &one_file, access, argv);

	if (recorder == NULL)
		bail("%s: %s", path, strerror(errno));
	for (uint32_t i = 0; i < EVENTS; i++)
		recorder_event(recorder, i);
	return recorder;
}

static void check_times(const struct perfdata_origin *origin)
{
	uint64_t to_now_ns = (uint64_t)sys_wall_ns() - origin->wall_ns;
	uint64_t clock_to_now_ns = sys_monotonic_ns() - origin->wall_clock_ns;

	is_u64(origin->first_ns, 100, "the time of the first sample");
	is_u64(origin->last_ns, 101, "and of the last before the end");
	ok(to_now_ns < 60 * NSEC_PER_SEC && clock_to_now_ns < 60 * NSEC_PER_SEC,
	   "both clocks at one time of this run");
}

static void test_whole(void)
{
	struct fake_kernel kernel = { .format = FAKE_FORMAT,
				      .kallsyms = "ffffffff80000000 T _stext\n"
						  "ffffffff81000000 T _text\n"
						  "ffffffff82000000 T _text\n" };
	const struct access access = fake_access(&kernel);
	has_clock = true;
	struct recorder *recorder = open_with(&access);

	is_int(kernel.formats, 1, "a format is read of what is open, and of nothing else");
	is_str(kernel.asked, "sys/tested", "by its name without modifiers");
	recorder_begin(recorder);
	feed(recorder, 5);
	recorder_round(recorder);
	ids[TESTED][1] = 66; /* opened again */
	recorder_event(recorder, TESTED);
	is_int(kernel.formats, 1, "a format is read once");
	feed(recorder, 2);
	recorder_lost(recorder, TESTED, 0, 0, 105);
	recorder_lost(recorder, TESTED, 1, 40, 106);
	ids[TESTED][1] = 0; /* its CPU is offline */
	recorder_await_room(recorder);
	recorder_lost(recorder, TESTED, 1, 42, 107);
	ok(recorder_note(recorder) == NULL, "there is no note");
	recorder_end(recorder);
	ok(recorder_failure(recorder) == NULL, "and no failure");
	feed(recorder, 1); /* nothing may come after the end */
	recorder_free(recorder);

	struct perfdata *data = reopen();
	struct found found = read_records(data);
	const struct perfdata_event *tested = perfdata_event(data, TESTED);
	is_u64(perfdata_damage(data)->count, 0, "nothing is damaged: %s",
	       perfdata_damage(data)->what);
	is_int((int64_t)perfdata_count(data), OTHER, "all events but the one without an id");
	is_str(perfdata_event(data, EVSET_OWNER)->name, "dummy", "the first is ours");
	is_str(perfdata_event(data, EVSET_SWITCH)->name, "dummy:switch", "each has its own name");
	is_str(tested->name, "sys:tested:u", "one by its name");
	is_int((int64_t)tested->nids, SLOTS + 1, "with the ids of both times that it was opened");
	is_str(fieldformats_name(perfdata_formats(data), FAKE_ID), "sys:tested", "its format");
	is_int(found.samples, 7, "all samples, none from after the end");
	is_int(found.rounds, 1, "the round");
	is_int(found.names, 1, "this thread's name");
	is_int(found.kernels, 1, "the kernel, at its first _text");
	check_times(perfdata_origin(data));
	is_int(found.losses, 2, "two losses, and none of 0");
	is_u64(found.lost, 42, "of so many");
	is_str(found.lost_where, "66 cpu 3 at 106, 5 cpu 3 at 107, ", "with an id of the event");
	perfdata_free(data);
}

/* The run cannot begin: a file that was there is as it was, and none is new. */
static void test_not_begun(void)
{
	struct fake_kernel kernel = { .format = FAKE_FORMAT };
	const struct access access = fake_access(&kernel);
	char text[5] = "";

	if (ftruncate(file, 0) != 0 || pwrite(file, "mine", 4, 0) != 4)
		bail("%s: %s", path, strerror(errno));
	recorder_free(open_with(&access));
	ok(pread(file, text, 4, 0) == 4, "a run that did not begin leaves the file");
	is_str(text, "mine", "with what was in it");
	unlink(path);
	recorder_free(open_with(&access));
	close(file);
	ok(open(path, O_RDONLY) < 0, "and no new one");
	file = open(path, O_RDWR | O_CREAT, 0600);
}

static void test_no_symbols(void)
{
	struct fake_kernel kernel = { .format = FAKE_FORMAT, .error = EACCES };
	const struct access access = fake_access(&kernel);
	has_clock = false;
	struct recorder *recorder = open_with(&access);

	recorder_begin(recorder);
	feed(recorder, 1);
	ok(recorder_note(recorder) == NULL, "no kallsyms: is no failure");
	recorder_free(recorder);

	struct perfdata *data = reopen();
	struct found found = read_records(data);
	is_int(found.kernels, 0, "no kallsyms: no kernel");
	is_int(found.samples, 1, "no kallsyms: but samples");
	is_u64(perfdata_origin(data)->wall_ns, 0, "an old kernel: no time of day");
	perfdata_free(data);
}

static void limit_files(rlim_t bytes)
{
	struct rlimit limit;

	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = bytes;
	fflush(stdout);
	setrlimit(RLIMIT_FSIZE, &limit);
}

#define MAPS                                              \
	"1000-3000 r--p 00000000 fe:00 77 /usr/bin/a\n"   \
	"3000-5000 r-xp 00002000 fe:10 4294967299 /a b\n" \
	"5000-6000 rwxp 00000000 00:00 0 \n"              \
	"7000-8000 r-xp 00000000 00:00 0 [vdso]\n"
#define WRITTEN                                  \
	"3000+2000@2000 fe:10 4294967299 /a b, " \
	"5000+1000@0 0:0 0 //anon, 7000+1000@0 0:0 0 [vdso], "

static void test_maps(void)
{
	struct fake_kernel kernel = { .format = FAKE_FORMAT, .maps = MAPS };
	const struct access access = fake_access(&kernel);
	struct recorder *recorder = open_with(&access);

	recorder_begin(recorder);
	feed(recorder, 1);
	struct found found = recorded_by(recorder);
	is_str(found.maps, "", "without addresses in samples no mappings are written");

	recorder = open_with(&access);
	events[TESTED].attr.sample_type |= PERF_SAMPLE_IP;
	recorder_event(recorder, TESTED);
	recorder_begin(recorder);
	recorder_event(recorder, TESTED);
	ok(recorder_note(recorder) == NULL, "all were read: no note");
	found = recorded_by(recorder);
	is_str(found.maps, WRITTEN, "with addresses code is, once, with the kernel's names");
	is_int(found.foreign_maps, 0, "and of no process that is not watched");

	recorder = open_with(&access);
	recorder_begin(recorder);
	events[TESTED].attr.sample_type |= PERF_SAMPLE_IP;
	recorder_event(recorder, TESTED);
	feed(recorder, 1);
	found = recorded_by(recorder);
	is_str(found.maps, WRITTEN, "also when an event with addresses is added later");
	is_int(found.names, 1, "and names are not written again");
}

/* Reading what is mapped hangs. */
static int open_pipe(void *ctx, pid_t pid)
{
	(void)pid;
	return fcntl(*(const int *)ctx, F_DUPFD_CLOEXEC, 0);
}

static int no_tracefs(void *ctx, enum tracefs_file what, const char *system, const char *name)
{
	(void)ctx;
	(void)what;
	(void)system;
	(void)name;
	errno = EACCES;
	return -1;
}

static int open_no_kallsyms(void *ctx)
{
	(void)ctx;
	errno = EACCES;
	return -1;
}

static void test_hang(void)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) != 0)
		bail("pipe2: %s", strerror(errno));
	const struct access access = { .ctx = ends,
				       .open_maps = open_pipe,
				       .open_tracefs = no_tracefs,
				       .open_kallsyms = open_no_kallsyms };
	struct recorder *recorder = open_with(&access);
	events[TESTED].attr.sample_type |= PERF_SAMPLE_IP;
	recorder_event(recorder, TESTED);
	recorder_begin(recorder);
	feed(recorder, 3);
	const char *note = recorder_note(recorder);
	ok(note != NULL && strstr(note, " 0 of 1 ") != NULL, "it hangs: a note says for how many");
	ok(recorder_note(recorder) == NULL, "it hangs: once");
	recorder_end(recorder);
	ok(recorder_failure(recorder) == NULL, "it hangs: the recording is whole");
	is_int(recorded_by(recorder).samples, 3, "it hangs: with its samples");
	/* The pipe stays open: the thread hangs until we end. */
}

/* Feed more than the file may have, then wait for the thread that writes: what the recorder says of it. */
static const char *fill(struct recorder *recorder)
{
	const char *note = NULL;

	for (unsigned int i = 0; i < 10000 && note == NULL; i++) {
		if (i < 100)
			feed(recorder, 1000);
		else
			usleep(1000);
		recorder_round(recorder);
		recorder_checkpoint(recorder);
		note = recorder_note(recorder);
	}
	return note;
}

static void test_full(void)
{
	struct fake_kernel kernel = { .format = FAKE_FORMAT, .error = EACCES };
	const struct access access = fake_access(&kernel);

	signal(SIGXFSZ, SIG_IGN); /* as signals_open() does */
	limit_files(256ul << 10);
	struct recorder *recorder = open_with(&access);
	recorder_begin(recorder);
	const char *note = fill(recorder);
	limit_files(RLIM_INFINITY);
	ok(note != NULL && strstr(note, path) != NULL, "full: a line says which file");
	ok(recorder_note(recorder) == NULL, "full: once");
	feed(recorder, 10);
	recorder_round(recorder);
	recorder_checkpoint(recorder);
	recorder_event(recorder, TESTED);
	recorder_lost(recorder, TESTED, 0, 1, 0);
	recorder_end(recorder);
	ok(recorder_note(recorder) == NULL, "full: later failures are not reported");
	ok(recorder_failure(recorder) != NULL, "full: it is a failure");
	recorder_free(recorder);

	struct perfdata *data = reopen();
	struct found found = read_records(data);
	ok(found.samples > 1000 && found.samples < 9000, "full: what was written can be read");
	is_int(found.losses, 0, "full: and nothing from after that");
	is_u64(perfdata_damage(data)->count, 0, "full: it is whole up to there: %s",
	       perfdata_damage(data)->what);
	perfdata_free(data);
}

static void test_none(void)
{
	struct fake_kernel kernel = { .format = FAKE_FORMAT, .error = EACCES };
	const struct access access = fake_access(&kernel);

	recorder_begin(NULL);
	recorder_event(NULL, TESTED);
	feed(NULL, 1);
	recorder_round(NULL);
	recorder_checkpoint(NULL);
	recorder_lost(NULL, TESTED, 0, 1, 0);
	recorder_await_room(NULL);
	recorder_times(NULL, 1, 2);
	recorder_end(NULL);
	recorder_free(NULL);
	ok(recorder_note(NULL) == NULL && recorder_failure(NULL) == NULL,
	   "none: a NULL recorder is allowed everywhere");
	errno = 0;
	ok(recorder_open("/nonexistent/file", &set, &one_file, &access, argv) == NULL,
	   "none: a path that cannot be");
	is_int(errno, ENOENT, "none: and why");
}

int main(void)
{
	plan_lazy();
	file = mkstemp(path);
	if (file < 0)
		bail("no temporary file: %s", strerror(errno));
	prctl(PR_SET_NAME, NAME);
	test_whole();
	test_not_begun();
	test_no_symbols();
	test_maps();
	test_hang();
	test_full();
	test_none();
	close(file);
	unlink(path);
	return done();
}
