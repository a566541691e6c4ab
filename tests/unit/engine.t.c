/* SPDX-License-Identifier: MIT */
/*
 * The engine with a scripted kernel: the event set and the readers that it is linked with are
 * defined here, so that a reader that stands, is late or does not start is an ordinary case.
 */
#include "source/engine.h"

#include "base/sys.h"
#include "capture/queue.h"
#include "capture/reader.h"
#include "fake-evset.h"
#include "tap.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATIENCE_MSEC 10000
#define SNAPSHOTS_MAX 200
#define SLOTS	      2
#define READER_BLOCKS 4
#define CPU_ABSENT    4095 /* no machine here has so many */

enum { FIRST = EVSET_FIRST, SECOND, EVENTS };
enum { ROW_FIRST, ROW_SECOND };

/* --- the script ------------------------------------------------------------------------------ */

enum manner {
	ANSWERS,     /* at once */
	HELD,	     /* when answer() lets it */
	COUNTS_ONLY, /* held, and answers what asks for counts alone */
};

struct reader {
	struct reader_config config;
	enum block_mark due; /* asked for, and held */
	struct block blocks[READER_BLOCKS];
	struct count counts[READER_BLOCKS][EVENTS]; /* with a block */
	bool is_taken[READER_BLOCKS];
	struct count alone[EVENTS];
	bool has_alone;
	bool is_stopped, is_joined;
};

/* What happens, and what was asked of it; the test's and the decoder thread's, under the lock. */
static struct {
	pthread_mutex_t lock;
	enum manner manner[SLOTS];
	bool is_refused[SLOTS];		    /* no thread for its reader */
	struct count counts[SLOTS][EVENTS]; /* what the counters say */
	bool is_slot_closed[SLOTS];
	unsigned int requests[SLOTS], retirements, starts;
	struct reader *readers[SLOTS]; /* the newest of each */
	int cpus[SLOTS];
	struct evset_event events[EVENTS];
	struct evset set;
} script;

static uint64_t ids[SLOTS];

static void lock(void)
{
	pthread_mutex_lock(&script.lock);
}

static void unlock(void)
{
	pthread_mutex_unlock(&script.lock);
}

static size_t free_block(const struct reader *reader)
{
	for (size_t at = 0; at < READER_BLOCKS; at++) {
		if (!reader->is_taken[at])
			return at;
	}
	bail("more marks are asked for than there are blocks");
}

static void push_mark(struct reader *reader, enum block_mark mark)
{
	uint64_t one = 1;
	size_t at = free_block(reader);

	reader->is_taken[at] = true;
	memcpy(reader->counts[at], script.counts[reader->config.slot], sizeof(reader->counts[at]));
	reader->blocks[at].home = reader;
	reader->blocks[at].slot = reader->config.slot;
	reader->blocks[at].mark = mark;
	reader->blocks[at].counts = reader->counts[at];
	reader->blocks[at].read_ns = sys_monotonic_ns();
	queue_push(reader->config.out, &reader->blocks[at]);
	if (write(reader->config.out_wake, &one, sizeof(one)) < 0)
		return;
}

static void count(uint32_t slot, uint32_t event, uint64_t value)
{
	lock();
	if (script.events[event].state == EVSET_ON)
		script.counts[slot][event].value += value;
	unlock();
}

static void set_manner(uint32_t slot, enum manner manner)
{
	lock();
	script.manner[slot] = manner;
	unlock();
}

/* Let a held reader send what it owes. */
static void answer(uint32_t slot)
{
	struct reader *reader = script.readers[slot];

	lock();
	if (reader->due != BLOCK_MARK_NONE)
		push_mark(reader, reader->due);
	reader->due = BLOCK_MARK_NONE;
	unlock();
}

static bool is_true(bool (*is_so)(void))
{
	lock();
	bool is_now = is_so();
	unlock();
	return is_now;
}

static bool until(bool (*is_so)(void))
{
	for (int i = 0; i < PATIENCE_MSEC && !is_true(is_so); i++)
		poll(NULL, 0, 1);
	return is_true(is_so);
}

/* --- what the engine calls ------------------------------------------------------------------- */

struct reader *reader_start(const struct reader_config *config)
{
	if (script.is_refused[config->slot]) { /* written before the engine starts */
		errno = EAGAIN;
		return NULL;
	}

	struct reader *reader = aligned_alloc(64, sizeof(*reader));
	memset(reader, 0, sizeof(*reader));
	reader->config = *config;
	lock();
	free(script.readers[config->slot]);
	script.readers[config->slot] = reader;
	script.starts++;
	unlock();
	return reader;
}

