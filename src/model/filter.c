/* SPDX-License-Identifier: MIT */
#include "model/filter.h"

#include "base/xalloc.h"

#include <ctype.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS " \t"

/*
 * glibc's regcomp() expands x{n}: nested counts in 30 bytes of text take gigabytes.  This limits
 * the product of all counts, so that an expression compiles in less than a frame.
 */
#define REPEAT_MAX 1000

struct word {
	const char *text; /* into filter.words */
	bool is_negated;
	bool is_regex;
	regex_t regex; /* compiled when is_regex */
};

struct filter {
	char source[FILTER_MAX + 1]; /* as it was typed */
	char words[FILTER_MAX + 1];  /* the same, cut into words */
	size_t count;
	struct word word[FILTER_MAX / 2 + 1];
};

static void set_error(char *error, size_t room, size_t column, const char *what)
{
	snprintf(error, room, "at %zu: %s", column, what);
}

/* The reason to refuse an expression that could take seconds or gigabytes, or NULL. */
static const char *find_explosive(const char *text)
{
	unsigned long product = 1;

	for (const char *at = text; *at; at++) {
		if (at[0] == '\\' && isdigit((unsigned char)at[1]))
			return "back-references are not supported";
		if (at[0] == '\\' && at[1])
			at++;
		else if (at[0] == '{') {
			unsigned long low = strtoul(at + 1, NULL, 10), high = low;
			const char *comma = at + 1 + strspn(at + 1, "0123456789");
			if (*comma == ',')
				high = strtoul(comma + 1, NULL, 10);
			unsigned long most = high > low ? high : low;
			if (most > REPEAT_MAX || (product *= most ? most : 1) > REPEAT_MAX)
				return "too many repetitions";
		}
	}
	return NULL;
}

static int compile_regex(struct word *word, size_t column, char *error, size_t room)
{
	char reason[128];

	const char *explosive = find_explosive(word->text);
	if (explosive) {
		set_error(error, room, column, explosive);
		return -1;
	}
	int code = regcomp(&word->regex, word->text, REG_EXTENDED | REG_ICASE | REG_NOSUB);
	if (code) {
		regerror(code, &word->regex, reason, sizeof(reason));
		set_error(error, room, column, reason);
		return -1;
	}
	word->is_regex = true;
	return 0;
}

/* Strip the prefixes ! and ~ from one word and compile it; `column` counts from 1. */
static int compile_word(struct word *word, const char *text, size_t column, char *error,
			size_t room)
{
	bool is_regex;

	word->is_negated = *text == '!';
	text += word->is_negated;
	is_regex = *text == '~';
	text += is_regex;
	word->text = text;

	column += (size_t)word->is_negated + (size_t)is_regex;
	if (!*text) {
		set_error(error, room, column,
			  is_regex ? "an expression is missing" : "a text is missing");
		return -1;
	}
	return is_regex ? compile_regex(word, column, error, room) : 0;
}

static int compile(struct filter *filter, char *error, size_t room)
{
	char *rest = NULL;

	for (char *text = strtok_r(filter->words, BLANKS, &rest); text;
	     text = strtok_r(NULL, BLANKS, &rest)) {
		size_t column = (size_t)(text - filter->words) + 1;
		if (compile_word(&filter->word[filter->count], text, column, error, room) != 0)
			return -1;
		filter->count++;
	}
	return 0;
}

struct filter *filter_new(const char *text, char *error, size_t room)
{
	size_t len = strlen(text);

	if (len > FILTER_MAX) {
		set_error(error, room, FILTER_MAX + 1, "too long");
		return NULL;
	}
	struct filter *filter = xcalloc(1, sizeof(*filter));
	memcpy(filter->source, text, len);
	memcpy(filter->words, text, len);
	if (compile(filter, error, room) != 0) {
		filter_free(filter);
		return NULL;
	}
	return filter;
}

static bool word_match(const struct word *word, const char *row)
{
	bool is_found;

	if (word->is_regex)
		is_found = regexec(&word->regex, row, 0, NULL, 0) == 0;
	else
		is_found = strcasestr(row, word->text) != NULL;
	return is_found != word->is_negated;
}

bool filter_match(const struct filter *filter, const char *row)
{
	if (!filter)
		return true;
	for (size_t i = 0; i < filter->count; i++)
		if (!word_match(&filter->word[i], row))
			return false;
	return true;
}

const char *filter_text(const struct filter *filter)
{
	return filter->source;
}

void filter_free(struct filter *filter)
{
	if (!filter)
		return;
	/* `count` has only words that compiled, so a half-built filter can be freed too. */
	for (size_t i = 0; i < filter->count; i++)
		if (filter->word[i].is_regex)
			regfree(&filter->word[i].regex);
	free(filter);
}
