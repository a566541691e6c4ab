/* SPDX-License-Identifier: MIT */
/*
 * prompt - a line that the user types: a filter, an interval.
 */
#ifndef UI_PROMPT_H
#define UI_PROMPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ui/draw.h"

#define PROMPT_MAX 256 /* bytes with the terminator; a longer filter is refused anyway */

struct prompt {
	const char *label; /* a literal; NULL: not open */
	char text[PROMPT_MAX];
	size_t at; /* the cursor, a byte offset between characters */
};

enum prompt_result {
	PROMPT_IGNORED, /* the prompt does not use this key */
	PROMPT_MOVED,	/* the cursor or nothing changed */
	PROMPT_EDITED,	/* the text changed */
	PROMPT_ENTERED,
	PROMPT_CANCELLED,
};

/* Open it with an initial `text` (copied) and a label that is a literal. */
void prompt_open(struct prompt *prompt, const char *label, const char *text);
void prompt_close(struct prompt *prompt);
bool prompt_is_open(const struct prompt *prompt);

/* A key from ui/key.h. */
enum prompt_result prompt_key(struct prompt *prompt, int32_t key);

/* Draw it, scrolled so that the cursor is visible, and put the terminal's cursor there. */
void prompt_draw(const struct prompt *prompt, const struct pen *pen);

#endif
