/* SPDX-License-Identifier: MIT */
#include "cli/fault.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Of a text longer than WHOLE bytes so many around the fault are shown. */
#define WHOLE  100
#define BEFORE 40
#define MOST   60 /* of the fault and of what follows it */
#define CUT    "..."

static bool continues_character(char byte)
{
	return ((unsigned char)byte & 0xC0) == 0x80; /* UTF-8 */
}

/* No later than `at`: where a character begins. */
static size_t boundary(const char *text, size_t at)
{
	while (at > 0 && continues_character(text[at]))
		at--;
	return at;
}

static size_t characters(const char *text, size_t from, size_t to)
{
	size_t count = 0;

	for (size_t i = from; i < to; i++)
		count += !continues_character(text[i]);
	return count;
}

void fault_print(const char *option, const char *text, size_t column, size_t length,
		 const char *reason, const char *nearest)
{
	size_t all = strlen(text), from = 0, to = all, end = column + length;

	if (all > WHOLE && column > BEFORE)
		from = boundary(text, column - BEFORE);
	if (all > WHOLE && all - column > MOST)
		to = boundary(text, column + MOST);

	int indent = fprintf(stderr, "perftop-ng: %s %s", option, from > 0 ? CUT : "");

	indent += (int)characters(text, from, column);
	fprintf(stderr, "%.*s%s\n%*s^", (int)(to - from), text + from, to < all ? CUT : "", indent,
		"");
	for (size_t i = characters(text, column, end < to ? end : to); i > 1; i--)
		fputc('~', stderr);
	fprintf(stderr, " %s", reason);
	if (nearest[0] != '\0')
		fprintf(stderr, "; nearest: %s", nearest);
	fputc('\n', stderr);
}
