/* SPDX-License-Identifier: MIT */
/*
 * symbol-event - which events have symbols, live and of a file, and whose are a snapshot's.
 *
 * The symbol event is the first clock or hardware event that samples addresses; else the first one
 * with call chains.
 */
#ifndef SOURCE_SYMBOL_EVENT_H
#define SOURCE_SYMBOL_EVENT_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#define SYMBOL_EVENT_NONE UINT32_MAX

struct symbol_event {
	uint32_t number; /* or SYMBOL_EVENT_NONE */
	int rank;	 /* 0: none */
};

/*
 * Whether its samples say where they were.  Those of a tracepoint without call chains do not: they
 * are all in the function that it is in.
 */
bool symbol_event_has_code(const struct perf_event_attr *attr);

/* No event yet. */
struct symbol_event symbol_event_none(void);

/* Take this event, which is on, if it is better than those offered before. */
void symbol_event_offer(struct symbol_event *best, uint32_t number,
			const struct perf_event_attr *attr);

#endif
