/* SPDX-License-Identifier: MIT */
#include "capture/features.h"

#include <errno.h>
#include <stddef.h>
#include <time.h>

#include "base/abi.h"
#include "event/probe.h"

/* --- the list, the newest first -------------------------------------------------------------- */

static void ask_format_lost(struct perf_event_attr *attr)
{
	attr->read_format = ABI_FORMAT_LOST;
}

static void ask_context_switch(struct perf_event_attr *attr)
{
	attr->context_switch = 1;
}

static void ask_clockid(struct perf_event_attr *attr)
{
	attr->use_clockid = 1;
	attr->clockid = CLOCK_MONOTONIC;
}

static void ask_comm_exec(struct perf_event_attr *attr)
{
	attr->comm = 1;
	attr->comm_exec = 1;
}

static const struct {
	const char *name, *since, *without;
	void (*ask)(struct perf_event_attr *attr);
	size_t offset; /* of its bool in struct features */
} list[] = {
	{ "PERF_FORMAT_LOST", "6.0", "losses are lower bounds", ask_format_lost,
	  offsetof(struct features, has_format_lost) },
	{ "context_switch", "4.3", "no switches by task", ask_context_switch,
	  offsetof(struct features, has_context_switch) },
	{ "use_clockid", "4.1", "times of CPUs may differ", ask_clockid,
	  offsetof(struct features, has_clockid) },
	{ "comm_exec", "3.16", "an exec looks like a new name", ask_comm_exec,
	  offsetof(struct features, has_comm_exec) },
};

#define LIST (sizeof(list) / sizeof(list[0]))

static bool *flag_of(struct features *features, size_t number)
{
	return (bool *)((char *)features + list[number].offset);
}

bool features_get(const struct features *features, size_t number, struct feature *feature)
{
	struct features copy = *features;

	if (number >= LIST)
		return false;
	*feature = (struct feature){ list[number].name, list[number].since, list[number].without,
				     *flag_of(&copy, number) };
	return true;
}

/* --- asking the kernel ---------------------------------------------------------------------- */

static bool kernel_takes(const struct perf_event_attr *attr)
{
	errno = probe_open(attr, 0, -1);
	return errno == 0;
}

void features_probe_by(struct features *features, bool (*takes)(const struct perf_event_attr *attr))
{
	struct perf_event_attr attr = probe_dummy();

	*features = (struct features){ 0 };
	features->has_perf = takes(&attr);
	features->errno_perf = features->has_perf ? 0 : errno;
	for (size_t i = 0; i < LIST; i++) {
		attr = probe_dummy();
		list[i].ask(&attr);
		/* All is refused (paranoid 3, seccomp): assume that the kernel has the feature. */
		*flag_of(features, i) = !features->has_perf || takes(&attr);
	}
}

void features_probe(struct features *features)
{
	features_probe_by(features, kernel_takes);
}
