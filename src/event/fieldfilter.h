/* SPDX-License-Identifier: MIT */
/*
 * fieldfilter - --filter: the kernel's expression over a tracepoint's fields, checked by us.
 *
 *     expr  = term { ("&&" | "||") term }
 *     term  = "!" term | "(" expr ")" | field op value
 *     op    = "==" | "!=" | "<" | "<=" | ">" | ">=" | "&" | "~"
 *     value = number | quoted text | "CPUS{" list "}"
 *
 * The kernel has the last word, but its errors tell nothing (EINVAL, ENOENT, EPERM and ESRCH all
 * mean "wrong somewhere"), and `a == 1 &&` it takes.  So this is stricter: what is refused here
 * the kernel refuses too, or takes and then never matches.
 */
#ifndef EVENT_FIELDFILTER_H
#define EVENT_FIELDFILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "event/fields.h"

/* One less than a page: perf_event_set_filter() in kernel/events/core.c. */
#define FIELDFILTER_MAX 4095

struct fieldfilter_fault {
	size_t column, length; /* of the faulty part, in bytes of the text */
	char reason[160];
	char nearest[64];      /* "" for none */
	bool is_field_unknown; /* a list of the fields would help */
};

/* Whether `text` can be given to the kernel for an event with these fields; else why not. */
bool fieldfilter_check(const char *text, const struct fields *fields,
		       struct fieldfilter_fault *fault);

/* Both must hold: "(a) && (b)", allocated; `first` may be NULL. */
char *fieldfilter_join(const char *first, const char *second);

#endif
