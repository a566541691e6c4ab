/* SPDX-License-Identifier: MIT */
/*
 * made-machine - the events of a made-up machine, for the browser.
 *
 * Included by the one file of a test.
 */
#ifndef MADE_MACHINE_H
#define MADE_MACHINE_H

#include "base/strbuf.h"
#include "ui/machine-events.h"

static unsigned int described, declared;

static const struct machine_event all[] = {
	{ "instructions", "hardware", "instructions", "ENOENT: no PMU here" },
	{ "cpu-clock", "software", "time of a CPU", NULL },
	{ "page-faults", "software", "page faults (faults)", NULL },
	{ "sched:sched_process_fork", "sched", NULL, NULL },
	{ "sched:sched_switch", "sched", NULL, NULL },
	{ "syscalls:sys_enter_openat", "syscalls", NULL, NULL },
};

#define ALL (sizeof(all) / sizeof(all[0]))

static inline const char *describe(void *ctx, size_t at)
{
	(void)ctx;
	described++;
	return all[at].text ? all[at].text : "its fields";
}

static inline void declare(void *ctx, size_t at, struct strbuf *out)
{
	(void)ctx;
	declared++;
	for (int i = 0; at == 4 && i < 7; i++)
		strbuf_printf(out, "long field_%d\n", i);
}

static const struct machine_events machine = { all, ALL, NULL, describe, declare };

#endif
