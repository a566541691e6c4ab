/* SPDX-License-Identifier: MIT */
/* Records one by one: of every kind, with hostile names. */
#include "fixture.h"

#include <string.h>

/* 2026-09-10 00:26:40 UTC. */
#define FIRST_NS 1789000000000000000

static void copy(struct snap_page *page, const struct snap_record *records)
{
	for (size_t i = 0; i < page->count; i++) {
		struct snap_record *to = &page->records[i];

		*to = records[i];
		to->wall_ns += FIRST_NS;
		to->comm = page_strdup(page, records[i].comm);
		to->event = page_strdup(page, records[i].event);
		to->text = page_strdup(page, records[i].text);
	}
}

static struct snap_page *first_page(void)
{
	static const struct snap_record records[] = {
		{ SNAP_SAMPLE, false, 0, 813, 1000, 1, "load", "raw_syscalls:sys_enter",
		  "NR 39 (7f, 0, 0, 0, 0, 0)" },
		{ SNAP_SAMPLE, false, 2, 1203, 1250999, 1, "nginx: \xc3\xa4\xe4\xb8\xad",
		  "sched:sched_switch",
		  "prev_comm=nginx prev_pid=1203 prev_prio=120 prev_state=S ==> next_comm=load "
		  "next_pid=813 next_prio=120" },
		{ SNAP_SAMPLE, true, 2, 813, 5000000, 5025000, "load", "cpu-clock",
		  "do_syscall_64 [kernel]" },
		{ SNAP_THROTTLE, false, 2, -1, 5100000, 0, "", "cpu-clock", "throttled" },
		{ SNAP_SAMPLE, false, 0, 667, 6000000, 1, FIXTURE_HOSTILE_COMM,
		  "sched:sched_switch", "prev_comm=" FIXTURE_HOSTILE_COMM },
		{ SNAP_LEFT_OUT, false, -1, -1, 999000000, 81234, "", "raw_syscalls:sys_enter",
		  "81234 more samples of this interval are not kept" },
	};
	struct snap_page *page = page_new(sizeof(records) / sizeof(records[0]));

	copy(page, records);
	return page;
}

static struct snap_page *second_page(void)
{
	static const struct snap_record records[] = {
		{ SNAP_TASK, false, 0, 812, 1000001000, 0, "load", "fork", "9001" },
		{ SNAP_TASK, false, 0, 9001, 1000200000, 0, "load", "exec", "true" },
		{ SNAP_SAMPLE, false, 0, -1, 1000900000, 0, "", "minor-faults", "" },
		{ SNAP_LOST, false, 2, -1, 1001000000, 512, "", "lost",
		  "no room in the ring for 512 records" },
		{ SNAP_TASK, false, 0, 9001, 1002000000, 0, "true", "exit", "" },
	};
	struct snap_page *page = page_new(sizeof(records) / sizeof(records[0]));

	copy(page, records);
	return page;
}

void fixture_add_stream(struct snapshot *snap)
{
	struct snap_page *pages[] = { first_page(), second_page() };
	const struct snap_page *const all[] = { pages[0], pages[1] };

	pages[0]->first = 100;
	pages[1]->first = 100 + pages[0]->count;
	snapshot_add_pages(snap, all, 2);
	page_release(pages[0]);
	page_release(pages[1]);
}
