/* SPDX-License-Identifier: MIT */
#include "cli/fault.h"

#include <stdio.h>
#include <string.h>

void fault_print(const char *option, const char *text, size_t column, size_t length,
		 const char *reason, const char *nearest)
{
	size_t indent = strlen("perftop-ng: ") + strlen(option) + 1 + column;

	fprintf(stderr, "perftop-ng: %s %s\n%*s^", option, text, (int)indent, "");
	for (size_t i = 1; i < length; i++)
		fputc('~', stderr);
	fprintf(stderr, " %s", reason);
	if (nearest[0] != '\0')
		fprintf(stderr, "; nearest: %s", nearest);
	fputc('\n', stderr);
}
