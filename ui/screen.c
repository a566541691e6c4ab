/* SPDX-License-Identifier: MIT */
/*
 * How curses is used:
 *
 *   - newterm(), because initscr() ends the program when TERM is unknown, and
 *     only after terminfo shows that the terminal can be drawn on;
 *   - curses' signal handlers are removed again at once: the event loop handles
 *     signals;
 *   - keys are read through a separate pad: reading from stdscr would redraw it;
 *   - the size comes from the terminal; LINES and COLUMNS, which may be out of
 *     date, are used only if it reports none.
 */
#include "ui/screen.h"

#include "base/text.h"
#include "base/xalloc.h"
#include "ui/key.h"
#include "ui/palette.h"
#include "ui/screen-cells.h"
#include "ui/screen-inside.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <unistd.h>

/* term.h has these as macros, like every capability of terminfo. */
#undef columns
#undef lines

#define SIZE_MOST 1000
#define ESCAPE_MS 25 /* longer than the gap within a key's sequence, shorter than a frame */

struct screen {
	SCREEN *curses;
	struct screen_input input;
	struct canvas shown; /* what stdscr holds */
	bool is_stale;	     /* `shown` may differ from the terminal */
	bool has_colours, is_suspended, is_hung_up;
	bool has_mouse; /* also while it is suspended */
	struct screen_cells cells;
	pid_t owner; /* the one thread that may call curses */
};

/* --- opening ---------------------------------------------------------------------------------- */

__attribute__((format(printf, 4, 5))) static int refuse(char *error, size_t room, int code,
							const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(error, room, format, args);
	va_end(args);
	errno = code;
	return -1;
}

/* Before anything is changed: check that terminfo can draw on it, and prepare its restoring. */
static int check_term(const char *term, char *error, size_t room)
{
	char safe[64];
	int found;

	text_safe(safe, sizeof(safe), term, strlen(term));
	if (setupterm(term, STDOUT_FILENO, &found) == ERR)
		return refuse(error, room, ENOTSUP, "TERM=%s %s: try TERM=xterm, or --batch", safe,
			      found == 0 ? "is not known here" : "cannot be used");
	bool is_able = screen_has_capability("cup") && screen_has_capability("clear");
	if (is_able)
		screen_restore_prepare();
	del_curterm(cur_term);
	if (is_able)
		return 0;
	return refuse(error, room, ENOTSUP,
		      "TERM=%s cannot place a cursor: try another TERM, or --batch", safe);
}

static int check_terminal(char *error, size_t room)
{
	const char *term = getenv("TERM");

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return refuse(error, room, ENOTTY,
			      "%s is not a terminal: the screen needs one, --batch does not",
			      isatty(STDIN_FILENO) ? "standard output" : "standard input");
	if (!term || !term[0])
		return refuse(error, room, ENOTSUP, "TERM is not set: try TERM=xterm, or --batch");
	return check_term(term, error, room);
}

static const int curses_signals[] = { SIGINT, SIGTERM, SIGTSTP, SIGWINCH, SIGTTOU };

#define SIGNAL_COUNT (sizeof(curses_signals) / sizeof(curses_signals[0]))

/*
 * newterm() without the signal handlers that it installs, and with endwin() at once: before the
 * first one ncurses 6.4 writes at each movement of its cursor, after it once a frame (_nc_mvcur()).
 */
static SCREEN *open_curses(void)
{
	struct sigaction before[SIGNAL_COUNT];
	const char *delay = getenv("ESCDELAY");

	for (size_t i = 0; i < SIGNAL_COUNT; i++)
		sigaction(curses_signals[i], NULL, &before[i]);
	use_env(FALSE);
	use_tioctl(TRUE);
	SCREEN *curses = newterm(NULL, stdout, stdin);
	if (curses && !delay)
		set_escdelay(ESCAPE_MS);
	if (curses)
		endwin();
	for (size_t i = 0; i < SIGNAL_COUNT; i++)
		sigaction(curses_signals[i], &before[i], NULL);
	return curses;
}

/* raw(): no key may send a signal or stop the output; nonl(): Enter and ^J stay apart. */
static void set_modes(struct screen *screen)
{
	raw();
	noecho();
	nonl();
	curs_set(0);
	screen->input.pad = newpad(1, 1);
	keypad(screen->input.pad, TRUE);
	nodelay(screen->input.pad, TRUE);
	screen->has_colours = has_colors() && start_color() == OK;
	if (screen->has_colours)
		use_default_colors();
}

