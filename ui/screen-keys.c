/* SPDX-License-Identifier: MIT */
#include "ui/screen-inside.h"

#include <wchar.h>

#include "ui/key.h"

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
		{ KEY_ENTER, KEYS_ENTER },
		{ KEY_BACKSPACE, KEYS_BACKSPACE },
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (keys[i].code == code)
			return keys[i].key;
	if (code >= KEY_F(1) && code <= KEY_F(10))
		return KEYS_F1 + (int32_t)(code - KEY_F(1));
	return KEYS_NONE;
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

/* The rest of a sequence, to its final byte. */
static int32_t rest_of_sequence(WINDOW *input)
{
	long number = 0;
	wint_t code;

	while (wget_wch(input, &code) != ERR) {
		if (code >= 0x40 && code <= 0x7e)
			return sequence_key(number, code);
		if (code >= '0' && code <= '9' && number < 1000)
			number = number * 10 + (long)(code - '0');
		else
			number = -1; /* several numbers, or an unknown form */
	}
	return KEYS_NONE;
}

/*
 * An Esc that [ or O follows at once begins a sequence that is not in terminfo:
 * without this its letters would act as keys.
 */
static int32_t escape_key(WINDOW *input)
{
	wint_t code;

	if (wget_wch(input, &code) == ERR)
		return KEYS_ESC;
	if (code == '[' || code == 'O')
		return rest_of_sequence(input);
	unget_wch((wchar_t)code);
	return KEYS_ESC;
}

bool screen_read_key(WINDOW *input, int32_t *key)
{
	wint_t code;
	int kind = wget_wch(input, &code);

	if (kind == ERR)
		return false;
	if (kind == KEY_CODE_YES && code == KEY_MOUSE) {
		/* The mouse is not enabled: skip the coordinates that follow. */
		rest_of_sequence(input);
		*key = KEYS_NONE;
	} else if (kind == KEY_CODE_YES) {
		*key = function_key(code);
	} else {
		*key = character_key(code);
	}
	if (*key == KEYS_ESC)
		*key = escape_key(input);
	return true;
}