void reader_request(struct reader *reader, enum block_mark mark)
{
	uint32_t slot = reader->config.slot;

	lock();
	script.requests[slot]++;
	/* The mark of a tick that was due comes first, and an event behind it. */
	if (reader->due != BLOCK_MARK_NONE && script.manner[slot] == ANSWERS) {
		push_mark(reader, reader->due);
		script.counts[slot][FIRST].value++;
	}
	reader->due = mark;
	if (script.manner[slot] == ANSWERS) {
		push_mark(reader, mark);
		reader->due = BLOCK_MARK_NONE;
	}
	unlock();
}

void reader_ask_counts(struct reader *reader)
{
	lock();
	reader->has_alone = script.manner[reader->config.slot] == COUNTS_ONLY;
	memcpy(reader->alone, script.counts[reader->config.slot], sizeof(reader->alone));
	unlock();
}

const struct count *reader_counts(struct reader *reader, uint64_t *read_ns)
{
	lock();
	bool has_alone = reader->has_alone;
	unlock();
	*read_ns = sys_monotonic_ns();
	return has_alone ? reader->alone : NULL;
}

void reader_give_back(struct reader *reader, struct block *block)
{
	lock();
	reader->is_taken[block - reader->blocks] = false;
	unlock();
}

void reader_unpin(const struct reader *reader)
{
	(void)reader;
}

void reader_stop(struct reader *reader)
{
	reader->is_stopped = true;
}

bool reader_join(struct reader *reader, uint64_t until_ns)
{
	(void)until_ns;
	if (reader != NULL)
		reader->is_joined = true;
	return true;
}

int evset_cpu(const struct evset *set, size_t slot)
{
	(void)set;
	lock();
	int cpu = script.cpus[slot];
	unlock();
	return cpu;
}

struct ring *evset_ring(const struct evset *set, size_t slot)
{
	(void)set;
	(void)slot;
	return NULL;
}

struct counters *evset_counters(const struct evset *set, size_t slot)
{
	(void)set;
	(void)slot;
	return NULL;
}

bool evset_is_slot_open(const struct evset *set, size_t slot)
{
	(void)set;
	(void)slot;
	return true;
}

void evset_enable_all(struct evset *set)
{
	(void)set;
}

int evset_open_slot(struct evset *set, size_t slot)
{
	(void)set;
	lock();
	script.is_slot_closed[slot] = false;
	unlock();
	return 0;
}

void evset_close_slot(struct evset *set, size_t slot)
{
	(void)set;
	lock();
	script.is_slot_closed[slot] = true;
	unlock();
}

/* New fds of an event on a slot, which begin at zero. */
static void open_counts(uint32_t slot, uint32_t number)
{
	script.counts[slot][number] = (struct count){
		.is_open = true,
		.generation = script.events[number].generation,
		.enabled_ns = 1,
		.running_ns = 1,
	};
}

void evset_switch_on(struct evset *set, uint32_t number)
{
	lock();
	if (!script.counts[0][number].is_open) {
		set->events[number].generation++;
		for (uint32_t slot = 0; slot < SLOTS; slot++)
			open_counts(slot, number);
	}
	set->events[number].state = EVSET_ON;
	unlock();
}

void evset_switch_off(struct evset *set, uint32_t number)
{
	lock();
	set->events[number].state = EVSET_OFF;
	unlock();
}

void evset_retire(struct evset *set, uint32_t number, struct closer *closer)
{
	(void)set;
	(void)closer;
	lock();
	for (size_t slot = 0; slot < SLOTS; slot++)
		script.counts[slot][number].is_open = false;
	script.retirements++;
	unlock();
}

/* --- a run ----------------------------------------------------------------------------------- */

static struct source *engine;
static const char *error; /* of its start, and its errno */
static int error_number;
static struct snapshot *snap;

static int some_online_cpu(void)
{
	struct cpulist online;
	int cpu = 0;

	if (cpulist_online(&online) == 0 && online.count > 0)
		cpu = online.ids[0];
	cpulist_fini(&online);
	return cpu;
}

static void reset_script(void)
{
	for (size_t slot = 0; slot < SLOTS; slot++)
		free(script.readers[slot]);
	memset(&script, 0, sizeof(script));
	pthread_mutex_init(&script.lock, NULL);
	script.set = (struct evset){ script.events, EVENTS, SLOTS };
	for (uint32_t i = 0; i < EVENTS; i++) {
		script.events[i] = (struct evset_event){
			.spec = { .name = (char *)(i == FIRST ? "first" : "second"),
				  .kind = EVENT_SOFTWARE,
				  .scale = 1,
				  .is_clock = true },
			.attr = { .size = sizeof(struct perf_event_attr),
				  .sample_type = PERF_SAMPLE_IP,
				  .sample_period = 1 },
			.generation = 1,
			.ids = ids,
		};
		for (uint32_t slot = 0; slot < SLOTS; slot++)
			open_counts(slot, i);
	}
	for (size_t slot = 0; slot < SLOTS; slot++)
		script.cpus[slot] = some_online_cpu();
}

