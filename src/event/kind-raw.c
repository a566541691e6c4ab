/* SPDX-License-Identifier: MIT */
/*
 * Raw events: "r1a8", event codes of the CPU's manual.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "event/kind.h"

#define DIGITS_MOST 16

static bool find(const char *name, struct event_spec *found, const char **wrong)
{
	(void)wrong;
	if (name[0] != 'r')
		return false;

	size_t digits = strspn(name + 1, "0123456789abcdefABCDEF");
	if (digits == 0 || digits > DIGITS_MOST || name[1 + digits] != '\0')
		return false;
	found->type = PERF_TYPE_RAW;
	found->config = strtoull(name + 1, NULL, 16);
	return true;
}

static const struct why_cause causes[] = { { ENOENT, .make = why_no_pmu }, { 0 } };

const struct kind *kind_raw(void)
{
	static const struct kind kind = {
		.type = PERF_TYPE_RAW,
		.is_on_counter = true,
		.find = find,
		.form = "rHEX",
		.form_text = "an event of the CPU's manual, by its number",
		.causes = causes,
	};

	return &kind;
}
