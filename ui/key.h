/* SPDX-License-Identifier: MIT */
/*
 * key - what the user can press, independent of curses.
 *
 * A printable key is its Unicode code point (>= 0x20), ^X is 1..26; the rest
 * have names here.
 */
#ifndef UI_KEY_H
#define UI_KEY_H

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
};

#endif
