/* SPDX-License-Identifier: MIT */
#include "base/text.h"

#include "base/strbuf.h"
#include "base/text-table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CODE_INVALID (-1)
#define REPLACEMENT  "\xef\xbf\xbd" /* U+FFFD */
#define ESCAPE_MAX   12		    /* bytes of "\U0010ffff" and the terminator */
#define GROWTH_MAX   4		    /* one byte of input becomes at most "\x1b" */

/* More marks than this on one character would spill over the lines around it. */
#define MARKS_MAX 4

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static int compare_range(const void *key, const void *element)
{
	int32_t code = *(const int32_t *)key;
	const struct range *range = element;

	return code < range->first ? -1 : code > range->last;
}

static bool is_in(const struct range *ranges, size_t count, int32_t code)
{
	/* The quick path for most text. */
	if (code < ranges[0].first)
		return false;
	return bsearch(&code, ranges, count, sizeof(*ranges), compare_range);
}

static bool is_control(int32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

/* Noncharacters: no meaning in interchange, and no glyph. */
static bool is_noncharacter(int32_t code)
{
	return (code & 0xfffe) == 0xfffe || (code >= 0xfdd0 && code <= 0xfdef);
}

bool text_is_harmless(int32_t code)
{
	return !is_control(code) && !is_noncharacter(code) &&
	       !is_in(hidden_ranges, COUNT_OF(hidden_ranges), code);
}

int text_char_width(int32_t code)
{
	/* Dashes, dots and quotes, which the program itself writes most: none is wide or combines. */
	if (code >= 0x2010 && code <= 0x2027)
		return 1;
	if (is_in(combining_ranges, COUNT_OF(combining_ranges), code))
		return 0;
	return is_in(wide_ranges, COUNT_OF(wide_ranges), code) ? 2 : 1;
}

/* The length of a character with this lead byte; 0 for a byte that is no lead byte. */
static size_t length_from_lead(unsigned char lead)
{
	if (lead < 0x80)
		return 1;
	if (lead >= 0xc2 && lead <= 0xdf)
		return 2;
	if (lead >= 0xe0 && lead <= 0xef)
		return 3;
	if (lead >= 0xf0 && lead <= 0xf4)
		return 4;
	return 0;
}

size_t text_decode(const char *in, size_t len, int32_t *code)
{
	static const int32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *bytes = (const unsigned char *)in;
	size_t need = length_from_lead(bytes[0]);

	*code = CODE_INVALID;
	if (need == 0 || need > len)
		return 1;

	int32_t value = need == 1 ? bytes[0] : bytes[0] & (0x7f >> need);
	for (size_t i = 1; i < need; i++) {
		if ((bytes[i] & 0xc0) != 0x80)
			return 1;
		value = value << 6 | (bytes[i] & 0x3f);
	}
	/* Overlong forms, surrogates, and beyond Unicode: they could encode refused characters. */
	if (value < least[need] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
		return 1;
	*code = value;
	return need;
}

static size_t escape(char out[ESCAPE_MAX], int32_t code)
{
	int len;

	if (code < 0x80)
		len = snprintf(out, ESCAPE_MAX, "\\x%02x", (unsigned int)code);
	else if (code < 0x10000)
		len = snprintf(out, ESCAPE_MAX, "\\u%04x", (unsigned int)code);
	else
		len = snprintf(out, ESCAPE_MAX, "\\U%08x", (unsigned int)code);
	return (size_t)len;
}

/*
 * Write the output for one character: itself, an escape, or U+FFFD.  `marks` counts
 * the combining marks since the last base; at the start there is no base, and a
 * mark would combine with whatever is drawn to the left of the text.  An escape is
 * ASCII and therefore a base, so a second pass counts the same: idempotent.
 */
static size_t make_safe(char out[ESCAPE_MAX], const char *in, size_t len, int32_t code, int *marks)
{
	if (code == CODE_INVALID || is_noncharacter(code)) {
		*marks = 0;
		memcpy(out, REPLACEMENT, sizeof(REPLACEMENT));
		return sizeof(REPLACEMENT) - 1;
	}
	bool is_mark = text_char_width(code) == 0;
	if (!text_is_harmless(code) || (is_mark && *marks >= MARKS_MAX)) {
		*marks = 0;
		return escape(out, code);
	}
	*marks = is_mark ? *marks + 1 : 0;
	memcpy(out, in, len);
	return len;
}

/* Whether each byte of a word is printable ASCII, ' ' to '~'; no sum carries into the next byte then. */
static bool is_plain(uint64_t word)
{
	const uint64_t ones = UINT64_MAX / 0xff, highs = ones * 0x80;

	return ((word | (word + ones * (0x80 - '\x7f')) | ~(word + ones * (0x80 - ' '))) & highs) ==
	       0;
}

/* How many of the first bytes are printable ASCII, as most text is: each a character, a cell. */
static size_t plain_length(const char *in, size_t len)
{
	size_t count = 0;
	uint64_t word;

	for (; len - count >= sizeof(word); count += sizeof(word)) {
		memcpy(&word, in + count, sizeof(word));
		if (!is_plain(word))
			break;
	}
	while (count < len && in[count] >= ' ' && in[count] <= '~')
		count++;
	return count;
}

static size_t least_of(size_t a, size_t b)
{
	return a < b ? a : b;
}

size_t text_safe(char *out, size_t room, const char *in, size_t len)
{
	size_t used = 0;
	int marks = MARKS_MAX;

	if (room == 0)
		return 0;
	for (size_t at = 0; at < len && in[at];) {
		char piece[ESCAPE_MAX];
		int32_t code;
		size_t plain = plain_length(in + at, least_of(len - at, room - 1 - used));
		if (plain > 0) {
			memcpy(out + used, in + at, plain);
			used += plain;
			at += plain;
			marks = 0;
			continue;
		}
		size_t taken = text_decode(in + at, len - at, &code);
		size_t made = make_safe(piece, in + at, taken, code, &marks);
		if (made >= room - used)
			break;
		memcpy(out + used, piece, made);
		used += made;
		at += taken;
	}
	out[used] = '\0';
	return used;
}

void text_add_safe(struct strbuf *out, const char *text)
{
	size_t len = strlen(text), start = out->len;

	/* Room for the worst case, then keep what was used. */
	char *first = strbuf_extend(out, len * GROWTH_MAX);
	out->len = start + text_safe(first, len * GROWTH_MAX + 1, text, len);
}

size_t text_fit(const char *text, size_t cells)
{
	size_t len = strlen(text), at = 0, used = 0;

	while (at < len) {
		size_t plain = plain_length(text + at, least_of(len - at, cells - used));
		int32_t code;

		at += plain;
		used += plain;
		if (at == len)
			break;
		size_t taken = text_decode(text + at, len - at, &code);
		used += (size_t)text_char_width(code);
		if (used > cells)
			break;
		at += taken;
	}
	return at;
}

size_t text_width(const char *text)
{
	size_t len = strlen(text), at = plain_length(text, len), cells = at;

	while (at < len) {
		int32_t code;
		at += text_decode(text + at, len - at, &code);
		cells += (size_t)text_char_width(code);
	}
	return cells;
}
