/* SPDX-License-Identifier: MIT */
/*
 * screen-inside - what screen.c, screen-keys.c and screen-restore.c share: they alone know curses.
 */
#ifndef UI_SCREEN_INSIDE_H
#define UI_SCREEN_INSIDE_H

#include <curses.h>
#include <stdbool.h>
#include <stdint.h>

/* One key of any kind (ui/key.h), KEYS_NONE for one that means nothing; false when there is none. */
bool screen_read_key(WINDOW *input, int32_t *key);

/* Whether terminfo has a capability with a text for this terminal. */
bool screen_has_capability(const char *name);

/* Before curses opens: keep the terminal's modes, to be given back from now on.  -1 and errno. */
int screen_restore_begin(void);

/* It has not opened: nothing is to be given back. */
void screen_restore_cancel(void);

/* Once terminfo is loaded: what a signal handler will write. */
void screen_restore_prepare(void);

/* Give it back while curses is there. */
void screen_restore(void);

#endif
