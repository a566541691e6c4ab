/* SPDX-License-Identifier: MIT */
/* Records that are kept one by one: in time order, whole up to the marks, a bounded number. */
#include "model/model.h"

#include "made-model.h"
#include "tap.h"

#include <stdlib.h>

static void begin_stream(void)
{
	begin(true, 10);
	model_stream(model);
}

/* Record number `at` of all pages, or NULL. */
static const struct snap_record *record_at(size_t at)
{
	for (size_t i = 0; i < snap->npages; i++) {
		if (at < snap->pages[i]->count)
			return &snap->pages[i]->records[at];
		at -= snap->pages[i]->count;
	}
	return NULL;
}

static size_t count(void)
{
	size_t sum = 0;

	for (size_t i = 0; i < snap->npages; i++)
		sum += snap->pages[i]->count;
	return sum;
}

static const char *text_at(size_t at)
{
	return record_at(at) ? record_at(at)->text : "no record";
}

static const char *event_at(size_t at)
{
	return record_at(at) ? record_at(at)->event : "no record";
}

/* A tick after a second, at which all records up to `ms` after the last one are decoded. */
static void tick_marked(uint64_t ms)
{
	read_counters(now_ns + ms * MS);
	tick_after(SEC, false);
}

static void sample_at(uint32_t slot, uint32_t event, uint32_t tid, uint64_t ms)
{
	const unsigned char raw[] = { (unsigned char)tid, 0, 0 };
	struct record record = sample(tid, tid);

	record.time_ns = now_ns + ms * MS;
	record.ip = 2500;
	if (event == SCHED) {
		record.raw = raw;
		record.raw_size = sizeof(raw);
	}
	record.period = 4;
	model_record(model, slot, event, &record);
}

static void check_off(void)
{
	begin(true, 10);
	sample_at(0, SCHED, 5, 1);
	tick_marked(999);
	ok(snap->npages == 0, "nothing is kept unless it is asked for");
	end();
}

static void check_order(void)
{
	begin_stream();
	comm(5, 5, "load");
	sample_at(0, SCHED, 5, 3);
	sample_at(0, CLOCK, 5, 5);
	sample_at(1, SCHED, 6, 1);
	sample_at(1, FAULTS, 77, 4);
	tick_marked(999);
	is_u64(count(), 5, "all five records");
	is_str(event_at(0), "comm", "the name first");
	is_int(record_at(1)->tid, 6, "the records of two CPUs are in the order of time");
	is_int(record_at(1)->cpu, 3, "each has its CPU's number");
	is_str(text_at(1), "event=2 size=3 first=6", "its fields");
	is_str(record_at(2)->comm, "load", "its task");
	is_str(event_at(2), "sched:sched_switch", "its event");
	is_u64(record_at(2)->count, 1, "and what it stands for: 1 by period");
	ok(!record_at(2)->is_clock, "which are occurrences");
	is_str(record_at(3)->comm, "from-proc", "a name that no record has is looked up");
	is_u64(record_at(3)->count, 4, "by frequency it stands for more");
	is_str(text_at(3), "", "without data and address it has no text");
	is_str(text_at(4), "beta [mod]", "with an address it has the symbol");
	ok(record_at(4)->is_clock, "a clock's count is of ns");
	ok(record_at(2)->wall_ns - record_at(1)->wall_ns == 2 * (int64_t)MS,
	   "times are as far from each other as they were");
	/* The tick is at TICK_WALL_NS of the wall clock, and 1 s after the last one. */
	is_int((long long)record_at(1)->wall_ns,
	       (long long)MS + TICK_WALL_NS - 1000 * (long long)MS,
	       "and of the wall clock, to the nanosecond");
	end();
}

/* More than a sort of few could keep in order by chance. */
static void check_equal_times(void)
{
	unsigned int wrong = 0;

	begin_stream();
	for (uint32_t i = 0; i < 150; i++)
		sample_at(i % 2, SCHED, 100 + i, 1);
	tick_marked(999);
	for (size_t i = 0; i < count(); i++)
		wrong += record_at(i)->tid != 100 + (int)i;
	is_u64(count(), 150, "150 records of one time");
	is_u64(wrong, 0, "keep the order in which they came");
	end();
}

