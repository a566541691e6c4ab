/* SPDX-License-Identifier: MIT */
#include "ui/prompt.h"

#include "base/text.h"
#include "ui/action.h"
#include "ui/key.h"
#include "ui/keys.h"

#include <stdio.h>
#include <string.h>

void prompt_open(struct prompt *prompt, const char *label, const char *text)
{
	prompt->label = label;
	snprintf(prompt->text, sizeof(prompt->text), "%s", text);
	prompt->at = strlen(prompt->text);
}

void prompt_close(struct prompt *prompt)
{
	prompt->label = NULL;
}

bool prompt_is_open(const struct prompt *prompt)
{
	return prompt->label != NULL;
}

static bool is_continuation(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

static size_t before(const struct prompt *prompt)
{
	size_t at = prompt->at;

	if (at > 0)
		at--;
	while (at > 0 && is_continuation(prompt->text[at]))
		at--;
	return at;
}

static size_t after(const struct prompt *prompt)
{
	size_t at = prompt->at;

	if (prompt->text[at])
		at++;
	while (is_continuation(prompt->text[at]))
		at++;
	return at;
}

static enum prompt_result cut(struct prompt *prompt, size_t from, size_t to)
{
	if (from == to)
		return PROMPT_MOVED;
	memmove(prompt->text + from, prompt->text + to, strlen(prompt->text + to) + 1);
	prompt->at = from;
	return PROMPT_EDITED;
}

/* ^W as in a shell: the blanks before the cursor and the word before them. */
static size_t word_start(const struct prompt *prompt)
{
	size_t at = prompt->at;

	while (at > 0 && prompt->text[at - 1] == ' ')
		at--;
	while (at > 0 && prompt->text[at - 1] != ' ')
		at--;
	return at;
}

static enum prompt_result insert(struct prompt *prompt, int32_t key)
{
	char text[KEY_NAME_MAX];
	int32_t code;

	if (key == ' ')
		strcpy(text, " ");
	else
		keys_name(key, text);
	size_t len = strlen(text), have = strlen(prompt->text);
	/* Only displayable characters are accepted. */
	if (text_decode(text, len, &code) != len || code != key || !text_is_harmless(code))
		return PROMPT_IGNORED;
	if (have + len >= sizeof(prompt->text))
		return PROMPT_MOVED;
	memmove(prompt->text + prompt->at + len, prompt->text + prompt->at, have - prompt->at + 1);
	memcpy(prompt->text + prompt->at, text, len);
	prompt->at += len;
	return PROMPT_EDITED;
}

static enum prompt_result move_to(struct prompt *prompt, size_t at)
{
	prompt->at = at;
	return PROMPT_MOVED;
}

enum prompt_result prompt_key(struct prompt *prompt, int32_t key)
{
	switch (key) {
	case KEYS_ENTER:
		return PROMPT_ENTERED;
	case KEYS_ESC:
		return PROMPT_CANCELLED;
	case KEYS_BACKSPACE:
		return prompt->text[0] ? cut(prompt, before(prompt), prompt->at) : PROMPT_CANCELLED;
	case KEYS_DELETE:
		return cut(prompt, prompt->at, after(prompt));
	case KEY_CTRL('U'):
		return cut(prompt, 0, prompt->at);
	case KEY_CTRL('W'):
		return cut(prompt, word_start(prompt), prompt->at);
	case KEYS_LEFT:
		return move_to(prompt, before(prompt));
	case KEYS_RIGHT:
		return move_to(prompt, after(prompt));
	case KEYS_HOME:
	case KEY_CTRL('A'):
		return move_to(prompt, 0);
	case KEYS_END:
	case KEY_CTRL('E'):
		return move_to(prompt, strlen(prompt->text));
	default:
		return key >= ' ' && key < KEYS_UP ? insert(prompt, key) : PROMPT_IGNORED;
	}
}

void prompt_draw(const struct prompt *prompt, const struct pen *pen)
{
	int x = canvas_put(pen->canvas, pen->x, pen->y, pen->width, ROLE_KEY, prompt->label);
	int room = pen->x + pen->width - x;
	char left[PROMPT_MAX];

	if (room <= 0)
		return;
	memcpy(left, prompt->text, prompt->at);
	left[prompt->at] = '\0';
	/* Scrolled so that one cell stays for the cursor. */
	const char *from = prompt->text;
	while (text_width(left + (from - prompt->text)) >= (size_t)room) {
		from++;
		while (is_continuation(*from))
			from++;
	}
	canvas_put(pen->canvas, x, pen->y, room, ROLE_TEXT, from);
	pen->canvas->cursor_x = x + (int)text_width(left + (from - prompt->text));
	pen->canvas->cursor_y = pen->y;
}
