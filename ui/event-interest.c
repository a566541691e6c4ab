/* SPDX-License-Identifier: MIT */
#include "ui/event-interest.h"

#include <math.h>
#include <string.h>

#define CHANGE_WEIGHT 4

/* Of the CPU seconds per second of the task that was on CPUs most. */
#define CLOCK_WEIGHT 0.01

/* Where a text stands in a name. */
enum match { IS, BEGINS, ENDS, HAS };

/*
 * The kernel's work behind one occurrence in ns, by orders of magnitude: it decides an order of rows
 * and nothing else.
 */
static const struct {
	enum match match;
	const char *text;
	double ns;
} costs[] = {
	/* a cycle counts for as much as the time of cpu-clock */
	{ HAS, "cycles", 0.003 },
	{ BEGINS, "instructions", 0.003 },
	{ BEGINS, "branches", 0.02 },
	{ BEGINS, "cache-references", 0.1 },
	{ BEGINS, "cache-misses", 1 },
	{ BEGINS, "branch-misses", 1 },
	{ IS, "sched:sched_process_exec", 200000 },
	{ IS, "sched:sched_process_fork", 100000 },
	{ IS, "sched:sched_process_exit", 50000 },
	{ IS, "major-faults", 50000 },
	{ BEGINS, "block:", 10000 },
	{ IS, "cpu-migrations", 3000 },
	{ BEGINS, "irq:irq_handler_", 2000 },
	{ IS, "context-switches", 2000 },
	{ IS, "sched:sched_switch", 2000 },
	{ BEGINS, "net:", 1500 },
	{ BEGINS, "sched:sched_wakeup", 1000 },
	{ BEGINS, "irq:softirq_", 1000 },
	{ ENDS, "-faults", 1000 },
	{ BEGINS, "kmem:", 200 },
	{ BEGINS, "raw_syscalls:", 200 },
	{ BEGINS, "syscalls:", 200 },
};

#define COST_OTHER_NS 500

/*
 * Not fnmatch(), which converts both to wide characters in a UTF-8 locale: a view of tasks asks for
 * each event of each task.
 */
static bool is_match(enum match match, const char *text, const char *name)
{
	size_t len = strlen(text), all = strlen(name);

	switch (match) {
	case BEGINS:
		return strncmp(name, text, len) == 0;
	case ENDS:
		return all >= len && strcmp(name + all - len, text) == 0;
	case HAS:
		return strstr(name, text) != NULL;
	case IS:
		break;
	}
	return strcmp(name, text) == 0;
}

/* Of one occurrence in seconds, to the nearest power of ten or so. */
static double cost_of(const char *name)
{
	for (size_t i = 0; i < sizeof(costs) / sizeof(costs[0]); i++) {
		if (is_match(costs[i].match, costs[i].text, name))
			return costs[i].ns / 1e9;
	}
	return COST_OTHER_NS / 1e9;
}

/* The mean of the last seconds, because it varies less; of an event that has changed, the higher rate. */
static double steady_rate(const struct snap_event *event)
{
	if (event->has_changed)
		return CHANGE_WEIGHT * fmax(event->rate, event->rate_before);
	return event->rate_before >= 0 ? event->rate_before : event->rate;
}

double event_work(const struct snap_event *event, double rate)
{
	if (event->unit != NULL && event->unit[0] != '\0')
		return CLOCK_WEIGHT * fmax(rate / 1e9, 0);
	return fmax(rate, 0) * cost_of(event->name);
}

double event_interest(const struct snap_event *event)
{
	if (event->state != EVENT_STATE_ON)
		return -INFINITY;
	if (event->unit != NULL && event->unit[0] != '\0')
		return event_work(event, event->rate) * fmax(event->most_share, 0);
	return event_work(event, steady_rate(event));
}

bool event_is_quiet(const struct snap_event *event)
{
	if (event->state != EVENT_STATE_ON || event->rate > 0 || event->lost_count > 0)
		return false;
	for (size_t i = 0; i < event->ntrend; i++) {
		if (event->trend[i] > 0)
			return false;
	}
	return true;
}
