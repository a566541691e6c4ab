/* SPDX-License-Identifier: MIT */
#include "event/catalog.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/abi.h"
#include "base/suggest.h"
#include "base/xalloc.h"

struct symbolic {
	const char *name;
	const char *alias; /* perf's other name, or NULL */
	enum event_kind kind;
	uint32_t type;
	uint64_t config;
	bool is_clock;
	const char *text;
};

#define HARDWARE(name, alias, id, text)                                                          \
	{                                                                                        \
		name, alias, EVENT_HARDWARE, PERF_TYPE_HARDWARE, PERF_COUNT_HW_##id, false, text \
	}
#define SOFTWARE(name, alias, id, text)                                                          \
	{                                                                                        \
		name, alias, EVENT_SOFTWARE, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##id, false, text \
	}
#define CLOCK(name, id, text)                                                                  \
	{                                                                                      \
		name, NULL, EVENT_SOFTWARE, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##id, true, text \
	}
#define PERF_COUNT_SW_NEWER_CGROUP_SWITCHES ABI_COUNT_SW_CGROUP_SWITCHES

/* Names and aliases: perf-list(1), tools/perf of 6.1. */
static const struct symbolic symbolics[] = {
	HARDWARE("cycles", "cpu-cycles", CPU_CYCLES, "cycles of the CPU while it is not halted"),
	HARDWARE("instructions", NULL, INSTRUCTIONS, "instructions retired"),
	HARDWARE("cache-references", NULL, CACHE_REFERENCES, "accesses to the last level cache"),
	HARDWARE("cache-misses", NULL, CACHE_MISSES, "misses of the last level cache"),
	HARDWARE("branches", "branch-instructions", BRANCH_INSTRUCTIONS, "branches retired"),
	HARDWARE("branch-misses", NULL, BRANCH_MISSES, "branches predicted wrongly"),
	HARDWARE("bus-cycles", NULL, BUS_CYCLES, "cycles of the bus"),
	HARDWARE("stalled-cycles-frontend", "idle-cycles-frontend", STALLED_CYCLES_FRONTEND,
		 "cycles in which no instruction was fetched"),
	HARDWARE("stalled-cycles-backend", "idle-cycles-backend", STALLED_CYCLES_BACKEND,
		 "cycles in which none was retired"),
	HARDWARE("ref-cycles", NULL, REF_CPU_CYCLES, "cycles at the nominal frequency"),
	SOFTWARE("alignment-faults", NULL, ALIGNMENT_FAULTS,
		 "unaligned accesses that the kernel had to mend"),
	SOFTWARE("bpf-output", NULL, BPF_OUTPUT, "what BPF programs write out"),
	SOFTWARE("cgroup-switches", NULL, NEWER_CGROUP_SWITCHES,
		 "switches to a task of another cgroup (Linux 5.13)"),
	SOFTWARE("context-switches", "cs", CONTEXT_SWITCHES, "switches from one task to another"),
	CLOCK("cpu-clock", CPU_CLOCK, "time on the CPU, ns; samples without a PMU"),
	SOFTWARE("cpu-migrations", "migrations", CPU_MIGRATIONS, "tasks moved to another CPU"),
	SOFTWARE("dummy", NULL, DUMMY, "counts nothing"),
	SOFTWARE("emulation-faults", NULL, EMULATION_FAULTS,
		 "instructions that the kernel had to emulate"),
	SOFTWARE("major-faults", NULL, PAGE_FAULTS_MAJ, "page faults that waited for the disk"),
	SOFTWARE("minor-faults", NULL, PAGE_FAULTS_MIN, "page faults that did not"),
	SOFTWARE("page-faults", "faults", PAGE_FAULTS, "page faults of either kind"),
	CLOCK("task-clock", TASK_CLOCK, "time that the task has run, ns"),
};

#define SYMBOLICS (sizeof(symbolics) / sizeof(symbolics[0]))

void catalog_init(struct catalog *catalog)
{
	catalog->tracefs = tracefs_open();
	catalog->tracefs_errno = catalog->tracefs == NULL ? errno : 0;
	catalog->pmus = pmus_open(PMU_ROOT);
}

void catalog_fini(struct catalog *catalog)
{
	tracefs_close(catalog->tracefs);
	catalog->tracefs = NULL;
	pmus_close(catalog->pmus);
	catalog->pmus = NULL;
}

static const struct symbolic *find_symbolic(const char *name)
{
	for (size_t i = 0; i < SYMBOLICS; i++) {
		const struct symbolic *known = &symbolics[i];

		if (strcmp(name, known->name) == 0 ||
		    (known->alias != NULL && strcmp(name, known->alias) == 0))
			return known;
	}
	return NULL;
}

bool catalog_symbolic(const char *name, struct event_spec *spec)
{
	const struct symbolic *known = find_symbolic(name);

	if (known == NULL)
		return false;
	spec->kind = known->kind;
	spec->type = known->type;
	spec->config = known->config;
	spec->is_clock = known->is_clock;
	return true;
}

