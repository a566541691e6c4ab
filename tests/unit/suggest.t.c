/* SPDX-License-Identifier: MIT */
#include "base/suggest.h"

#include "tap.h"

#include <string.h>

static const char *const names[] = {
	"cycles",
	"instructions",
	"cache-misses",
	"context-switches",
	"cpu-clock",
	"cpu-migrations",
	"minor-faults",
	"major-faults",
	"sched:sched_switch",
	"sched:sched_wakeup",
	"syscalls:sys_enter_open",
	"syscalls:sys_enter_openat",
};

static void check(const char *typed, const char *want)
{
	struct suggest suggest;

	suggest_init(&suggest, typed);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		suggest_offer(&suggest, names[i]);
	is_str(suggest_best(&suggest), want, "'%s'", typed);
}

int main(void)
{
	struct suggest suggest;
	char long_name[300];

	plan_lazy();
	check("cycels", "cycles");
	check("cylces", "cycles");
	check("Cycles", "cycles");
	check("instruction", "instructions");
	check("context-switch", "context-switches");
	check("minor-fault", "minor-faults");
	check("sched:sched_swich", "sched:sched_switch");
	check("sched_switch", "sched:sched_switch");
	check("syscalls:sys_enter_opnat", "syscalls:sys_enter_openat");
	check("syscalls:sys_enter_open", "syscalls:sys_enter_open");
	check("zzzzzz", NULL);
	check("x", NULL);
	check("", NULL);

	memset(long_name, 'a', sizeof(long_name) - 1);
	long_name[sizeof(long_name) - 1] = '\0';
	suggest_init(&suggest, long_name);
	suggest_offer(&suggest, long_name);
	suggest_offer(&suggest, "cycles");
	is_str(suggest_best(&suggest), NULL, "a name longer than any has no suggestion");
	suggest_init(&suggest, "cycles");
	suggest_offer(&suggest, long_name);
	is_str(suggest_best(&suggest), NULL, "offered or typed");
	return done();
}