static void check_marks(void)
{
	begin_stream();
	sample_at(0, SCHED, 5, 10);
	sample_at(0, SCHED, 6, 600);
	model_counts(model, 0, said[0], EVENTS, now_ns + 900 * MS, MARK_IN_TIME);
	model_counts(model, 1, said[1], EVENTS, now_ns + 500 * MS, MARK_IN_TIME);
	tick_after(SEC, false);
	is_u64(count(), 1, "a record after the mark of another CPU waits:");
	now_ns -= SEC;
	sample_at(1, SCHED, 7, 550);
	now_ns += SEC;
	tick_marked(999);
	is_u64(count(), 3, "one before it can still come");
	is_int(record_at(1)->tid, 7, "and then it is before it");
	is_int(record_at(2)->tid, 6, "which was not lost");
	is_str(text_at(2), "event=2 size=3 first=6", "nor were its fields");
	is_u64(snap->pages[1]->first, 1, "records are numbered over the pages");

	sample_at(0, SCHED, 8, 10);
	model_cpu_answer(model, 1, CPU_SILENT);
	model_counts(model, 0, said[0], EVENTS, now_ns + 900 * MS, MARK_IN_TIME);
	tick_after(SEC, false);
	is_u64(count(), 4, "a CPU without an answer is not waited for");
	end();
}

static void check_others(void)
{
	begin_stream();
	comm(5, 5, "shell");
	struct record fork = { .type = PERF_RECORD_FORK,
			       .time_ns = now_ns + 1 * MS,
			       .task = { 9, 5, 9, 5, now_ns + 1 * MS } };
	struct record exec = { .type = PERF_RECORD_COMM,
			       .misc = PERF_RECORD_MISC_COMM_EXEC,
			       .time_ns = now_ns + 2 * MS,
			       .comm = { 9, 9, "true", 4 } };
	struct record gone = { .type = PERF_RECORD_EXIT,
			       .time_ns = now_ns + 3 * MS,
			       .task = { 9, 5, 9, 5, now_ns + 3 * MS } };
	struct record lost = { .type = PERF_RECORD_LOST,
			       .time_ns = now_ns + 4 * MS,
			       .lost = { 0, 512 } };
	struct record throttle = { .type = PERF_RECORD_THROTTLE,
				   .time_ns = now_ns + 5 * MS,
				   .throttle = { now_ns + 5 * MS, 0, 0 } };
	struct record own = { .type = PERF_RECORD_EXIT,
			      .time_ns = now_ns + 6 * MS,
			      .task = { SELF_PID, 1, SELF_PID, 1, now_ns } };

	model_record(model, 0, OWNER, &fork);
	model_record(model, 0, OWNER, &exec);
	model_record(model, 0, OWNER, &gone);
	model_record(model, 1, OWNER, &lost);
	model_record(model, 1, CLOCK, &throttle);
	model_record(model, 1, OWNER, &own);
	record_switch(0, 5, 5, 0, 9, now_ns + 7 * MS);
	sample_at(0, SCHED, SELF_PID, 8);
	sample_at(0, SCHED, (uint32_t)-1, 9);
	tick_marked(999);
	is_u64(count(), 7, "no switches, and nothing of our own");
	is_str(event_at(1), "fork", "a fork");
	is_str(record_at(1)->comm, "shell", "is its parent's");
	is_str(text_at(1), "9", "and has the child's tid");
	is_str(event_at(2), "exec", "an exec");
	is_str(record_at(2)->comm, "shell", "has the name before");
	is_str(text_at(2), "true", "and the new one");
	is_str(event_at(3), "exit", "an exit");
	ok(record_at(3)->kind == SNAP_TASK && record_at(3)->tid == 9, "is of its task");
	ok(record_at(4)->kind == SNAP_LOST && record_at(4)->count == 512, "lost records");
	is_int(record_at(4)->cpu, 3, "have the CPU of their ring");
	ok(record_at(5)->kind == SNAP_THROTTLE, "a throttled event");
	is_str(event_at(5), "cpu-clock", "has its name");
	ok(record_at(6)->tid == -1, "a sample of a task that has exited has none");
	end();
}

/* The samples of an event that were kept, and of how many the last page says that they were not. */
static size_t kept_of(const char *event, uint64_t *left_out)
{
	size_t kept = 0;

	*left_out = 0;
	for (size_t i = 0; record_at(i); i++) {
		bool is_of = strcmp(event_at(i), event) == 0;

		kept += is_of && record_at(i)->kind == SNAP_SAMPLE;
		if (is_of && record_at(i)->kind == SNAP_LEFT_OUT)
			*left_out += record_at(i)->count;
	}
	return kept;
}

static void check_room(void)
{
	uint64_t left_out;

	begin_stream();
	tick_marked(999);
	for (unsigned int i = 0; i < 50000; i++)
		sample_at(0, SCHED, 5, i / 100);
	for (unsigned int i = 0; i < 100; i++)
		sample_at(1, FAULTS, 6, i);
	tick_marked(999);
	size_t kept = kept_of("sched:sched_switch", &left_out);
	ok(kept >= 500 && kept < 2000, "of a hot event a part is kept: %zu", kept);
	is_u64(kept + left_out, 50000, "the rest is counted");
	is_u64(kept_of("page-faults", &left_out), 100, "which leaves room for the others");
	is_u64(left_out, 0, "of which nothing is left out");
	ok(record_at(count() - 1)->kind == SNAP_LEFT_OUT, "it is said at the end of the page");

	sample_at(0, SCHED, 5, 1);
	tick_marked(999);
	is_u64(kept_of("sched:sched_switch", &left_out), kept + 1, "the next interval has room");
	is_u64(kept + left_out, 50000, "and nothing more is left out");
	end();
}

