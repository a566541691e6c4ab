/* SPDX-License-Identifier: MIT */
/*
 * The mouse, by xterm's control sequences: presses, releases and the wheel (mode 1000, no motion, so
 * that Shift and a drag still select text), as decimal numbers (1006).  curses can read these, too,
 * but only in the form that terminfo names, and TERM often names another terminal.
 *
 * A click is reported when the button is released, or the release of one that ends the program
 * would be left for the shell.
 */
#include "ui/screen-inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/canvas.h"
#include "ui/key.h"

/* Bits of a report's first number. */
#define BUTTON_MASK 0x03 /* 0: left; of the wheel 0: up, 1: down */
#define IS_MOTION   0x20
#define IS_WHEEL    0x40
#define IS_OTHER    0x80 /* buttons 8 to 11 */

bool screen_may_have_mouse(void)
{
	const char *term = getenv("TERM");

	/* On the Linux console gpm selects text, and reports in the old form only. */
	return screen_has_capability("kmous") && term && strcmp(term, "linux") != 0;
}

void screen_mouse_on(struct screen_input *input)
{
	fputs("\033[?1000h\033[?1006h", stdout);
	fflush(stdout);
	input->has_mouse = true;
	input->pressed_x = input->pressed_y = -1;
}

void screen_mouse_off(struct screen_input *input)
{
	if (!input->has_mouse)
		return;
	fputs(MOUSE_OFF, stdout);
	fflush(stdout);
	input->has_mouse = false;
}

/* "<0;80;24": false for anything else, and for cells that no screen has. */
static bool parse(const char *report, int *button, int *x, int *y)
{
	int end = 0;

	if (strlen(report) > sizeof("<255;1000;1000") - 1 ||
	    sscanf(report, "<%d;%d;%d%n", button, x, y, &end) < 3 || report[end])
		return false;
	return *button >= 0 && *x >= 1 && *x <= CANVAS_MAX && *y >= 1 && *y <= CANVAS_MAX;
}

static int32_t wheel_key(int button, int x, int y)
{
	switch (button & BUTTON_MASK) {
	case 0:
		return key_of_mouse(MOUSE_WHEEL_UP, x, y);
	case 1:
		return key_of_mouse(MOUSE_WHEEL_DOWN, x, y);
	default:
		return KEYS_NONE;
	}
}

int32_t screen_mouse_key(struct screen_input *input, const char *report, wint_t final)
{
	int button, x, y;

	if (!input->has_mouse || !parse(report, &button, &x, &y) || button & (IS_MOTION | IS_OTHER))
		return KEYS_NONE;
	x--;
	y--;
	if (button & IS_WHEEL)
		return final == 'M' ? wheel_key(button, x, y) : KEYS_NONE;
	if ((button & BUTTON_MASK) != 0)
		return KEYS_NONE;
	bool is_click = final == 'm' && x == input->pressed_x && y == input->pressed_y;
	input->pressed_x = final == 'M' ? x : -1;
	input->pressed_y = final == 'M' ? y : -1;
	return is_click ? key_of_mouse(MOUSE_CLICK, x, y) : KEYS_NONE;
}
