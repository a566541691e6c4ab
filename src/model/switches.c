/* SPDX-License-Identifier: MIT */
#include "model/switches.h"

#include <string.h>

#include "base/abi.h"

static void settle(struct model *model, uint32_t slot, uint64_t now_ns)
{
	struct model_cpu *cpu = &model->cpus[slot];

	if (cpu->running == TID_NONE || now_ns <= cpu->running_since_ns)
		return;

	uint64_t passed_ns = now_ns - cpu->running_since_ns;
	struct task *task = tasks_find(model->tasks, cpu->running);
	timeline_add(&cpu->timeline, cpu->running, cpu->running_since_ns, now_ns);
	if (cpu->running == 0)
		cpu->now.idle_ns += passed_ns;
	else
		cpu->now.busy_ns += passed_ns;
	if (task != NULL)
		task->on_cpu_ns += passed_ns;
	cpu->running_since_ns = now_ns;
}

void switches_settle(struct model *model, uint32_t slot, uint64_t now_ns)
{
	struct model_cpu *cpu = &model->cpus[slot];

	/* The record of the switch away from it was lost. */
	if (switches_exited(model, slot, -1) != NULL)
		cpu->running = TID_NONE;
	settle(model, slot, now_ns);
}

/* From now on that task is on the CPU, with TID_NONE an unknown one. */
static void set_running(struct model_cpu *cpu, int32_t tid, uint64_t time_ns)
{
	cpu->running = tid;
	cpu->running_since_ns = cpu->running_seen_ns = time_ns;
}

void switches_sample(struct model_cpu *cpu, int32_t tid, uint64_t time_ns)
{
	if (tid < 0 || time_ns == 0)
		return;
	if (cpu->running != tid)
		set_running(cpu, tid, time_ns);
	else if (time_ns > cpu->running_seen_ns)
		cpu->running_seen_ns = time_ns;
}

struct task *switches_exited(const struct model *model, uint32_t slot, int32_t pid)
{
	struct task *task = tasks_find(model->tasks, model->cpus[slot].running);
	bool is_it = task != NULL && task->is_exited && (pid < 0 || task->pid == pid);

	return is_it ? task : NULL;
}

static bool is_preemption(const struct record *record)
{
	return record->misc & ABI_MISC_SWITCH_OUT_PREEMPT;
}

/* Whether it can be a switch away from the task that is on the CPU: the last one of a task has tid (u32)-1. */
static bool is_of_running(const struct model *model, const struct model_cpu *cpu,
			  const struct record *record)
{
	int32_t pid = (int32_t)record->pid, tid = (int32_t)record->tid;

	if (tid == cpu->running || tid >= 0)
		return tid == cpu->running;

	const struct task *task = tasks_find(model->tasks, cpu->running);

	return task == NULL || pid < 0 || task->pid == pid;
}

/* A switch away from idle is always marked as preemption: it is counted as neither. */
static void count_switch(struct model *model, struct model_cpu *cpu, const struct record *record)
{
	int32_t tid = (int32_t)record->tid;

	cpu->now.out++;
	if (tid == 0)
		return;
	if (is_preemption(record))
		cpu->now.involuntary++;
	else
		cpu->now.voluntary++;

	struct task *task = NULL;
	if (tid > 0)
		task = model_visible_task(model, (int32_t)record->pid, tid, record->time_ns);
	else if (is_of_running(model, cpu, record))
		task = tasks_find(model->tasks, cpu->running);
	if (task == NULL || task->tid == 0)
		return;
	task->switches++;
	if (is_preemption(record)) {
		task->involuntary++;
		task->preempted++;
	} else {
		task->voluntary++;
	}
}

/* For the measuring of spans (model/spans.h), which needs all CPUs' records. */
static void log_entry(struct model *model, uint32_t slot, const struct switchlog_entry *entry)
{
	if (switchlog_add(model->switchlog, slot, entry))
		return;
	spans_measure_early(model);
	switchlog_add(model->switchlog, slot, entry);
}

