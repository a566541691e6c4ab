/* SPDX-License-Identifier: MIT */
/*
 * screen - the terminal, and the only user of curses.
 *
 * One thread calls it, from screen_open() to screen_close().  Whatever ends the
 * program, the terminal is given back as it was: screen_close() on every
 * ordinary way out, screen_restore_raw() from the handler of a fatal signal.
 */
#ifndef UI_SCREEN_H
#define UI_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ui/canvas.h"
#include "ui/theme.h"

struct screen;

/*
 * Take the terminal on stdin/stdout.  NULL and one line in `error` when there is
 * none (ENOTTY), or TERM is unset, unknown or too dumb to place a cursor
 * (ENOTSUP); nothing was changed then.
 */
struct screen *screen_open(char *error, size_t room);

/* Give the terminal back, free all.  NULL is allowed. */
void screen_close(struct screen *screen);

/*
 * The look of the roles from now on; the next blit repaints all.  Borrows
 * nothing.  On a terminal without colours, and with NO_COLOR, mono's looks are
 * taken whatever the theme says.
 */
void screen_theme(struct screen *screen, const struct theme *theme);

/* Whether the terminal shows UTF-8 and its block characters; if not, draw ASCII. */
bool screen_is_utf8(const struct screen *screen);

/*
 * The size as it is now, asked of the terminal at each call: at most
 * 1000x1000, whatever it claims.  A terminal that does not know (a serial line)
 * has LINES and COLUMNS, or what terminfo says.
 */
void screen_size(struct screen *screen, int *columns, int *lines);

/* Show the canvas: only what differs from the screen is sent. */
void screen_blit(struct screen *screen, const struct canvas *canvas);

/* Send all of it again at the next blit: another program wrote over it. */
void screen_repaint(struct screen *screen);

/*
 * The next key that was typed (ui/key.h); KEYS_NONE when there is none, without
 * waiting (only after an Esc for 25 ms, or $ESCDELAY, for the rest of a key's
 * sequence).  Call it until it says KEYS_NONE: some keys may wait here and not in
 * the tty.  KEYS_HANGUP, from then on, when the terminal is gone: the caller
 * ends.  No key sends a signal: ^C, ^Z and ^\ are keys.
 */
int32_t screen_key(struct screen *screen);

/*
 * Give the terminal back for a while (^Z), and take it again (fg).  The caller
 * stops the process between them; handlers for SIGTSTP, SIGWINCH, SIGINT and
 * SIGTERM are the caller's all the time, curses' own are not installed.
 */
void screen_suspend(struct screen *screen);
void screen_resume(struct screen *screen);

/*
 * Write the bytes that restore the terminal, with write(2) and tcsetattr(3) only: for signal
 * handlers.  Does nothing when no screen is open.
 */
void screen_restore_raw(void);

#endif