static void start(uint64_t iterations)
{
	static int slot_ids[SLOTS] = { 0, 1 };
	static const struct cpulist slots = { slot_ids, SLOTS };
	struct engine_config config = {
		.set = &script.set,
		.cpus = &slots,
		.access = access_direct(),
		.interval_s = 0.02,
		.iterations = iterations,
		.top = 10,
		.host = "host",
		.kernel = "kernel",
	};

	snap = NULL;
	engine = engine_new(&config);
	if (engine == NULL)
		bail("no engine: %s", strerror(errno));
	error = source_start(engine, 0.02);
	error_number = errno;
}

/* The next snapshot; it must come. */
static void take(void)
{
	struct pollfd fd = { .fd = source_fd(engine), .events = POLLIN };

	snapshot_free(snap);
	do {
		if (poll(&fd, 1, PATIENCE_MSEC) <= 0)
			bail("no snapshot after %d ms", PATIENCE_MSEC);
		snap = source_take(engine);
	} while (snap == NULL);
}

/* Snapshots until something has happened; it must. */
static void take_until(bool (*is_so)(void))
{
	for (int i = 0; i < SNAPSHOTS_MAX; i++) {
		take();
		if (is_true(is_so))
			return;
	}
	bail("it has not happened after %d snapshots", SNAPSHOTS_MAX);
}

static bool is_final(void)
{
	return snap->is_final;
}

static void take_final(void)
{
	take_until(is_final);
}

static uint64_t soon(void)
{
	return sys_monotonic_ns() + PATIENCE_MSEC * NSEC_PER_MSEC;
}

static void end(void)
{
	snapshot_free(snap);
	ok(source_free(engine, soon()), "all threads end");
}

static void finish(void)
{
	source_finish(engine, UINT64_MAX);
	take_final();
}

static uint64_t total_of(size_t row)
{
	return snap->events[row].total;
}

/* --- cases ----------------------------------------------------------------------------------- */

static void check_run(void)
{
	uint64_t sum = 0;

	reset_script();
	count(0, FIRST, 100);
	count(1, FIRST, 11);
	start(3);
	for (uint64_t seq = 1; seq <= 3; seq++) {
		take();
		is_u64(snap->seq, seq, "snapshot %u", (unsigned int)seq);
		sum += snap->events[ROW_FIRST].count;
		is_u64(total_of(ROW_FIRST), sum, "the intervals' counts add up to the total");
		ok(snap->is_final == (seq == 3), "the third of three is the final one");
		count(0, FIRST, 1);
	}
	ok(total_of(ROW_FIRST) >= 111, "with all that was counted");
	end();
	ok(script.readers[0]->is_joined && script.readers[1]->is_joined,
	   "and the readers were joined");
}

/* Nobody takes a snapshot: the next interval is longer, and no count is lost. */
static void check_untaken(void)
{
	reset_script();
	start(0);
	take();
	poll(NULL, 0, 100); /* five intervals */
	lock();
	unsigned int asked = script.requests[0];
	unlock();
	ok(asked <= 3, "while one waits no other is made");
	count(0, FIRST, 7);
	take();
	is_u64(snap->seq, 2, "the one that waited");
	take();
	ok(snap->seq == 3 && total_of(ROW_FIRST) == 7, "and the next has what came meanwhile");
	finish();
	end();
}

static bool is_second_asked(void)
{
	return script.requests[1] > 0;
}

static bool is_first_off(void)
{
	return script.events[FIRST].state == EVSET_OFF;
}

/* Switched off while a tick's marks come in: the fds are read once more before they go. */
static void check_toggle_in_tick(void)
{
	reset_script();
	script.manner[1] = HELD;
	count(0, FIRST, 100);
	start(0);
	ok(until(is_second_asked), "a tick: the first reader has answered, the second is held");
	count(0, FIRST, 50);
	source_toggle(engine, ROW_FIRST);
	ok(until(is_first_off), "the event is switched off meanwhile");
	set_manner(1, ANSWERS);
	answer(1);
	take();
	is_u64(total_of(ROW_FIRST), 100, "the tick has what was counted before");
	finish();
	is_u64(total_of(ROW_FIRST), 150, "and what came until it was off is not lost");
	end();
}

static bool is_first_on(void)
{
	return script.events[FIRST].state == EVSET_ON;
}

static bool is_retired(void)
{
	return script.retirements > 0;
}