void switches_wakeup(struct model *model, uint32_t slot, const struct record *record, uint32_t at,
		     uint64_t weight)
{
	struct switchlog_entry entry = {
		.time_ns = record->time_ns,
		.out = TID_NONE,
		.weight = weight == 0	      ? 1 :
			  weight > UINT32_MAX ? UINT32_MAX :
						(uint32_t)weight,
		.kind = SWITCHLOG_WOKEN,
	};

	if (record->time_ns == 0 || record->raw == NULL || record->raw_size < sizeof(entry.in) ||
	    at > record->raw_size - sizeof(entry.in))
		return;
	memcpy(&entry.in, record->raw + at, sizeof(entry.in));
	log_entry(model, slot, &entry);
}

void switches_lost(struct model *model, uint32_t slot, uint64_t time_ns)
{
	struct switchlog_entry entry = { time_ns, TID_NONE, TID_NONE, 0, SWITCHLOG_LOST };

	if (time_ns != 0)
		log_entry(model, slot, &entry);
	/* Other tasks may have run since the last record. */
	settle(model, slot, model->cpus[slot].running_seen_ns);
	model->cpus[slot].running = TID_NONE;
}

/* The other task of the switch, or TID_NONE if the record does not say. */
static int32_t other_tid(const struct record *record)
{
	return record->type == PERF_RECORD_SWITCH_CPU_WIDE ? (int32_t)record->next_prev.tid :
							     TID_NONE;
}

/*
 * Another tid than the one that was running: records between were lost.  The next task is running from
 * here on, because not every idle task has a record of its own (seen on 6.18: that of CPU 1).
 */
static void switch_out(struct model *model, uint32_t slot, const struct record *record)
{
	struct model_cpu *cpu = &model->cpus[slot];
	int32_t tid = (int32_t)record->tid;
	bool is_whole = is_of_running(model, cpu, record);
	struct switchlog_entry entry = {
		.time_ns = record->time_ns,
		.out = tid < 0 ? cpu->running : tid,
		.in = other_tid(record),
		.kind = !is_whole	      ? SWITCHLOG_CUT :
			is_preemption(record) ? SWITCHLOG_PREEMPTED :
						SWITCHLOG_BLOCKED,
	};

	log_entry(model, slot, &entry);
	count_switch(model, cpu, record);
	if (is_whole)
		settle(model, slot, record->time_ns);
	set_running(cpu, other_tid(record), record->time_ns);
}

static void switch_in(struct model *model, uint32_t slot, const struct record *record)
{
	struct model_cpu *cpu = &model->cpus[slot];
	int32_t tid = (int32_t)record->tid;

	/* It needs a row for its slice, also if this is its first record. */
	if (tid > 0)
		model_visible_task(model, (int32_t)record->pid, tid, record->time_ns);
	if (tid == cpu->running)
		return;
	if (other_tid(record) == cpu->running)
		settle(model, slot, record->time_ns);

	struct switchlog_entry entry = { record->time_ns, cpu->running, tid, 0, SWITCHLOG_CUT };
	log_entry(model, slot, &entry);
	set_running(cpu, tid, record->time_ns);
}

void switches_record(struct model *model, uint32_t slot, const struct record *record)
{
	/*
	 * Records of several CPUs are no sequence, and one without a time has no place in it: who is on the
	 * CPU, and for how long, is unknown.
	 */
	if (model->cpu_ids[slot] == CPU_UNKNOWN || record->time_ns == 0) {
		if (record->misc & ABI_MISC_SWITCH_OUT)
			count_switch(model, &model->cpus[slot], record);
		model->cpus[slot].running = TID_NONE;
		return;
	}
	if (record->misc & ABI_MISC_SWITCH_OUT)
		switch_out(model, slot, record);
	else
		switch_in(model, slot, record);
}
