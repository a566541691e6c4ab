/* SPDX-License-Identifier: MIT */
/*
 * key - what the user can press, independent of curses.
 *
 * A printable key is its Unicode code point (>= 0x20), ^X is 1..26; the rest
 * have names here.
 */
#ifndef UI_KEY_H
#define UI_KEY_H

#include <stdbool.h>
#include <stdint.h>

enum key {
	KEYS_NONE = 0,
	KEYS_TAB = 9,
	KEYS_ENTER = 13,
	KEYS_ESC = 27,
	KEYS_BACKSPACE = 127,
	KEYS_UP = 0x110000, /* past the last code point */
	KEYS_DOWN,
	KEYS_LEFT,
	KEYS_RIGHT,
	KEYS_PAGE_UP,
	KEYS_PAGE_DOWN,
	KEYS_HOME,
	KEYS_END,
	KEYS_DELETE,
	KEYS_BACKTAB,
	/* With Shift, Alt or Ctrl. */
	KEYS_S_LEFT,
	KEYS_S_RIGHT,
	KEYS_S_PAGE_UP,
	KEYS_S_PAGE_DOWN,
	KEYS_S_HOME,
	KEYS_S_END,
	KEYS_F1,
	KEYS_F2,
	KEYS_F3,
	KEYS_F4,
	KEYS_F5,
	KEYS_F6,
	KEYS_F7,
	KEYS_F8,
	KEYS_F9,
	KEYS_F10,
	/* Not keys: what the terminal reports of itself. */
	KEYS_HANGUP, /* it has hung up */
	KEYS_LIGHT,  /* screen_ask_background(): its background is light */
	KEYS_DARK,   /* it is dark */
	/* From here on: what a mouse did, and where. */
	KEYS_MOUSE = 0x1000000,
};

enum mouse {
	MOUSE_CLICK, /* the left button, pressed and released on one cell */
	MOUSE_WHEEL_UP,
	MOUSE_WHEEL_DOWN,
};

#define KEY_CELL_BITS 10 /* of a column or line, from 0: a canvas has at most 1000 */
#define KEY_CELL_MASK ((1 << KEY_CELL_BITS) - 1)

static inline int32_t key_of_mouse(enum mouse what, int x, int y)
{
	return KEYS_MOUSE | (int32_t)what << 2 * KEY_CELL_BITS |
	       (y & KEY_CELL_MASK) << KEY_CELL_BITS | (x & KEY_CELL_MASK);
}

static inline bool key_is_mouse(int32_t key)
{
	return key >= KEYS_MOUSE;
}

static inline enum mouse key_mouse(int32_t key)
{
	return (enum mouse)((key - KEYS_MOUSE) >> 2 * KEY_CELL_BITS);
}

static inline int key_x(int32_t key)
{
	return key & KEY_CELL_MASK;
}

static inline int key_y(int32_t key)
{
	return key >> KEY_CELL_BITS & KEY_CELL_MASK;
}

#endif
