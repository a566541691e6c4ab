/* SPDX-License-Identifier: MIT */
/*
 * screen-inside - what screen.c, screen-keys.c and screen-restore.c, the users of curses, share.
 */
#ifndef UI_SCREEN_INSIDE_H
#define UI_SCREEN_INSIDE_H

#include <curses.h>
#include <stdbool.h>
#include <stdint.h>

/* Read one key (ui/key.h), KEYS_NONE for an unmapped one; false when no key is pending. */
bool screen_read_key(WINDOW *input, int32_t *key);

/* Whether terminfo has this string capability for the terminal. */
bool screen_has_capability(const char *name);

/* Before curses opens: save the terminal's modes, to be restored from now on.  -1 and errno. */
int screen_restore_begin(void);

/* Curses failed to open: nothing is to be restored. */
void screen_restore_cancel(void);

/* Once terminfo is loaded: prepare the bytes that a signal handler will write. */
void screen_restore_prepare(void);

/* Restore the terminal while curses is open. */
void screen_restore(void);

#endif
