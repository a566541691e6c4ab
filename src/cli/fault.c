/* SPDX-License-Identifier: MIT */
#include "cli/fault.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xalloc.h"

/* Of a text longer than WHOLE bytes so many cells around the fault are shown. */
#define WHOLE  100
#define BEFORE 40
#define MOST   60 /* of the fault and of what follows it */
#define CUT    "..."

void fault_print(const char *option, const char *text, size_t column, size_t length,
		 const char *reason, const char *nearest)
{
	const char *at = text + column;
	char *before = xstrndup(text, column), *faulty;
	size_t width = text_width(before), from = 0, shown = strlen(at);

	if (strlen(text) > WHOLE) {
		from = width > BEFORE ? text_fit(text, width - BEFORE) : 0;
		shown = text_fit(at, MOST);
	}
	faulty = xstrndup(at, length < shown ? length : shown);

	int indent = fprintf(stderr, "perftop-ng: %s %s", option, from > 0 ? CUT : "");

	indent += (int)text_width(before + from);
	fprintf(stderr, "%s%.*s%s\n%*s^", before + from, (int)shown, at,
		at[shown] != '\0' ? CUT : "", indent, "");
	for (size_t i = text_width(faulty); i > 1; i--)
		fputc('~', stderr);
	fprintf(stderr, " %s", reason);
	if (nearest[0] != '\0')
		fprintf(stderr, "; nearest: %s", nearest);
	fputc('\n', stderr);
	free(before);
	free(faulty);
}