/*
 * The Linux console supports UTF-8, but its font of 256 or 512 glyphs has none
 * of the eighth blocks: they would all be the same box.
 */
static bool shows_blocks(void)
{
	const char *term = getenv("TERM");

	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0 && term && strcmp(term, "linux") != 0;
}

struct screen *screen_open(char *error, size_t room)
{
	struct theme mono;

	setlocale(LC_CTYPE, "");
	if (check_terminal(error, room) < 0)
		return NULL;
	if (screen_restore_begin() < 0) {
		snprintf(error, room, "the terminal does not answer: %s", strerror(errno));
		return NULL;
	}
	SCREEN *curses = open_curses();
	if (!curses) {
		screen_restore_cancel();
		refuse(error, room, ENOTSUP, "curses cannot use this terminal: try TERM=xterm");
		return NULL;
	}
	struct screen *screen = xcalloc(1, sizeof(*screen));
	screen->curses = curses;
	screen->owner = gettid();
	screen->cells.is_utf8 = shows_blocks();
	set_modes(screen);
	canvas_init(&screen->shown, 1, 1);
	theme_mono(&mono);
	screen_theme(screen, &mono);
	return screen;
}

static void leave(struct screen *screen)
{
	screen_mouse_off(&screen->input);
	screen_await_answers(&screen->input);
	screen_restore();
}

void screen_close(struct screen *screen)
{
	if (!screen)
		return;
	assert(screen->owner == gettid());
	if (!screen->is_suspended)
		leave(screen);
	delwin(screen->input.pad);
	delscreen(screen->curses);
	canvas_fini(&screen->shown);
	free(screen);
}

bool screen_is_utf8(const struct screen *screen)
{
	return screen->cells.is_utf8;
}

/* --- looks ------------------------------------------------------------------------------------ */

static attr_t look_attributes(const struct look *look)
{
	attr_t attributes = A_NORMAL;

	if (look->is_bold)
		attributes |= A_BOLD;
	if (look->is_underlined)
		attributes |= A_UNDERLINE;
	if (look->is_reversed)
		attributes |= A_REVERSE;
	if (look->is_dim)
		attributes |= A_DIM;
	return attributes;
}

/* As no-color.org specifies: set and not empty. */
static bool wants_no_colour(void)
{
	const char *value = getenv("NO_COLOR");

	return value && value[0];
}

/*
 * Without colours of its own a role keeps pair 0: some terminals (ncv of terminfo; the Linux
 * console) show no dim together with a pair.
 */
static void set_look(struct screen *screen, int role, const struct look *look)
{
	bool is_plain = look->text == COLOUR_DEFAULT && look->background == COLOUR_DEFAULT;
	bool has_pair = screen->has_colours && !is_plain;

	if (has_pair)
		init_extended_pair(role + 1, palette_colour(look->text, COLORS),
				   palette_colour(look->background, COLORS));
	screen_cells_look(&screen->cells, (enum role)role, look_attributes(look),
			  has_pair ? (short)(role + 1) : 0);
}

void screen_theme(struct screen *screen, const struct theme *theme)
{
	struct theme mono;
	bool has_colours = screen->has_colours && !wants_no_colour();

	assert(screen->owner == gettid());
	theme_mono(&mono);
	const struct look *looks = (has_colours ? theme : &mono)->looks[theme_depth(COLORS)];
	for (int role = 0; role < ROLE_COUNT; role++)
		set_look(screen, role, &looks[role]);
	screen->is_stale = true;
}

void screen_ask_background(struct screen *screen)
{
	assert(screen->owner == gettid());
	if (screen->has_colours && !wants_no_colour())
		screen_ask(&screen->input);
}

/* --- size ------------------------------------------------------------------------------------- */

static int from_environment(const char *name, int otherwise)
{
	const char *text = getenv(name);
	long value = text ? strtol(text, NULL, 10) : 0;

	return value > 0 && value <= SIZE_MOST ? (int)value : otherwise;
}

static int limited(int value)
{
	return value < 1 ? 1 : value > SIZE_MOST ? SIZE_MOST : value;
}