/* Its own counts have come, and so it is closed; on again, it counts from zero. */
static void check_toggle(void)
{
	reset_script();
	count(0, FIRST, 100);
	start(0);
	take();
	source_toggle(engine, ROW_FIRST);
	take_until(is_retired);
	is_u64(total_of(ROW_FIRST), 100, "off: the total stays");
	ok(snap->events[ROW_FIRST].state == EVENT_STATE_OFF, "its row says so");
	is_str(snap->symbol_event, "second", "another clock makes the symbols");
	source_toggle(engine, ROW_FIRST);
	take_until(is_first_on);
	take();
	is_str(snap->symbol_event, "first", "on: the first one does again");
	count(0, FIRST, 5);
	finish();
	is_u64(total_of(ROW_FIRST), 105, "and its new fd's counts are added");
	is_u64(script.retirements, 1, "it was closed once");
	end();
}

static void check_late(void)
{
	reset_script();
	script.manner[1] = HELD;
	count(0, FIRST, 1);
	count(1, FIRST, 20);
	start(0);
	take();
	ok(snap->cpus[0].answer == CPU_ANSWERED && snap->cpus[1].answer == CPU_SILENT,
	   "a reader that does not answer is silent, and the tick comes");
	ok(total_of(ROW_FIRST) == 1 && snap->events[ROW_FIRST].has_silent_cpu,
	   "without its counts");
	ok(snap->nnotes == 1, "which a note says");

	set_manner(1, COUNTS_ONLY);
	take();
	take();
	ok(snap->cpus[1].answer == CPU_BEHIND && total_of(ROW_FIRST) == 21,
	   "its counts alone make the figures");

	set_manner(1, ANSWERS);
	answer(1);
	take();
	take();
	ok(snap->cpus[1].answer == CPU_ANSWERED && snap->nnotes == 0, "and then all is well again");
	finish();
	end();
}

/* At the end a reader that stands is given up. */
static void check_stuck_end(void)
{
	reset_script();
	start(0);
	take();
	set_manner(1, HELD);
	source_finish(engine, sys_monotonic_ns() + 100 * NSEC_PER_MSEC);
	take_final();
	ok(snap->cpus[1].answer == CPU_SILENT, "the final snapshot comes without it, and says so");
	ok(!snap->events[ROW_FIRST].is_balance_known, "and claims no balance");
	end();
	ok(script.readers[1]->is_stopped, "its thread was told to stop");
}

/* The end is asked for while a tick's mark is due: the late one is not taken for the final one. */
static void check_end_in_tick(void)
{
	reset_script();
	script.manner[1] = HELD;
	start(0);
	ok(until(is_second_asked), "a tick's mark is due");
	set_manner(1, ANSWERS);
	count(1, FIRST, 9);
	finish();
	ok(snap->cpus[1].answer == CPU_ANSWERED && total_of(ROW_FIRST) == 10,
	   "the final one has all");
	end();
}

static bool is_second_closed(void)
{
	return script.is_slot_closed[1];
}

static bool is_second_back(void)
{
	return script.starts == SLOTS + 1;
}

static void set_second_cpu(int cpu)
{
	lock();
	script.cpus[1] = cpu;
	unlock();
}

static void check_offline(void)
{
	reset_script();
	count(1, FIRST, 40);
	start(0);
	take();
	set_second_cpu(CPU_ABSENT);
	take_until(is_second_closed);
	ok(!snap->cpus[1].is_online && total_of(ROW_FIRST) == 40,
	   "a CPU that goes offline leaves its counts");
	ok(script.readers[1]->is_joined, "its reader has ended");
	lock();
	script.events[FIRST].generation++;
	open_counts(1, FIRST);
	unlock();
	set_second_cpu(some_online_cpu());
	take_until(is_second_back);
	count(1, FIRST, 2);
	finish();
	is_u64(total_of(ROW_FIRST), 42, "and comes back");
	end();
}

static void check_no_thread(void)
{
	reset_script();
	script.is_refused[1] = true;
	start(0);
	ok(error != NULL && error_number == EAGAIN, "a thread that does not start is an error");
	ok(source_free(engine, soon()), "which leaves nothing that runs");
	ok(script.readers[0]->is_stopped && script.readers[0]->is_joined, "not even the first one");
}

static void check_zero(void)
{
	reset_script();
	count(0, FIRST, 100);
	start(0);
	take();
	source_zero(engine);
	take();
	take();
	is_u64(total_of(ROW_FIRST), 0, "zero");
	count(0, FIRST, 3);
	finish();
	is_u64(total_of(ROW_FIRST), 3, "what comes behind it counts");
	end();
}

int main(void)
{
	plan_lazy();
	check_run();
	check_untaken();
	check_toggle();
	check_toggle_in_tick();
	check_late();
	check_stuck_end();
	check_end_in_tick();
	check_offline();
	check_no_thread();
	check_zero();
	ok(source_free(NULL, 0), "NULL is allowed");
	reset_script();
	return done();
}
