/* SPDX-License-Identifier: MIT */
/*
 * fieldfilter - checks --filter, the kernel's expression over a tracepoint's fields.
 *
 *     expr  = term { ("&&" | "||") term }
 *     term  = "!" term | "(" expr ")" | field op value
 *     op    = "==" | "!=" | "<" | "<=" | ">" | ">=" | "&" | "~"
 *     value = number | quoted text | "CPUS{" list "}"
 *
 * The kernel checks it too, but its errors are not specific (EINVAL, ENOENT, EPERM and ESRCH all
 * mean "wrong somewhere"), and it accepts `a == 1 &&`.  So this check is stricter: the kernel
 * would refuse what is refused here, or accept it and never match.
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

/* Whether `text` is a valid filter for an event with these fields; if not, *fault says why. */
bool fieldfilter_check(const char *text, const struct fields *fields,
		       struct fieldfilter_fault *fault);

/* Both filters combined, "(a) && (b)", allocated; `first` may be NULL. */
char *fieldfilter_join(const char *first, const char *second);

#endif
