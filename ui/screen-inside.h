/* SPDX-License-Identifier: MIT */
/*
 * screen-inside - what screen.c, screen-keys.c, screen-mouse.c, screen-answers.c and screen-restore.c,
 * the users of curses, share.
 */
#ifndef UI_SCREEN_INSIDE_H
#define UI_SCREEN_INSIDE_H

#include <curses.h>
#include <stdbool.h>
#include <stdint.h>

/* Where keys and the terminal's answers are read. */
struct screen_input {
	WINDOW *pad;		  /* never shown */
	bool is_asked;		  /* the last answer has not come yet */
	bool has_mouse;		  /* the terminal reports it */
	int pressed_x, pressed_y; /* where the left button was pressed; -1: it is not */
	char sequence[40]; /* what followed an Esc, until its end comes: longer ones are cut */
	size_t len;
};

/*
 * Read one key (ui/key.h), KEYS_NONE for an unmapped one and for an answer without meaning; false
 * when no key is pending.
 */
bool screen_read_key(struct screen_input *input, int32_t *key);

/* Send the question for the background.  A terminal answers in the order of the questions. */
void screen_ask(struct screen_input *input);

/* Whether `next` goes on with the answer that begins with `begun` ("]..."). */
bool screen_is_answer(const char *begun, wint_t next);

/* KEYS_LIGHT or KEYS_DARK for the answer "]11;rgb:RRRR/GGGG/BBBB", KEYS_NONE when it is not one. */
int32_t screen_answer_key(const char *answer);

/* What follows Esc in a report of the mouse: "[<BUTTON;X;Y", and M for a press, m for a release. */
#define MOUSE_BEGIN "[<"

/* The bytes that end reports, also for the handler of a fatal signal. */
#define MOUSE_OFF "\033[?1006l\033[?1000l"

/* Whether terminfo has a mouse for this terminal. */
bool screen_may_have_mouse(void);

/* Ask the terminal to report the mouse, or to stop. */
void screen_mouse_on(struct screen_input *input);
void screen_mouse_off(struct screen_input *input);

/* Of the reports that terminfo knows (kmous), which curses returns as KEY_MOUSE: Esc [ < or Esc [ M. */
bool screen_is_numbered_mouse(void);

/*
 * The key (ui/key.h) for a report "<BUTTON;X;Y" and its last character; KEYS_NONE for a press, whose
 * release is the click, and for what is no report.
 */
int32_t screen_mouse_key(struct screen_input *input, const char *report, wint_t final);

/* Read and drop all until the last answer has come, for at most 100 ms. */
void screen_await_answers(struct screen_input *input);

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
