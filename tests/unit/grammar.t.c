/* SPDX-License-Identifier: MIT */
#include "event/grammar.h"

#include "base/abi.h"
#include "messages.h"
#include "tap.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static struct catalog catalog;
static struct event_list list;
static struct grammar_faults faults;

static void parse(const char *text)
{
	event_list_fini(&list);
	grammar_faults_fini(&faults);
	grammar_parse(text, &catalog, &list, &faults);
}

/* It parses to `events` events, without a fault. */
static bool right(const char *text, size_t events)
{
	parse(text);
	if (faults.count > 0)
		diag("'%s': %s", text, faults.faults[0].reason);
	return ok(faults.count == 0 && list.count == events, "'%s' is %zu events", text, events);
}

/* One event, by its name, kind, type and config. */
static const struct event_spec *one(const char *text, enum event_kind kind, uint32_t type,
				    uint64_t config)
{
	if (!right(text, 1))
		return NULL;
	const struct event_spec *spec = &list.specs[0];
	is_str(spec->name, text, "named as it was typed");
	ok(spec->kind == kind && spec->type == type && spec->config == config && !spec->fault,
	   "and is what it should be");
	return spec;
}

/* One fault, at this place; the event keeps its row. */
static void faulty(const char *text, size_t column, size_t length, const char *nearest)
{
	parse(text);
	if (!is_u64(faults.count, 1, "'%s' has one fault", text))
		return;
	const struct grammar_fault *fault = &faults.faults[0];
	is_u64(fault->column, column, "at column %zu", column);
	is_u64(fault->length, length, "of %zu bytes", length);
	is_message(fault->reason, "-e %s", text);
	is_str(fault->nearest, nearest, "nearest");
}

/* Of the list, the events with a fault. */
static size_t faulty_rows(void)
{
	size_t count = 0;

	for (size_t i = 0; i < list.count; i++)
		count += list.specs[i].fault != NULL;
	return count;
}

/* --- symbolic names ------------------------------------------------------------------------- */