/* Losses and throttling have room of their own, which has an end, too. */
static void check_alerts(void)
{
	uint64_t left_out, alerts = 0;

	begin_stream();
	tick_marked(999);
	for (unsigned int i = 0; i < 30000; i++) {
		struct record lost = { .type = PERF_RECORD_LOST,
				       .time_ns = now_ns + i * 1000,
				       .lost.lost = 2 };

		sample_at(0, SCHED, 5, 0);
		model_record(model, 0, SCHED, &lost);
	}
	tick_marked(999);
	for (size_t i = 0; record_at(i); i++)
		alerts += record_at(i)->kind == SNAP_LOST;
	ok(alerts >= 100 && alerts <= 1000, "of many losses some are kept: %llu",
	   (unsigned long long)alerts);
	kept_of("", &left_out);
	is_u64(alerts + left_out, 30000, "the rest is counted");
	ok(kept_of("sched:sched_switch", &left_out) >= 500, "and they take no sample's place");
	end();
}

/* What is not kept is said where the page's records end: later ones of the interval are in the next. */
static void check_left_out(void)
{
	begin_stream();
	for (unsigned int i = 0; i < 50000; i++)
		sample_at(0, SCHED, 5, i / 100);
	sample_at(1, FAULTS, 6, 950);
	tick_marked(900);
	size_t said_at = count() - 1;
	ok(record_at(said_at)->kind == SNAP_LEFT_OUT, "what is not kept is said");
	int64_t said_ns = record_at(said_at)->wall_ns;
	ok(said_ns >= record_at(said_at - 1)->wall_ns, "after the records of its page");
	tick_marked(999);
	is_str(event_at(said_at + 1), "page-faults", "a record after the mark is in the next page");
	/* Each tick is at the same time of the wall clock. */
	ok(said_ns <= record_at(said_at + 1)->wall_ns + (int64_t)SEC,
	   "and later than what was said");
	end();
}

static void check_history(void)
{
	begin_stream();
	tick_marked(999);
	for (unsigned int tick = 0; tick < 40; tick++) {
		for (unsigned int i = 0; i < 1000; i++)
			sample_at(0, SCHED, 5, i / 10);
		tick_marked(999);
		if (count() > 10000)
			break;
	}
	ok(count() <= 10000 && count() >= 9000, "at most 10,000 records: %zu", count());
	is_u64(snap->pages[snap->npages - 1]->first + 1000, 40000, "the newest ones");

	const struct snapshot *older = snapshot_hold(snap);
	const struct snap_record *first = record_at(0);
	char event[64];

	snprintf(event, sizeof(event), "%s", first->event);
	for (unsigned int tick = 0; tick < 40; tick++) {
		for (unsigned int i = 0; i < 1000; i++)
			sample_at(0, FAULTS, 5, i / 10);
		tick_marked(999);
	}
	is_str(first->event, event, "those of a snapshot that is held are kept");
	is_str(event_at(0), "page-faults", "though newer ones have others");
	snapshot_release(older);

	for (unsigned int tick = 0; tick < 1200; tick++) {
		sample_at(0, SCHED, 5, 1);
		tick_marked(999);
	}
	is_u64(snap->npages, 1000, "there are at most 1000 pages");
	tick_marked(999);
	is_u64(snap->npages, 1000, "an interval without records is no page");
	end();
}

static void check_removed(void)
{
	begin_stream();
	sample_at(0, SCHED, 5, 1);
	is_removed[SCHED] = true;
	set_event(SCHED, "sched:sched_switch", EVENT_STATE_OFF, SAMPLING_PERIOD, 1);
	tick_marked(999);
	is_str(event_at(0), "sched:sched_switch", "records of a removed event stay");
	is_removed[SCHED] = false;
	end();
}

static void check_rest(void)
{
	begin_stream();
	sample_at(0, SCHED, 5, 1);
	sample_at(0, SCHED, 6, 2);
	end();
	ok(true, "records that were not shown yet are freed");

	begin_stream();
	sample_at(0, SCHED, 5, 900);
	model_stream(model);
	read_counters(now_ns + 1);
	tick_after(SEC, true);
	is_u64(count(), 1, "the final snapshot has all records");
	end();
}

int main(void)
{
	plan_lazy();
	check_off();
	check_order();
	check_equal_times();
	check_marks();
	check_others();
	check_room();
	check_alerts();
	check_left_out();
	check_history();
	check_removed();
	check_rest();
	return done();
}
