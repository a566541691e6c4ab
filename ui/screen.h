/* SPDX-License-Identifier: MIT */
/*
 * screen - the terminal, and the only user of curses.
 *
 * One thread calls it, from screen_open() to screen_close().  The terminal is
 * restored however the program ends: by screen_close() on a normal exit, by
 * screen_restore_raw() from the handler of a fatal signal.
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
 * Open the terminal on stdin/stdout.  NULL and one line in `error` when there is
 * none (ENOTTY), or TERM is unset, unknown or cannot place a cursor (ENOTSUP);
 * nothing was changed then.
 */
struct screen *screen_open(char *error, size_t room);

/* Restore the terminal and free all.  NULL is allowed. */
void screen_close(struct screen *screen);

/*
 * Set the look of each role; the next blit repaints all.  `theme` is copied.  On
 * a terminal without colours, and with NO_COLOR, mono's looks are used instead.
 */
void screen_theme(struct screen *screen, const struct theme *theme);

/*
 * Ask the terminal for its background.  Its answer, if there is one, comes from
 * screen_key() as KEYS_LIGHT or KEYS_DARK.  Terminals that may not know the
 * question, or have no colours, are not asked.  Before the terminal is restored
 * an answer that is on its way is awaited for 100 ms, so that a shell does not
 * read it.
 */
void screen_ask_background(struct screen *screen);

/*
 * Take the mouse, or let the terminal have it again: what it does then comes from screen_key() as
 * key_of_mouse().  False where the terminal has none (kmous of terminfo); nothing is sent then.
 */
bool screen_set_mouse(struct screen *screen, bool is_on);

/* Whether the terminal shows UTF-8 and its block characters; if not, draw ASCII. */
bool screen_is_utf8(const struct screen *screen);

/*
 * The current size, read from the terminal at each call and clamped to
 * 1000x1000.  Where it reports none (a serial line): LINES and COLUMNS, else
 * terminfo's size.
 */
void screen_size(struct screen *screen, int *columns, int *lines);

/* Show the canvas: only what differs from the screen is sent. */
void screen_blit(struct screen *screen, const struct canvas *canvas);

/* Send all of it again at the next blit: another program wrote over it. */
void screen_repaint(struct screen *screen);

/*
 * The next key that was typed (ui/key.h); KEYS_NONE when there is none, without
 * waiting (only after an Esc for 25 ms, or $ESCDELAY, for the rest of a key's
 * sequence).  Call it until it returns KEYS_NONE: some keys may be buffered here
 * and not in the tty.  Once the terminal has hung up always KEYS_HANGUP: the
 * caller should exit.  No key sends a signal: ^C, ^Z and ^\ are keys.
 */
int32_t screen_key(struct screen *screen);

/*
 * Restore the terminal (^Z), and set it up again (fg).  The caller stops the
 * process in between.  Handlers for SIGTSTP, SIGWINCH, SIGINT and SIGTERM are the
 * caller's; those of curses are not installed.
 */
void screen_suspend(struct screen *screen);
void screen_resume(struct screen *screen);

/*
 * Write the bytes that restore the terminal, with write(2) and tcsetattr(3) only: for signal
 * handlers.  Does nothing when no screen is open.
 */
void screen_restore_raw(void);

#endif
