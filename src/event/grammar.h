/* SPDX-License-Identifier: MIT */
/*
 * grammar - what -e takes, in perf's words, turned into event specs.
 *
 *     list  = item { "," item }
 *     item  = event | [ name ] "{" event { "," event } "}" [ ":" modifiers ]
 *     event = name [ ":" modifiers ]                   symbolic, cache, rHEX, a PMU's alias
 *           | name "/" terms "/" [ modifiers ]         the same; or a PMU and its terms
 *           | [ "tracepoint:" ] system-glob ":" name-glob [ ":" modifiers ]
 *           | type ":" config [ ":" modifiers ]      perf_event_attr's numbers
 *           | "mem:" address [ "/" length ] [ ":" rwx ] [ ":" modifiers ]
 *           | ( "uprobe:" | "uretprobe:" ) path ":" symbol [ "+" offset ] [ ":" modifiers ]
 *           | ( "kprobe:" | "kretprobe:" ) symbol [ "+" offset ] [ ":" modifiers ]
 *     terms = [ term [ "=" value ] { "," ... } ]
 *
 * Blanks around an item are ignored.  A fault in one item does not affect the others:
 * it is reported with its place in the text, its reason and the nearest name.
 */
#ifndef EVENT_GRAMMAR_H
#define EVENT_GRAMMAR_H

#include "event/catalog.h"
#include "event/event.h"

struct grammar_fault {
	size_t column, length; /* of the faulty part, in bytes of the text */
	char reason[200];
	char nearest[128]; /* "" for none */
};

struct grammar_faults {
	struct grammar_fault *faults;
	size_t count;
};

/*
 * Parse `text`: valid events are added to `list`, invalid ones to `faults`, and
 * as a failed spec (spec.fault) to `list` too, for a grey row.
 */
void grammar_parse(const char *text, const struct catalog *catalog, struct event_list *list,
		   struct grammar_faults *faults);

/* Free the faults of grammar_parse(). */
void grammar_faults_fini(struct grammar_faults *faults);

#endif
