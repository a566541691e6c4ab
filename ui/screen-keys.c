/* SPDX-License-Identifier: MIT */
#include "ui/screen-inside.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "ui/key.h"

/*
 * The keys that are others with Shift, Alt or Ctrl.  With Alt and Ctrl they have no code in curses.h, but a
 * name of terminfo and a digit: kLFT3, kLFT5.
 */
static const struct {
	int32_t key, modified;
	char name[5];
} modified_keys[] = {
	{ KEYS_LEFT, KEYS_S_LEFT, "kLFT" },	  { KEYS_RIGHT, KEYS_S_RIGHT, "kRIT" },
	{ KEYS_PAGE_UP, KEYS_S_PAGE_UP, "kPRV" }, { KEYS_PAGE_DOWN, KEYS_S_PAGE_DOWN, "kNXT" },
	{ KEYS_HOME, KEYS_S_HOME, "kHOM" },	  { KEYS_END, KEYS_S_END, "kEND" },
};

#define MODIFIED_KEYS (sizeof(modified_keys) / sizeof(modified_keys[0]))

static int32_t modified_key(int32_t key)
{
	for (size_t i = 0; i < MODIFIED_KEYS; i++)
		if (modified_keys[i].key == key)
			return modified_keys[i].modified;
	return KEYS_NONE;
}

static int32_t named_key(const char *name)
{
	for (size_t i = 0; name != NULL && i < MODIFIED_KEYS; i++)
		if (strncmp(name, modified_keys[i].name, strlen(modified_keys[i].name)) == 0)
			return modified_keys[i].modified;
	return KEYS_NONE;
}