static void check_names(void)
{
	one("context-switches", EVENT_SOFTWARE, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES);
	one("cs", EVENT_SOFTWARE, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES);
	one("faults", EVENT_SOFTWARE, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
	one("minor-faults", EVENT_SOFTWARE, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN);
	one("migrations", EVENT_SOFTWARE, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS);
	one("cpu-cycles", EVENT_HARDWARE, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	one("branches", EVENT_HARDWARE, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS);
	one("ref-cycles", EVENT_HARDWARE, PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES);

	const struct event_spec *clock =
		one("cpu-clock", EVENT_SOFTWARE, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	ok(clock != NULL && clock->is_clock, "a clock counts ns");
	parse("task-clock,cs");
	ok(list.specs[0].is_clock && !list.specs[1].is_clock, "and other events do not");
	right("cs,faults,cycles:u,cs", 4);
	is_str(list.specs[2].name, "cycles:u", "in their order");
	right("faults:u,faults:k,cycles:u", 3);
	is_str(list.specs[1].name, "faults:k", "one name with two modifiers");
}

static void check_modifiers(void)
{
	const struct event_modifiers *modifiers;

	parse("cycles:u");
	modifiers = &list.specs[0].modifiers;
	ok(!modifiers->exclude_user && modifiers->exclude_kernel && modifiers->exclude_hv,
	   ":u leaves kernel and hypervisor out");
	parse("cycles:k");
	modifiers = &list.specs[0].modifiers;
	ok(modifiers->exclude_user && !modifiers->exclude_kernel && modifiers->exclude_hv,
	   ":k leaves the others out");
	parse("cycles:hu");
	modifiers = &list.specs[0].modifiers;
	ok(!modifiers->exclude_user && modifiers->exclude_kernel && !modifiers->exclude_hv,
	   ":hu has these two");
	parse("cycles:ukhpppGHIDe");
	modifiers = &list.specs[0].modifiers;
	ok(faults.count == 0, "all modifiers at once");
	ok(!modifiers->exclude_user && !modifiers->exclude_kernel && !modifiers->exclude_hv,
	   "all levels given, none is left out");
	is_u64(modifiers->precise, 3, "ppp is 3");
	ok(!modifiers->exclude_guest && !modifiers->exclude_host && modifiers->exclude_idle,
	   "G and H, so neither is left out; I");
	ok(modifiers->is_pinned && modifiers->is_exclusive, "D, e");
	is_str(modifiers->text, "ukhpppGHIDe", "as typed");
	is_str(list.specs[0].name, "cycles:ukhpppGHIDe", "and in the name");
	right("cs:", 1);
	right("page-faults:u", 1);
	right("cpu-clock:u", 1);
}

static void check_faults(void)
{
	faulty("cycels", 0, 6, "cycles");
	faulty("cs,nosuchthing,faults", 3, 11, "");
	is_u64(list.count, 3, "what is right is there all the same");
	is_u64(faulty_rows(), 1, "and the wrong one keeps its row");
	is_str(list.specs[1].name, "nosuchthing", "under its name");
	is_str(list.specs[2].name, "faults", "in its place");
	faulty("context-switchs", 0, 15, "context-switches");
	ok(strstr(list.specs[0].fault, "nearest: context-switches") != NULL,
	   "the row names it too");
	faulty("CS", 0, 2, "cs");

	faulty("", 0, 1, "");
	is_u64(list.count, 0, "an empty text is no event");
	faulty("cs,,faults", 3, 1, "");
	is_u64(list.count, 2, "but its neighbours are");
	faulty(",cs", 0, 1, "");
	faulty("cs,", 3, 1, "");

	faulty("cs:q", 3, 1, "");
	faulty("faults,cycles:uq", 15, 1, "");
	is_str(list.specs[1].name, "cycles:uq", "its row has the whole of it");
	faulty("cycles:uu", 8, 1, "");
	faulty("cycles:upu", 9, 1, "");
	faulty("cycles:pppp", 10, 1, "");
	faulty("cycles:pppppppppppppppppppppppppppppppppppppppp", 7, 40, "");
	parse("cs:q,nope,cs:q");
	is_u64(faults.count, 3, "three faults in one list");
	is_u64(faults.faults[2].column, 13, "each at its own place");
}

/* An event that the kernel would open, and that would be 0 for ever. */
static void check_silent_zero(void)
{
	faulty("cs:u", 3, 1, "");
	is_u64(list.count, 1, "it has its row");
	is_str(list.specs[0].name, "cs:u", "with its name");
	ok(list.specs[0].fault != NULL, "and is not opened");
	faulty("faults,migrations:uh", 18, 2, "");
	right("cs:k", 1);
	right("cs:uk", 1);
}

/* --- tracepoints ---------------------------------------------------------------------------- */

static void check_no_tracefs(void)
{
	struct catalog real = catalog;

	catalog = (struct catalog){ .tracefs = NULL, .tracefs_errno = EACCES };
	faulty("sched:sched_switch", 0, 18, "");
	ok(list.count == 1 && list.specs[0].kind == EVENT_TRACEPOINT, "a row of its kind");
	catalog.tracefs_errno = ENOENT;
	faulty("cs,sched:sched_*", 3, 13, "");
	is_u64(list.count, 2, "other events go on");
	faulty("sched:sched_switch:q", 19, 1, "");
	catalog = real;
}

static void check_tracepoints(void)
{
	long id = tracefs_id(catalog.tracefs, "sched", "sched_switch");

	one("sched:sched_switch", EVENT_TRACEPOINT, PERF_TYPE_TRACEPOINT, (uint64_t)id);
	parse("cs,sched:sched_wakeup*,faults");
	ok(faults.count == 0 && list.count >= 4, "a glob is several events");
	is_str(list.specs[1].name, "sched:sched_wakeup", "sorted");
	is_str(list.specs[list.count - 1].name, "faults", "in their place");
	parse("sche[d]:sched_switc?");
	ok(faults.count == 0 && list.count == 1, "? and [] on both sides of the colon");
	parse("sched:sched_switch:k");
	ok(faults.count == 0 && list.count == 1, "with a modifier");
	is_str(list.specs[0].name, "sched:sched_switch:k", "that is in its name");
	ok(list.specs[0].modifiers.exclude_user, "and in effect");
	right("syscalls:sys_enter_getppid:u", 1);
	right("sched:sched_switch,syscalls:sys_enter_getppid:u,faults:u,sched:sched_switch:k", 4);

	faulty("sched:sched_swich", 0, 17, "sched:sched_switch");
	faulty("cs,shced:sched_switch", 3, 18, "sched:sched_switch");
	faulty("cs,sched_switch", 3, 12, "sched:sched_switch");
	faulty("cs,sched:nosuch*,cs", 3, 13, "");
	is_u64(list.count, 3, "and the others are there");
	faulty("sched:sched_swich:k", 0, 17, "sched:sched_switch");
	faulty("sched:", 0, 6, "");
	faulty("sched:../sched/sched_switch", 0, 27, "sched:sched_switch");
}

static void check_silent_tracepoints(void)
{
	faulty("sched:sched_switch:u", 19, 1, "");
	faulty("cs,sched:sched_s*:u", 18, 1, "");
	ok(faulty_rows() > 1, "a glob of several has one fault, and each row has it");
	parse("sched:sched_switch:u,sched:sched_wakeup:u");
	is_u64(faults.count, 2, "two items have two");
}

/* perf has no limit for the length of its text; a long one must not crash us. */
static void check_long(void)
{
	static char text[200001];

	memset(text, 'x', sizeof(text) - 1);
	parse(text);
	is_u64(faults.count, 1, "a name of 200,000 letters is one fault");
	is_u64(faults.faults[0].length, sizeof(text) - 1, "of that length");
	memset(text, ',', sizeof(text) - 1);
	text[1000] = '\0';
	parse(text);
	is_u64(faults.count, 1001, "a thousand commas");
	memset(text, ':', 1000);
	parse(text);
	is_u64(faults.count, 1, "a thousand colons");
}

int main(void)
{
	plan_lazy();
	catalog_init(&catalog);
	check_names();
	check_modifiers();
	check_faults();
	check_silent_zero();
	check_no_tracefs();
	check_long();
	if (catalog.tracefs != NULL && tracefs_id(catalog.tracefs, "sched", "sched_switch") >= 0 &&
	    tracefs_id(catalog.tracefs, "syscalls", "sys_enter_getppid") >= 0) {
		check_tracepoints();
		check_silent_tracepoints();
	} else {
		skip(1, "no readable tracefs with sched:sched_switch and syscalls");
	}
	event_list_fini(&list);
	grammar_faults_fini(&faults);
	catalog_fini(&catalog);
	return done();
}