struct each {
	const char *glob;
	void (*visit)(void *, const char *, enum event_kind);
	void *ctx;
	const struct pmu *pmu; /* the one whose events it is at */
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

static void each_pmu_event(void *ctx, const char *name)
{
	struct each *each = ctx;
	char *full = xasprintf("%s/%s/", each->pmu->name, name);

	each_name(each, full, EVENT_PMU);
	free(full);
}

static void each_cache(const struct each *each)
{
	char name[64];

	for (size_t i = 0; catalog_cache_at(i, name, sizeof(name)); i++)
		each_name(each, name, EVENT_CACHE);
}

static void each_pmu(const struct catalog *catalog, struct each *each)
{
	for (size_t i = 0; catalog->pmus != NULL && i < pmus_count(catalog->pmus); i++) {
		each->pmu = pmus_at(catalog->pmus, i);
		pmu_each_event(catalog->pmus, each->pmu, each_pmu_event, each);
	}
}

void catalog_each(const struct catalog *catalog, const char *glob,
		  void (*visit)(void *ctx, const char *name, enum event_kind kind), void *ctx)
{
	struct each each = { glob, visit, ctx, NULL };

	for (size_t i = 0; i < SYMBOLICS; i++)
		each_name(&each, symbolics[i].name, symbolics[i].kind);
	each_cache(&each);
	each_pmu(catalog, &each);
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

/* --- descriptions --------------------------------------------------------------------------- */

/* The name at the end of a field's declaration, "char comm[16]": comm. */
static void add_field(struct strbuf *out, const char *line, size_t len)
{
	size_t end = len;

	if (end > 0 && line[end - 1] == ']') {
		while (end > 0 && line[end - 1] != '[')
			end--;
		end -= end > 0;
	}

	size_t start = end;
	while (start > 0 && line[start - 1] != ' ' && line[start - 1] != '*')
		start--;
	/* Those that every tracepoint has say nothing about this one. */
	if (end - start > 7 && strncmp(line + start, "common_", 7) == 0)
		return;
	if (out->len > 0)
		strbuf_putc(out, ' ');
	strbuf_add(out, line + start, end - start);
}

static void describe_tracepoint(const struct catalog *catalog, const char *name, struct strbuf *out)
{
	size_t len = event_system_length(name);

	if (catalog->tracefs == NULL || name[len] == '\0')
		return;

	char *system = xstrndup(name, len);
	char *text = tracefs_format(catalog->tracefs, system, name + len + 1, &len);
	free(system);
	const char *at = text != NULL ? strstr(text, "\tfield:") : NULL;
	while (at != NULL) {
		at += strlen("\tfield:");
		add_field(out, at, strcspn(at, ";"));
		at = strstr(at, "\tfield:");
	}
	free(text);
}

static void describe_pmu(const struct catalog *catalog, const char *name, struct strbuf *out)
{
	size_t len = strcspn(name, "/");
	char *pmu_name = xstrndup(name, len);
	const struct pmu *pmu = catalog->pmus != NULL ? pmus_find(catalog->pmus, pmu_name) : NULL;
	struct pmu_alias alias;

	free(pmu_name);
	if (pmu == NULL || name[len] == '\0')
		return;

	char *event = xstrndup(name + len + 1, strcspn(name + len + 1, "/"));
	if (pmu_alias(catalog->pmus, pmu, event, &alias) == 0) {
		strbuf_puts(out, alias.terms);
		if (alias.unit != NULL)
			strbuf_printf(out, ", in %s", alias.unit);
		pmu_alias_fini(&alias);
	}
	free(event);
}

void catalog_describe(const struct catalog *catalog, const char *name, enum event_kind kind,
		      struct strbuf *out)
{
	const struct symbolic *known = find_symbolic(name);

	if (kind == EVENT_TRACEPOINT)
		describe_tracepoint(catalog, name, out);
	else if (kind == EVENT_PMU)
		describe_pmu(catalog, name, out);
	else if (kind == EVENT_CACHE)
		strbuf_puts(out, strstr(name, "misses") != NULL ? "misses of this cache" :
								  "accesses to this cache");
	else if (known != NULL)
		strbuf_printf(out, "%s%s%s%s", known->text, known->alias != NULL ? " (" : "",
			      known->alias != NULL ? known->alias : "",
			      known->alias != NULL ? ")" : "");
}

/* --- the default set ------------------------------------------------------------------------ */

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
	struct event_spec *spec = event_list_add(list, EVENT_HARDWARE, "cycles");

	catalog_symbolic("cycles", spec);
	spec->may_be_clock = true;
}

void catalog_default_set(const struct catalog *catalog, struct event_list *list)
{
	static const char *const software[] = { "context-switches", "cpu-migrations",
						"minor-faults", "major-faults" };
	static const struct {
		const char *system, *name;
	} tracepoints[] = {
		{ "sched", "sched_wakeup" },	   { "sched", "sched_process_fork" },
		{ "sched", "sched_process_exec" }, { "sched", "sched_process_exit" },
		{ "irq", "irq_handler_entry" },	   { "irq", "softirq_entry" },
		{ "timer", "timer_expire_entry" }, { "kmem", "mm_page_alloc" },
		{ "block", "block_rq_issue" },	   { "net", "netif_receive_skb" },
		{ "net", "net_dev_queue" },
	};

	for (size_t i = 0; i < sizeof(software) / sizeof(software[0]); i++)
		add_symbolic(list, software[i]);
	for (size_t i = 0;
	     catalog->tracefs != NULL && i < sizeof(tracepoints) / sizeof(tracepoints[0]); i++)
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
