/* SPDX-License-Identifier: MIT */
/* Several events in one text: what separates them, and what groups do. */
#include "event/grammar.h"

#include "fake-pmus.h"
#include "tap.h"

static void check_lists(void)
{
	parse("cs,cpu/event=1,umask=2,name='x,y'/u,mem:0x10/4:w,uprobe:/bin/sh:0x40,faults");
	ok(faults.count == 0, "commas in terms and quotes do not split");
	is_u64(list.count, 5, "those between events do");
	is_str(list.specs[1].name, "x,y", "the name in quotes");
	is_str(list.specs[3].name, "uprobe:/bin/sh:0x40", "a path's slashes begin no terms");
	parse("cs, faults ,minor-faults");
	ok(faults.count == 0 && list.count == 3, "blanks around a comma");
	parse("cpu/event=1,cs,faults");
	is_u64(faults.count, 1, "a slash that is not closed");
	is_u64(list.count, 3, "affects its own event only");
}

static void check_groups(void)
{
	parse("cs,{faults,minor-faults}:k,{cpu-clock},major-faults");
	ok(faults.count == 0 && list.count == 5, "groups between events");
	ok(list.specs[0].group == 0 && list.specs[1].group == 1 && list.specs[2].group == 1 &&
		   list.specs[3].group == 2 && list.specs[4].group == 0,
	   "each has its number");
	is_str(list.specs[1].name, "faults:k", "its modifiers are its members'");
	ok(list.specs[2].modifiers.exclude_user && !list.specs[2].modifiers.exclude_kernel,
	   "in effect");
	ok(!list.specs[4].modifiers.exclude_user, "but not behind it");
	parse("mine{cycles:u,instructions}:k");
	ok(faults.count == 0 && list.count == 2 && list.specs[0].group == 1, "a group with a name");
	is_str(list.specs[0].name, "cycles:uk", "adds to a member's own");
	ok(!list.specs[0].modifiers.exclude_user && !list.specs[0].modifiers.exclude_kernel &&
		   list.specs[0].modifiers.exclude_hv,
	   "user and kernel then");
	grammar_parse("{cs,faults}", &catalog, &list, &faults);
	ok(list.count == 4 && list.specs[2].group == 2, "a second -e goes on counting groups");
	parse("{cs,cpu/event=1,umask=2/,msr/tsc/}:D");
	ok(faults.count == 0 && list.count == 3 && list.specs[1].modifiers.is_pinned,
	   "terms in a group");
}

int main(void)
{
	plan_lazy();
	begin();
	check_lists();
	check_groups();
	end();
	return done();
}
