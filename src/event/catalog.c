/* SPDX-License-Identifier: MIT */
#include "event/catalog.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "base/xalloc.h"
#include "event/kind.h"

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

static void offer(void *ctx, const char *name, const char *alias)
{
	suggest_offer(ctx, name);
	if (alias != NULL)
		suggest_offer(ctx, alias);
}

bool catalog_nearest(const struct catalog *catalog, const char *typed, char *out, size_t room)
{
	struct suggest suggest;

	suggest_init(&suggest, typed);
	for (enum event_kind kind = 0; kind < EVENT_KINDS_COUNT; kind++)
		kind_each(kind, catalog, offer, &suggest);

	const char *best = suggest_best(&suggest);
	if (best != NULL)
		snprintf(out, room, "%s", best);
	return best != NULL;
}

/* --- the default set ------------------------------------------------------------------------ */

static struct event_spec *add_fixed(struct event_list *list, enum event_kind kind, const char *name)
{
	struct event_spec *spec = event_list_add(list, kind, name);
	const char *wrong;

	kind_find(name, spec, &wrong);
	return spec;
}

/* A tracepoint that this kernel lacks is left out of the default set. */
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
		add_fixed(list, EVENT_SOFTWARE, software[i]);
	for (size_t i = 0;
	     catalog->tracefs != NULL && i < sizeof(tracepoints) / sizeof(tracepoints[0]); i++)
		add_tracepoint(catalog, list, tracepoints[i].system, tracepoints[i].name);
	add_fixed(list, EVENT_HARDWARE, "cycles")->may_be_clock = true;

	struct event_spec *syscalls =
		catalog->tracefs != NULL ?
			add_tracepoint(catalog, list, "raw_syscalls", "sys_enter") :
			NULL;
	if (syscalls != NULL) {
		syscalls->is_off = true;
		/* Measured on 6.18 with a getppid() loop: 122 ns a call unwatched, 231 ns counted and
		 * sampled at 1,000 Hz; see doc/performance.md. */
		syscalls->note = xstrdup("about 100 ns a system call; f switches it on");
	}
}