void screen_size(struct screen *screen, int *columns, int *lines)
{
	struct winsize size = { 0 };

	assert(screen->owner == gettid());
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col && size.ws_row) {
		*columns = limited(size.ws_col);
		*lines = limited(size.ws_row);
	} else {
		*columns = from_environment("COLUMNS", COLS);
		*lines = from_environment("LINES", LINES);
	}
	if (screen->is_suspended || (*columns == COLS && *lines == LINES))
		return;
	resizeterm(*lines, *columns);
	screen->is_stale = true;
}

/* --- showing ---------------------------------------------------------------------------------- */

static bool put_cursor(const struct screen *screen, const struct canvas *canvas)
{
	bool is_shown = canvas->cursor_x >= 0 && canvas->cursor_x < COLS && canvas->cursor_y >= 0 &&
			canvas->cursor_y < LINES;

	/* Also when it is hidden: that costs nothing. */
	move(is_shown ? canvas->cursor_y : 0, is_shown ? canvas->cursor_x : 0);
	if (!screen->is_stale && canvas->cursor_x == screen->shown.cursor_x &&
	    canvas->cursor_y == screen->shown.cursor_y)
		return false;
	curs_set(is_shown);
	return true;
}

void screen_blit(struct screen *screen, const struct canvas *canvas)
{
	assert(screen->owner == gettid());
	if (screen->is_suspended)
		return;
	if (canvas->columns != screen->shown.columns || canvas->lines != screen->shown.lines)
		screen->is_stale = true;
	if (screen->is_stale) {
		erase();
		canvas_reset(&screen->shown, canvas->columns, canvas->lines);
	}
	bool has_changed =
		screen_cells_put(&screen->cells, canvas, &screen->shown, screen->is_stale);
	has_changed |= put_cursor(screen, canvas);
	if (!has_changed)
		return;
	refresh();
	screen->shown.cursor_x = canvas->cursor_x;
	screen->shown.cursor_y = canvas->cursor_y;
	screen->is_stale = false;
}

void screen_repaint(struct screen *screen)
{
	clearok(curscr, TRUE);
	screen->is_stale = true;
}

/* --- keys ------------------------------------------------------------------------------------- */

/*
 * curses returns ERR both for "no key" and for "no terminal".  A tty that polls
 * as readable and has no bytes is at end of file.
 */
static bool is_hung_up(void)
{
	struct pollfd tty = { .fd = STDIN_FILENO, .events = POLLIN };
	int unread = 0;

	if (poll(&tty, 1, 0) <= 0)
		return false;
	if (tty.revents & (POLLHUP | POLLERR | POLLNVAL))
		return true;
	return ioctl(STDIN_FILENO, FIONREAD, &unread) < 0 || unread == 0;
}

static int32_t no_key(struct screen *screen)
{
	screen->is_hung_up = is_hung_up();
	return screen->is_hung_up ? KEYS_HANGUP : KEYS_NONE;
}

int32_t screen_key(struct screen *screen)
{
	assert(screen->owner == gettid());
	if (screen->is_hung_up)
		return KEYS_HANGUP;
	if (screen->is_suspended)
		return KEYS_NONE;
	int32_t key;
	while (screen_read_key(&screen->input, &key))
		if (key != KEYS_NONE)
			return key;
	return no_key(screen);
}

bool screen_set_mouse(struct screen *screen, bool is_on)
{
	assert(screen->owner == gettid());
	screen->has_mouse = is_on && screen_may_have_mouse();
	if (screen->has_mouse)
		screen_mouse_on(&screen->input);
	else
		screen_mouse_off(&screen->input);
	return screen->has_mouse || !is_on;
}

/* --- suspend and resume ----------------------------------------------------------------------- */

void screen_suspend(struct screen *screen)
{
	assert(screen->owner == gettid());
	if (screen->is_suspended)
		return;
	screen->is_suspended = true;
	leave(screen);
}

/* The shell may have changed the modes: save the new ones as those to restore. */
void screen_resume(struct screen *screen)
{
	assert(screen->owner == gettid());
	if (!screen->is_suspended)
		return;
	screen_restore_begin();
	screen->is_suspended = false;
	reset_prog_mode();
	screen_set_mouse(screen, screen->has_mouse);
	screen_repaint(screen);
}
