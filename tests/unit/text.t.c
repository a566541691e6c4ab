/* SPDX-License-Identifier: MIT */
#include "base/text.h"

#include "base/strbuf.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

#define SEED	      20260910
#define RANDOM_INPUTS 10000
#define FFFD	      "\xef\xbf\xbd"

static void check_safe(const char *in, const char *want, const char *what)
{
	char out[256];
	size_t len = text_safe(out, sizeof(out), in, strlen(in));

	is_str(out, want, "%s", what);
	if (len != strlen(out))
		is_u64(len, strlen(out), "and its length is returned");
}

static void check_hostile(void)
{
	check_safe("kworker/0:1H", "kworker/0:1H", "plain text stays");
	check_safe("n\xc3\xa4\xe4\xb8\xad\xf0\x9f\x98\x80", "n\xc3\xa4\xe4\xb8\xad\xf0\x9f\x98\x80",
		   "so does UTF-8");
	check_safe("\x1b]0;x\a", "\\x1b]0;x\\x07", "C0");
	check_safe("a\tb\nc\x7f", "a\\x09b\\x0ac\\x7f", "tab, newline and DEL");
	check_safe("\x9b"
		   "2J",
		   FFFD "2J", "C1 as a raw byte");
	check_safe("\xc2\x9b"
		   "2J",
		   "\\u009b2J", "C1 as UTF-8");
	check_safe("\xc2\x80\xc2\x9f\xc2\xa0", "\\u0080\\u009f\xc2\xa0", "its first and last");
	check_safe("a\xe2\x80\xae"
		   "b",
		   "a\\u202eb", "bidi override");
	check_safe("\xe2\x81\xa6\xe2\x81\xa9", "\\u2066\\u2069", "bidi isolates");
	check_safe("a\xe2\x80\x8b"
		   "b\xef\xbb\xbf",
		   "a\\u200bb\\ufeff", "zero width");
	check_safe("a\xc2\xad", "a\\u00ad", "soft hyphen");
	check_safe("\xe2\x80\xa8", "\\u2028", "line separator");
	check_safe("\xf3\xa0\x81\x81", "\\U000e0041", "tags");
	check_safe("\xef\xbf\xbf", FFFD, "a noncharacter");
	check_safe("", "", "nothing");
}

static void check_invalid(void)
{
	check_safe("\xff\xfe", FFFD FFFD, "bytes that are in no character");
	check_safe("\xc0\xaf", FFFD FFFD, "overlong, 2 bytes");
	check_safe("\xe0\x80\xaf", FFFD FFFD FFFD, "overlong, 3 bytes");
	check_safe("\xf0\x80\x80\x9b", FFFD FFFD FFFD FFFD, "overlong, 4 bytes");
	check_safe("\xed\xa0\x80", FFFD FFFD FFFD, "a surrogate");
	check_safe("\xf4\x90\x80\x80", FFFD FFFD FFFD FFFD, "beyond Unicode");
	check_safe("\xe4\xb8", FFFD FFFD, "cut short at the end");
	check_safe("\xe4\xb8"
		   "A",
		   FFFD FFFD "A", "cut short before another");
}

static void check_marks(void)
{
	check_safe("e\xcc\x81", "e\xcc\x81", "a mark on its letter stays");
	check_safe("\xcc\x81"
		   "e",
		   "\\u0301e", "one without a letter would land on the column before");
	check_safe("e\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81",
		   "e\xcc\x81\xcc\x81\xcc\x81\xcc\x81\\u0301", "a tower of marks is cut");
}

static void check_room(void)
{
	char out[8];

	memset(out, 'x', sizeof(out));
	is_u64(text_safe(out, 0, "abc", 3), 0, "no room: nothing");
	ok(out[0] == 'x', "is written");
	is_u64(text_safe(out, 1, "abc", 3), 0, "room for the terminator");
	is_str(out, "", "only");
	is_u64(text_safe(out, 4, "abcdef", 6), 3, "cut to the room");
	is_u64(text_safe(out, 4, "ab\xe4\xb8\xad", 5), 2, "never within a character");
	is_u64(text_safe(out, 5, "ab\x1b", 3), 2, "nor within an escape");
	is_u64(text_safe(out, 8, "ab\0cd", 5), 2, "a NUL ends it");
	is_u64(text_safe(out, 8, "abcdef", 2), 2, "as does the length");
}

static void check_widths(void)
{
	is_int(text_char_width('a'), 1, "a letter");
	is_int(text_char_width(0x301), 0, "a combining mark");
	is_int(text_char_width(0x4e2d), 2, "an ideograph");
	is_int(text_char_width(0xac00), 2, "a Hangul syllable");
	is_int(text_char_width(0x1f600), 2, "an emoji");
	is_int(text_char_width(0x2026), 1, "an ellipsis");
	is_int(text_char_width(0x2013), 1, "a dash");
	is_int(text_char_width(0x20d0), 0, "a combining mark for symbols");
	is_int(text_char_width(0x231a), 2, "a watch");
	is_int(text_char_width(0x2587), 1, "a block of the trend");
	is_int(text_char_width(0xfffd), 1, "the replacement of invalid bytes");
	is_u64(text_width("n\xc3\xa4\xe4\xb8\xad"
			  "e\xcc\x81"),
	       5, "a text");
	is_u64(text_fit("ab\xe4\xb8\xad"
			"c",
			3),
	       2, "half an ideograph does not fit");
	is_u64(text_fit("ab\xe4\xb8\xad"
			"c",
			4),
	       5, "a whole one does");
	is_u64(text_fit("e\xcc\x81x", 1), 3, "marks come with their letter");
	is_u64(text_fit("abc", 0), 0, "no cells, no text");
	is_u64(text_fit("abc", 99), 3, "all of it");
}

