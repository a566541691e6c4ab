/* SPDX-License-Identifier: MIT */
/* Violations of --verify in snapshots. */
#include "model/model.h"

#include "made-model.h"
#include "tap.h"

static void begin_verified(bool has_verify)
{
	struct model_config config = config_of(true, 10);
	struct model_event info = { .name = "sched:sched_switch",
				    .kind = "tracepoint",
				    .unit = "",
				    .state = EVENT_STATE_ON,
				    .sampling = SAMPLING_PERIOD,
				    .rate = 1,
				    .is_verified = true };

	config.has_verify = has_verify;
	begin_with(&config);
	model_set_event(model, SCHED, &info);
	comm(5, 5, "worker");
}

static void sample_value(uint32_t event, uint64_t value)
{
	unsigned char raw[] = { 42 };
	struct record record = sample(5, 5);

	record.time_ns = now_ns + 250 * MS;
	record.has_value = true;
	record.value_id = 77;
	record.value = value;
	record.raw = raw;
	record.raw_size = sizeof(raw);
	model_record(model, 1, event, &record);
}

static void check_whole(void)
{
	begin_verified(true);
	for (uint64_t value = 1; value <= 5; value++)
		sample_value(SCHED, value);
	sample_value(FAULTS, 100);
	read_counters(now_ns + SEC);
	tick_after(SEC, false);
	ok(snap->is_verified && snap->verify.first == NULL && snap->verify.text == NULL,
	   "a whole sequence is verified");
	is_u64(snap->verify.events, 1, "of the event that can be");
	is_u64(snap->verify.checked, 5, "all its samples");
	is_u64(snap->nnotes, 0, "without a note");
	end();
}

static void check_violation(void)
{
	begin_verified(true);
	sample_value(SCHED, 1);
	sample_value(SCHED, 8);
	read_counters(now_ns + SEC);
	tick_after(SEC, false);
	is_u64(snap->verify.missing, 6, "six are missing");

	const struct snap_violation *first = snap->verify.first;
	is_str(first->event, "sched:sched_switch", "of the event");
	is_u64((uint64_t)first->cpu, 3, "on the CPU, by the kernel's number");
	ok(first->count == 8 && first->sampled == 2 && first->lost == 0, "its figures");
	ok(is_near(first->at_s, 0.25), "its time since the start");
	is_str(first->comm, "worker", "its task");
	is_str(first->fields, "event=2 size=1 first=42", "its fields");
	ok(snap->nnotes == 1 && strstr(snap->notes[0], snap->verify.text) != NULL,
	   "a note says it");

	comm(5, 5, "other");
	tick_after(SEC, false);
	is_str(snap->verify.first->comm, "worker", "later the task may have another name");
	is_u64(snap->verify.missing, 6, "the sums are those since the start");
	end();
}

static void check_end(void)
{
	begin_verified(true);
	sample_value(SCHED, 2);
	read_counters(now_ns + SEC);
	tick_after(SEC, false);
	is_u64(snap->verify.missing, 0, "an interrupt can be before its sample");
	tick_after(SEC, true);
	is_u64(snap->verify.missing, 0, "also of a CPU that was not decoded to its end");
	read_counters(now_ns + SEC);
	tick_after(SEC, true);
	is_u64(snap->verify.missing, 1, "else not at the end");
	end();
}

static void check_without(void)
{
	begin_verified(false);
	sample_value(SCHED, 100);
	read_counters(now_ns + SEC);
	tick_after(SEC, true);
	ok(!snap->is_verified && snap->nnotes == 0, "without --verify nothing is checked");
	end();
}

int main(void)
{
	plan_lazy();
	check_whole();
	check_violation();
	check_end();
	check_without();
	return done();
}
