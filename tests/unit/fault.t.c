/* SPDX-License-Identifier: MIT */
/* The line with a caret under what is wrong: the caret stands under it, also in a long text. */
#include "cli/fault.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "tap.h"

#define PREFIX "perftop-ng: -e "

static char out[4096];
static char *caret_line;

/* What is printed, split after its first line. */
static void print(const char *text, size_t column, size_t length)
{
	FILE *file = tmpfile();
	int saved = dup(STDERR_FILENO);
	size_t size = 0;

	if (file == NULL || saved < 0)
		bail("no temporary file");
	fflush(stderr);
	dup2(fileno(file), STDERR_FILENO);
	fault_print("-e", text, column, length, "why", "");
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	rewind(file);
	size = fread(out, 1, sizeof(out) - 1, file);
	fclose(file);
	out[size] = '\0';
	caret_line = strchr(out, '\n');
	if (caret_line == NULL)
		bail("one line only");
	*caret_line++ = '\0';
}

/* The byte of the first line above a character of the second one. */
static const char *above(size_t column)
{
	const char *at = out;

	for (; *at != '\0'; at++) {
		if (((unsigned char)*at & 0xC0) != 0x80 && column-- == 0)
			break;
	}
	return at;
}

static void check_short(void)
{
	print("cs,fautls,irq", 3, 6);
	is_str(out, PREFIX "cs,fautls,irq", "a short text is shown whole");
	is_str(caret_line, "                  ^~~~~~ why\n", "with as many marks as the fault has");
	print("", 0, 0);
	is_str(out, PREFIX, "an empty one is empty");
	is_str(caret_line, "               ^ why\n", "with the caret where something is missing");
	print("cpü,fautls", 5, 6);
	is_str(caret_line, "                   ^~~~~~ why\n",
	       "a character of two bytes is one column");
	print("日,fautls", 4, 6);
	is_str(caret_line, "                  ^~~~~~ why\n", "a wide one is two");
}

/* Of a long text, for a fault anywhere in it. */
static void check_long(const char *text, const char *what)
{
	size_t all = strlen(text), longest = 0, wrong = 0;

	for (size_t column = 0; column <= all; column++) {
		if (((unsigned char)text[column] & 0xC0) == 0x80)
			continue;
		print(text, column, column + 3 < all ? 3 : all - column);

		const char *at = above(strcspn(caret_line, "^"));

		if (*at != text[column])
			wrong++;
		if (text_width(out) > longest)
			longest = text_width(out);
	}
	is_u64(wrong, 0, "the caret is under the fault anywhere in %s", what);
	ok(longest < 130, "and the line is narrow");
}

int main(void)
{
	char text[2001], umlauts[2001];

	plan_lazy();
	for (size_t i = 0; i + 1 < sizeof(text); i++)
		text[i] = (char)('a' + i % 26);
	text[sizeof(text) - 1] = '\0';
	for (size_t i = 0; i + 1 < sizeof(umlauts); i += 2)
		memcpy(umlauts + i, i % 6 == 0 ? "ab" : i % 6 == 2 ? "\xC3\xA4" : "\xC3\xB6", 2);
	umlauts[sizeof(umlauts) - 1] = '\0';
	check_short();
	check_long(text, "2,000 letters");
	check_long(umlauts, "1,000 umlauts");
	print(text, 700, 600);
	ok(strncmp(out, PREFIX "...", strlen(PREFIX) + 3) == 0,
	   "what is left out before is marked");
	is_str(out + strlen(out) - 3, "...", "what is left out after it, too");
	ok(strlen(caret_line) < 130, "a fault longer than what is shown is cut, too");
	return done();
}
