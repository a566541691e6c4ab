/* SPDX-License-Identifier: MIT */
#include "source/symbol-event.h"

#include "base/abi.h"

enum { RANK_NONE, RANK_CHAIN, RANK_TIME };

static int rank_of(const struct perf_event_attr *attr)
{
	bool is_time = abi_is_clock(attr) || attr->type == PERF_TYPE_HARDWARE;

	if (is_time && (attr->sample_type & PERF_SAMPLE_IP))
		return RANK_TIME;
	return attr->sample_type & PERF_SAMPLE_CALLCHAIN ? RANK_CHAIN : RANK_NONE;
}

bool symbol_event_has_code(const struct perf_event_attr *attr)
{
	if (attr->sample_type & PERF_SAMPLE_CALLCHAIN)
		return true;
	return (attr->sample_type & PERF_SAMPLE_IP) && attr->type != PERF_TYPE_TRACEPOINT;
}

struct symbol_event symbol_event_none(void)
{
	return (struct symbol_event){ SYMBOL_EVENT_NONE, RANK_NONE };
}

void symbol_event_offer(struct symbol_event *best, uint32_t number,
			const struct perf_event_attr *attr)
{
	int rank = rank_of(attr);

	if (rank > best->rank)
		*best = (struct symbol_event){ number, rank };
}
