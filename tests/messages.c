/* SPDX-License-Identifier: MIT */
#include "messages.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "tap.h"

#define MESSAGES "tests/messages.txt"

/* As it is in the file; a byte from 0xf8 on is in no UTF-8.  A newline at the end is left out. */
static void put_escaped(struct strbuf *out, const char *text)
{
	for (; *text != '\0'; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '\n' && text[1] == '\0')
			return;
		if (c == '\n')
			strbuf_printf(out, "\\n");
		else if (c < ' ' || c == 0x7f || c >= 0xf8)
			strbuf_printf(out, "\\x%02x", c);
		else
			strbuf_printf(out, "%c", c);
	}
}

/* Whether text matches the pattern, in which each * is any number of characters. */
static bool matches(const char *pattern, const char *text)
{
	const char *star = NULL, *rest = text;

	while (*text != '\0') {
		if (*pattern == '*') {
			star = ++pattern;
			rest = text;
		} else if (*pattern == *text) {
			pattern++;
			text++;
		} else if (star != NULL) {
			pattern = star;
			text = ++rest;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return *pattern == '\0';
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Rewrites the file: its lines without those of the key, and this one. */
static void replace(const char *key, const char *text)
{
	size_t count = 0, size = 0, key_len = strlen(key);
	char **lines = NULL, *line = NULL;
	FILE *file = fopen(MESSAGES, "r");

	while (file != NULL && getline(&line, &size, file) > 0) {
		if (strncmp(line, key, key_len) == 0 && line[key_len] == '\t')
			continue;
		lines = xreallocarray(lines, count + 1, sizeof(*lines));
		lines[count++] = xstrdup(line);
	}
	free(line);
	if (file != NULL)
		fclose(file);
	lines = xreallocarray(lines, count + 1, sizeof(*lines));
	lines[count++] = xasprintf("%s\t%s\n", key, text);
	qsort(lines, count, sizeof(*lines), by_text);
	file = fopen(MESSAGES, "w");
	if (file == NULL)
		bail(MESSAGES ": %s", strerror(errno));
	for (size_t i = 0; i < count; i++) {
		fputs(lines[i], file);
		free(lines[i]);
	}
	fclose(file);
	free(lines);
}

/* The text of a key, owned by the caller; NULL when there is none. */
static char *find(const char *key)
{
	size_t size = 0, key_len = strlen(key);
	char *line = NULL, *text = NULL;
	FILE *file = fopen(MESSAGES, "r");

	if (file == NULL && errno != ENOENT)
		bail(MESSAGES ": %s", strerror(errno));
	while (text == NULL && file != NULL && getline(&line, &size, file) > 0) {
		if (strncmp(line, key, key_len) == 0 && line[key_len] == '\t') {
			line[strcspn(line, "\n")] = '\0';
			text = xstrdup(line + key_len + 1);
		}
	}
	free(line);
	if (file != NULL)
		fclose(file);
	return text;
}

bool messages_check(const char *got, const char *file, int line, const char *fmt, ...)
{
	struct strbuf key, text;
	const char *update = getenv("UPDATE");
	char made[1024];
	va_list args;

	va_start(args, fmt);
	vsnprintf(made, sizeof(made), fmt, args);
	va_end(args);
	strbuf_init(&key);
	strbuf_init(&text);
	put_escaped(&key, made);
	put_escaped(&text, got != NULL ? got : "");
	char *want = find(key.text);
	if (update != NULL && update[0] != '\0' && got != NULL &&
	    (want == NULL || !matches(want, text.text))) {
		replace(key.text, text.text);
		free(want);
		want = find(key.text);
	}
	bool passed = tap_ok(got != NULL && want != NULL && matches(want, text.text),
			     "the message is that of " MESSAGES, file, line, "%s", key.text);
	if (!passed)
		fprintf(stderr, "#        got: %s\n#   expected: %s\n#   as intended?  UPDATE=1\n",
			got != NULL ? text.text : "NULL", want != NULL ? want : "(no such key)");
	free(want);
	strbuf_fini(&key);
	strbuf_fini(&text);
	return passed;
}
