/* SPDX-License-Identifier: MIT */
#include "capture/catalog.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "base/xalloc.h"
#include "capture/abi.h"

struct symbolic {
	const char *name;
	const char *alias; /* perf's other name, or NULL */
	enum event_kind kind;
	uint32_t type;
	uint64_t config;
	bool is_clock;
};

#define HARDWARE(name, alias, id) \
	{ name, alias, EVENT_HARDWARE, PERF_TYPE_HARDWARE, PERF_COUNT_HW_##id, false }
#define SOFTWARE(name, alias, id) \
	{ name, alias, EVENT_SOFTWARE, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##id, false }
#define CLOCK(name, id) { name, NULL, EVENT_SOFTWARE, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##id, true }

/* Names and aliases: perf-list(1), tools/perf of 6.1. */
static const struct symbolic symbolics[] = {
	HARDWARE("cycles", "cpu-cycles", CPU_CYCLES),
	HARDWARE("instructions", NULL, INSTRUCTIONS),
	HARDWARE("cache-references", NULL, CACHE_REFERENCES),
	HARDWARE("cache-misses", NULL, CACHE_MISSES),
	HARDWARE("branches", "branch-instructions", BRANCH_INSTRUCTIONS),
	HARDWARE("branch-misses", NULL, BRANCH_MISSES),
	HARDWARE("bus-cycles", NULL, BUS_CYCLES),
	HARDWARE("stalled-cycles-frontend", "idle-cycles-frontend", STALLED_CYCLES_FRONTEND),
	HARDWARE("stalled-cycles-backend", "idle-cycles-backend", STALLED_CYCLES_BACKEND),
	HARDWARE("ref-cycles", NULL, REF_CPU_CYCLES),
	SOFTWARE("alignment-faults", NULL, ALIGNMENT_FAULTS),
	SOFTWARE("bpf-output", NULL, BPF_OUTPUT),
	SOFTWARE("cgroup-switches", NULL, CGROUP_SWITCHES),
	SOFTWARE("context-switches", "cs", CONTEXT_SWITCHES),
	CLOCK("cpu-clock", CPU_CLOCK),
	SOFTWARE("cpu-migrations", "migrations", CPU_MIGRATIONS),
	SOFTWARE("dummy", NULL, DUMMY),
	SOFTWARE("emulation-faults", NULL, EMULATION_FAULTS),
	SOFTWARE("major-faults", NULL, PAGE_FAULTS_MAJ),
	SOFTWARE("minor-faults", NULL, PAGE_FAULTS_MIN),
	SOFTWARE("page-faults", "faults", PAGE_FAULTS),
	CLOCK("task-clock", TASK_CLOCK),
};

#define SYMBOLICS (sizeof(symbolics) / sizeof(symbolics[0]))

void catalog_init(struct catalog *catalog)
{
	catalog->tracefs = tracefs_open();
	catalog->tracefs_errno = catalog->tracefs == NULL ? errno : 0;
}

void catalog_fini(struct catalog *catalog)
{
	tracefs_close(catalog->tracefs);
	catalog->tracefs = NULL;
}

bool catalog_symbolic(const char *name, struct event_spec *spec)
{
	for (size_t i = 0; i < SYMBOLICS; i++) {
		const struct symbolic *known = &symbolics[i];

		if (strcmp(name, known->name) != 0 &&
		    (known->alias == NULL || strcmp(name, known->alias) != 0))
			continue;
		spec->kind = known->kind;
		spec->type = known->type;
		spec->config = known->config;
		spec->is_clock = known->is_clock;
		return true;
	}
	return false;
}

struct each {
	const char *glob;
	void (*visit)(void *, const char *, enum event_kind);
	void *ctx;
};

static void each_name(const struct each *each, const char *name, enum event_kind kind)
{
	if (name != NULL && (each->glob == NULL || fnmatch(each->glob, name, 0) == 0))
		each->visit(each->ctx, name, kind);
}

static int each_tracepoint(void *ctx, const char *system, const char *name)
{
	char *full = xasprintf("%s:%s", system, name);

	each_name(ctx, full, EVENT_TRACEPOINT);
	free(full);
	return 0;
}

void catalog_each(const struct catalog *catalog, const char *glob,
		  void (*visit)(void *ctx, const char *name, enum event_kind kind), void *ctx)
{
	struct each each = { glob, visit, ctx };

	for (size_t i = 0; i < SYMBOLICS; i++)
		each_name(&each, symbolics[i].name, symbolics[i].kind);
	if (catalog->tracefs != NULL)
		tracefs_each(catalog->tracefs, "*", "*", each_tracepoint, &each);
}

static void offer(void *ctx, const char *name, enum event_kind kind)
{
	(void)kind;
	suggest_offer(ctx, name);
}

bool catalog_nearest(const struct catalog *catalog, const char *typed, char *out, size_t room)
{
	struct suggest suggest;

	suggest_init(&suggest, typed);
	catalog_each(catalog, NULL, offer, &suggest);
	for (size_t i = 0; i < SYMBOLICS; i++) {
		if (symbolics[i].alias != NULL)
			suggest_offer(&suggest, symbolics[i].alias);
	}

	const char *best = suggest_best(&suggest);
	if (best != NULL)
		snprintf(out, room, "%s", best);
	return best != NULL;
}

static void add_symbolic(struct event_list *list, const char *name)
{
	catalog_symbolic(name, event_list_add(list, EVENT_SOFTWARE, name));
}

/* A tracepoint that this kernel lacks is left out: the default set is chosen from what is there. */
static struct event_spec *add_tracepoint(const struct catalog *catalog, struct event_list *list,
					 const char *system, const char *name)
{
	long id = tracefs_id(catalog->tracefs, system, name);

	if (id < 0)
		return NULL;

	char *full = xasprintf("%s:%s", system, name);
	struct event_spec *spec = event_list_add(list, EVENT_TRACEPOINT, full);
	free(full);
	spec->type = PERF_TYPE_TRACEPOINT;
	spec->config = (uint64_t)id;
	return spec;
}

static void add_sampled(struct event_list *list)
{
	catalog_symbolic("cycles", event_list_add(list, EVENT_HARDWARE, "cycles"));
}

void catalog_default_set(const struct catalog *catalog, struct event_list *list)
{
	static const char *const software[] = { "context-switches", "cpu-migrations",
						"minor-faults", "major-faults" };
	static const struct {
		const char *system, *name;
	} tracepoints[] = {
		{ "sched", "sched_wakeup" },       { "sched", "sched_process_fork" },
		{ "sched", "sched_process_exec" }, { "sched", "sched_process_exit" },
		{ "irq", "irq_handler_entry" },    { "irq", "softirq_entry" },
		{ "timer", "timer_expire_entry" }, { "kmem", "mm_page_alloc" },
		{ "block", "block_rq_issue" },     { "net", "netif_receive_skb" },
		{ "net", "net_dev_queue" },
	};

	for (size_t i = 0; i < sizeof(software) / sizeof(software[0]); i++)
		add_symbolic(list, software[i]);
	for (size_t i = 0; catalog->tracefs != NULL &&
			   i < sizeof(tracepoints) / sizeof(tracepoints[0]);
	     i++)
		add_tracepoint(catalog, list, tracepoints[i].system, tracepoints[i].name);
	add_sampled(list);

	struct event_spec *syscalls =
		catalog->tracefs != NULL ?
			add_tracepoint(catalog, list, "raw_syscalls", "sys_enter") :
			NULL;
	if (syscalls != NULL) {
		syscalls->is_off = true;
		/* Measured on 6.18 with a getppid() loop: 122 ns a call unwatched, 231 ns counted and
		 * sampled at 1,000 Hz; see doc/performance.md. */
		syscalls->note = xstrdup("about 100 ns on every system call; f switches it on");
	}
}
