/* SPDX-License-Identifier: MIT */
/*
 * moment - a time to go to, as typed:
 *
 *     12:34  12:34:56.5       of the day that is nearest to the shown time, in local time
 *     2026-11-25 12:34        of that day
 *     +30  -1.5m  +2h         from the shown time
 *     25%                     of a file whose times are known
 *     start  end
 */
#ifndef UI_MOMENT_H
#define UI_MOMENT_H

#include <stdbool.h>
#include <stddef.h>

/* Seconds since 1970. */
struct moments {
	double now_s;		/* moment_has_date() */
	double first_s, last_s; /* of the file; both 0: unknown */
};

/* Whether a time (since 1970) has a date: a file may hold anything, and start and end are infinite. */
bool moment_has_date(double time_s);

/* The time, or -INFINITY and INFINITY for start and end.  False, and what is wrong in `why`. */
bool moment_parse(const char *text, const struct moments *moments, double *time_s, char *why,
		  size_t room);

#endif