/* Each byte at each place of two words: printable ASCII stays, a NUL ends it, all else is replaced. */
static void check_places(void)
{
	unsigned int wrong = 0;

	for (int byte = 0; byte < 256; byte++) {
		for (size_t place = 0; place < 16; place++) {
			char in[] = "abcdefgh~ 0Zijkl", out[sizeof(in) * 4];
			bool is_plain = byte >= ' ' && byte <= '~';

			in[place] = (char)byte;
			size_t made = text_safe(out, sizeof(out), in, sizeof(in) - 1);
			bool is_same = strcmp(in, out) == 0;
			wrong += byte == 0 ? made != place || !is_same : is_same != is_plain;
		}
	}
	is_u64(wrong, 0, "each byte at each place");
}

static void check_decode(void)
{
	int32_t code;

	is_u64(text_decode("\xe4\xb8\xad", 3, &code), 3, "three bytes");
	is_int(code, 0x4e2d, "make a character");
	is_u64(text_decode("\xe4\xb8\xad", 2, &code), 1, "with one missing");
	is_int(code, -1, "they make none");
	is_u64(text_decode("\0", 1, &code), 1, "a NUL");
	is_int(code, 0, "is a character");
	text_decode("\xf4\x8f\xbf\xbf", 4, &code);
	is_int(code, 0x10ffff, "the last one");
}

static void check_add(void)
{
	struct strbuf buf;

	strbuf_init(&buf);
	strbuf_puts(&buf, "<");
	for (int i = 0; i < 50; i++)
		text_add_safe(&buf, "\x1b\x1b");
	strbuf_puts(&buf, ">");
	is_u64(buf.len, 2 + 50 * 8, "text_add_safe() grows the buffer as needed");
	is_u64(strlen(buf.text), buf.len, "and terminates it");
	strbuf_fini(&buf);
}

/* Bytes that are likely to hit something: leads, continuations, escapes, whole characters. */
static size_t make_input(char *in, size_t room)
{
	static const char *const pieces[] = {
		"\x1b[",
		"\x9b",
		"\xc2\x9b",
		"\xe2\x80\xae",
		"\xcc\x81",
		"\xe4\xb8\xad",
		"\xf0\x9f\x98\x80",
		"\xed\xa0",
		"\xf4",
		"abc",
		"\\x1b",
		"\xef\xbf\xbd",
		"\x7f",
		"\xf3\xa0\x84\x80",
		"\xe1\x85\xa0",
	};
	size_t len = 0, wanted = (size_t)rand() % room;

	while (len < wanted) {
		const char *piece = pieces[(size_t)rand() % (sizeof(pieces) / sizeof(pieces[0]))];
		size_t size = strlen(piece);
		if (rand() % 2 || len + size > wanted) {
			in[len++] = (char)(1 + rand() % 255);
		} else {
			for (size_t i = 0; i < size; i++)
				in[len + i] = piece[i];
			len += size;
		}
	}
	return len;
}

static bool is_all_harmless(const char *text, size_t len)
{
	int32_t code;

	for (size_t at = 0; at < len; at += text_decode(text + at, len - at, &code)) {
		text_decode(text + at, len - at, &code);
		if (code < 0 || !text_is_harmless(code))
			return false;
		/* By hand as well: the table and the check could be wrong together. */
		if (code < 0x20 || (code >= 0x7f && code < 0xa0) ||
		    (code >= 0x202a && code <= 0x202e))
			return false;
	}
	return true;
}

static void check_random(void)
{
	unsigned int unsafe = 0, changed = 0, wide = 0, overrun = 0;

	srand(SEED);
	for (int i = 0; i < RANDOM_INPUTS; i++) {
		char in[64], once[400], twice[400];
		size_t room = rand() % 4 ? sizeof(once) : 1 + (size_t)rand() % 40;
		size_t len = make_input(in, sizeof(in));
		size_t made = text_safe(once, room, in, len);
		size_t again = text_safe(twice, sizeof(twice), once, made);
		size_t width = text_width(once), fit = text_fit(once, width / 2);

		overrun += made >= room || once[made] != '\0';
		unsafe += !is_all_harmless(once, made);
		changed += again != made || memcmp(once, twice, made) != 0;
		once[fit] = '\0';
		wide += text_width(once) > width / 2 || text_width(once) + 1 < width / 2;
	}
	is_u64(overrun, 0, "%d random inputs: within their room", RANDOM_INPUTS);
	is_u64(unsafe, 0, "valid UTF-8 and nothing harmful");
	is_u64(changed, 0, "a second pass changes nothing");
	is_u64(wide, 0, "and a prefix fits the cells it was made for");
}

int main(void)
{
	plan_lazy();
	check_hostile();
	check_invalid();
	check_marks();
	check_room();
	check_widths();
	check_places();
	check_decode();
	check_add();
	check_random();
	return done();
}
