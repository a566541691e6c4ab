/* SPDX-License-Identifier: MIT */
/*
 * getppid-event - syscalls:sys_enter_getppid as an event of this kernel, for live tests: only the
 * test itself makes that call often.
 */
#ifndef GETPPID_EVENT_H
#define GETPPID_EVENT_H

#include "event/event.h"
#include "event/tracefs.h"
#include "tap.h"

/* Every text of it is a literal or the caller's.  Skips the test where it cannot be watched. */
static inline struct event_spec getppid_event(void)
{
	struct tracefs *tracefs = tracefs_open();
	long id = tracefs != NULL ? tracefs_id(tracefs, "syscalls", "sys_enter_getppid") : -1;

	tracefs_close(tracefs);
	if (!tap_can_perf() || id < 0)
		skip_all("syscalls:sys_enter_getppid cannot be watched here");
	return (struct event_spec){
		.name = (char *)"syscalls:sys_enter_getppid",
		.kind = EVENT_TRACEPOINT,
		.type = PERF_TYPE_TRACEPOINT,
		.config = (uint64_t)id,
		.scale = 1,
	};
}

#endif