static int32_t function_key(wint_t code)
{
	static const struct {
		wint_t code;
		int32_t key;
	} keys[] = {
		{ KEY_UP, KEYS_UP },
		{ KEY_DOWN, KEYS_DOWN },
		{ KEY_LEFT, KEYS_LEFT },
		{ KEY_RIGHT, KEYS_RIGHT },
		{ KEY_PPAGE, KEYS_PAGE_UP },
		{ KEY_NPAGE, KEYS_PAGE_DOWN },
		{ KEY_HOME, KEYS_HOME },
		{ KEY_END, KEYS_END },
		{ KEY_LL, KEYS_END },
		{ KEY_FIND, KEYS_HOME },
		{ KEY_SELECT, KEYS_END },
		{ KEY_DC, KEYS_DELETE },
		{ KEY_BTAB, KEYS_BACKTAB },
		{ KEY_SLEFT, KEYS_S_LEFT },
		{ KEY_SRIGHT, KEYS_S_RIGHT },
		{ KEY_SPREVIOUS, KEYS_S_PAGE_UP },
		{ KEY_SNEXT, KEYS_S_PAGE_DOWN },
		{ KEY_SHOME, KEYS_S_HOME },
		{ KEY_SEND, KEYS_S_END },
		{ KEY_ENTER, KEYS_ENTER },
		{ KEY_BACKSPACE, KEYS_BACKSPACE },
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (keys[i].code == code)
			return keys[i].key;
	if (code >= KEY_F(1) && code <= KEY_F(10))
		return KEYS_F1 + (int32_t)(code - KEY_F(1));
	return code > KEY_MAX ? named_key(keyname((int)code)) : KEYS_NONE;
}

static int32_t character_key(wint_t code)
{
	if (code == '\n' || code == '\r')
		return KEYS_ENTER;
	if (code == '\b')
		return KEYS_BACKSPACE;
	/* ^\ usually sends SIGQUIT: treat it as ^C. */
	if (code == ('\\' & 0x1f))
		return 'c' & 0x1f;
	if (code < ' ')
		return code <= 26 || code == KEYS_ESC ? (int32_t)code : KEYS_NONE;
	return code < 0x80 || (code >= 0xa0 && code < KEYS_UP) ? (int32_t)code : KEYS_NONE;
}

/* The usual sequences, in case terminfo has others for this terminal. */
static int32_t sequence_key(long number, wint_t final)
{
	static const int32_t letters[] = {
		['A' - 'A'] = KEYS_UP,	 ['B' - 'A'] = KEYS_DOWN,    ['C' - 'A'] = KEYS_RIGHT,
		['D' - 'A'] = KEYS_LEFT, ['F' - 'A'] = KEYS_END,     ['H' - 'A'] = KEYS_HOME,
		['P' - 'A'] = KEYS_F1,	 ['Q' - 'A'] = KEYS_F2,	     ['R' - 'A'] = KEYS_F3,
		['S' - 'A'] = KEYS_F4,	 ['Z' - 'A'] = KEYS_BACKTAB,
	};
	static const int32_t numbers[] = {
		[1] = KEYS_HOME,      [3] = KEYS_DELETE, [4] = KEYS_END, [5] = KEYS_PAGE_UP,
		[6] = KEYS_PAGE_DOWN, [7] = KEYS_HOME,	 [8] = KEYS_END,
	};

	if (final >= 'A' && final <= 'Z')
		return letters[final - 'A'];
	if (final == '~' && number >= 0 && number < (long)(sizeof(numbers) / sizeof(numbers[0])))
		return numbers[number];
	return KEYS_NONE;
}

/* --- sequences -------------------------------------------------------------------------------- */

/*
 * An Esc that [ or O follows at once begins a sequence that is not in terminfo:
 * without this its letters would act as keys.  With ] it begins an answer.
 */
static bool is_begin(wint_t code)
{
	return code == '[' || code == 'O' || code == ']';
}

/*
 * Esc [ M and three characters is a mouse's report of terminals that do not know the form with
 * numbers: they are skipped.
 */
static bool is_old_report(const struct screen_input *input)
{
	return input->len >= 2 && input->sequence[0] == '[' && input->sequence[1] == 'M';
}

static bool is_part(const struct screen_input *input, wint_t code)
{
	if (input->sequence[0] == ']')
		return screen_is_answer(input->sequence, code);
	if (is_old_report(input))
		return input->len < 4;
	if (code == 'M' && input->len == 1 && input->has_mouse)
		return true;
	return code < 0x40 || code > 0x7e;
}

/* What Esc [ and a < begin is no key's; a rest that comes later must not be taken for keys. */
static bool is_report(const struct screen_input *input)
{
	return input->len >= 2 && memcmp(input->sequence, MOUSE_BEGIN, 2) == 0;
}

static void append(struct screen_input *input, wint_t code)
{
	if (input->len >= sizeof(input->sequence) - 1)
		return;
	input->sequence[input->len++] = code < 0x80 ? (char)code : '?';
	input->sequence[input->len] = '\0';
}

static void forget(struct screen_input *input)
{
	input->len = 0;
	input->sequence[0] = '\0';
}

/* BEL, or Esc and a backslash; anything else was typed. */
static int32_t end_of_answer(const struct screen_input *input, wint_t code)
{
	bool is_escaped = input->sequence[input->len - 1] == KEYS_ESC;

	if (code == (is_escaped ? '\\' : '\a'))
		return screen_answer_key(input->sequence);
	unget_wch((wchar_t)code);
	return KEYS_ESC;
}

static int32_t end_of_sequence(struct screen_input *input, wint_t final)
{
	const char *numbers = input->sequence + 1;

	if (input->sequence[0] == ']')
		return end_of_answer(input, final);
	if (is_old_report(input))
		return KEYS_NONE;
	if (is_report(input))
		return screen_mouse_key(input, numbers, final);
	if (final == 'c' && numbers[0] == '?')
		input->is_asked = false; /* DA1: the last answer */
	/* After a number, 2 to 8 tell Shift, Alt and Ctrl; other forms are no key. */
	const char *after = numbers + strspn(numbers, "0123456789");
	bool is_modified = after[0] == ';' && after[1] >= '2' && after[1] <= '8' && !after[2];
	if (after[0] != '\0' && !is_modified)
		return KEYS_NONE;
	int32_t key = sequence_key(strtol(numbers, NULL, 10), final);
	return is_modified ? modified_key(key) : key;
}

/*
 * The rest of a sequence that has begun.  An answer may come in parts: only while one is awaited,
 * so that Esc and [ typed together do not swallow the key after them.
 */
static bool rest_of_sequence(struct screen_input *input, int32_t *key)
{
	wint_t code;
	int kind;

	while ((kind = wget_wch(input->pad, &code)) == OK) {
		if (is_part(input, code)) {
			append(input, code);
			continue;
		}
		*key = end_of_sequence(input, code);
		forget(input);
		return true;
	}
	if (kind == KEY_CODE_YES) {
		/* Typed while the rest had not come. */
		*key = function_key(code);
		forget(input);
		return true;
	}
	if (input->is_asked || is_report(input))
		return false;
	*key = input->sequence[0] == ']' ? KEYS_ESC : KEYS_NONE;
	forget(input);
	return true;
}

static bool escape_key(struct screen_input *input, int32_t *key)
{
	wint_t code;

	*key = KEYS_ESC;
	int kind = wget_wch(input->pad, &code);
	if (kind == ERR)
		return true;
	if (kind == OK && is_begin(code)) {
		append(input, code);
		return rest_of_sequence(input, key);
	}
	/* A key of its own, or Esc and a sequence: one that terminfo has, or a mouse's report. */
	if (kind == KEY_CODE_YES)
		ungetch((int)code);
	else
		unget_wch((wchar_t)code);
	return true;
}

bool screen_read_key(struct screen_input *input, int32_t *key)
{
	wint_t code;

	if (input->len)
		return rest_of_sequence(input, key);
	int kind = wget_wch(input->pad, &code);
	if (kind == ERR)
		return false;
	/* curses has taken what begins a report: Esc [ < or Esc [ M. */
	if (kind == KEY_CODE_YES && code == KEY_MOUSE) {
		append(input, '[');
		append(input, screen_is_numbered_mouse() ? '<' : 'M');
		return rest_of_sequence(input, key);
	}
	/* On a slow line the Esc of an answer was read as a key. */
	if (kind == OK && input->is_asked && (code == ']' || code == '[')) {
		append(input, code);
		return rest_of_sequence(input, key);
	}
	*key = kind == KEY_CODE_YES ? function_key(code) : character_key(code);
	return *key != KEYS_ESC || escape_key(input, key);
}
