/* SPDX-License-Identifier: MIT */
/*
 * switches - who was on each CPU and for how long, from PERF_RECORD_SWITCH records.
 *
 * A CPU's time is busy (a task other than idle), idle, or unknown: before its first switch and
 * where records were lost.  Records without a time, 0, are only counted.
 *
 * Decoder thread only.
 */
#ifndef MODEL_SWITCHES_H
#define MODEL_SWITCHES_H

#include <stdint.h>

#include "model/tables.h"

/* A switch record of that CPU. */
void switches_record(struct model *model, uint32_t slot, const struct record *record);

/* A sample that is a wakeup, with the tid of the woken task at `at` of its raw data. */
void switches_wakeup(struct model *model, uint32_t slot, const struct record *record, uint32_t at,
		     uint64_t weight);

/* Records of that CPU before `time_ns` were lost. */
void switches_lost(struct model *model, uint32_t slot, uint64_t time_ns);

/* A sample of `tid` at `time_ns`: that task is on the CPU, also if the switch record was lost. */
void switches_sample(struct model_cpu *cpu, int32_t tid, uint64_t time_ns);

/*
 * The task of process `pid` (-1: of any) that is on the CPU and has exited: a sample there without a tid is its
 * last.  NULL if there is none.
 */
struct task *switches_exited(const struct model *model, uint32_t slot, int32_t pid);

/* At a tick: count the time up to `now_ns` for the task that is on the CPU. */
void switches_settle(struct model *model, uint32_t slot, uint64_t now_ns);

#endif
