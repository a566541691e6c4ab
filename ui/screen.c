/* SPDX-License-Identifier: MIT */
/*
 * curses, held at arm's length:
 *
 *   - newterm(), because initscr() ends the program when TERM is unknown, and
 *     only after terminfo said that the terminal can be drawn on;
 *   - curses' signal handlers are taken out again at once: signals are the
 *     event loop's;
 *   - keys are read through a pad of our own: reading from stdscr would redraw it;
 *   - the size comes from the terminal, never from LINES and COLUMNS, which a
 *     shell may have exported an hour ago.
 *
 * What gives the terminal back is computed when it is taken, because in a
 * handler of a fatal signal nothing can be computed any more.
 */
#include "ui/screen.h"

#include "base/text.h"
#include "base/xalloc.h"
#include "ui/key.h"

#include <assert.h>
#include <curses.h>
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
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

/* term.h has these as macros, like every capability of terminfo. */
#undef columns
#undef lines

#define SIZE_MOST      1000
#define ESCAPE_MS      25 /* longer than the gap within a key's sequence, shorter than a frame */
#define RAW_MAX	       256
#define COLOURS_DIRECT (1 << 24)
#define MARKS_MOST     (CCHARW_MAX - 1)

struct screen {
	SCREEN *curses;
	WINDOW *input;	     /* a pad that is never shown */
	struct canvas shown; /* what stdscr holds */
	bool is_stale;	     /* nothing of `shown` can be relied on */
	bool is_utf8, has_colours, is_suspended, is_hung_up;
	attr_t attributes[ROLE_COUNT];
	pid_t owner; /* the one thread that may call curses */
};

/* What a signal handler needs: written before is_open is set, and never while it is set. */
static struct {
	volatile sig_atomic_t is_open;
	struct termios termios;
	char bytes[RAW_MAX];
	size_t len;
	bool has_rmcup; /* there is a second screen, and the first comes back by itself */
} restore;

/* --- giving back, from a signal handler -------------------------------------------------------- */

void screen_restore_raw(void)
{
	if (!restore.is_open)
		return;
	restore.is_open = 0;
	int saved = errno;
	size_t done = 0;
	/* A terminal that takes nothing must not hold a dying program for ever. */
	for (int tries = 0; done < restore.len && tries < 100; tries++) {
		ssize_t wrote = write(STDOUT_FILENO, restore.bytes + done, restore.len - done);
		if (wrote < 0 && errno != EINTR)
			break;
		done += wrote > 0 ? (size_t)wrote : 0;
	}
	tcsetattr(STDIN_FILENO, TCSANOW, &restore.termios);
	errno = saved;
}

/* Where our last frame stays on the screen, the prompt at least gets an empty line. */
static void end_curses(void)
{
	if (!restore.has_rmcup) {
		move(LINES - 1, 0);
		clrtoeol();
		refresh();
	}
	endwin();
	restore.is_open = 0;
	tcsetattr(STDIN_FILENO, TCSANOW, &restore.termios);
}

static int add_raw_byte(int byte)
{
	if (restore.len < sizeof(restore.bytes))
		restore.bytes[restore.len++] = (char)byte;
	return byte;
}

/* tputs() leaves out the padding, which needs a clock, on all terminals of this century. */
static void add_raw(const char *capability)
{
	char *text = tigetstr(capability);

	if (text && text != (char *)-1)
		tputs(text, 1, add_raw_byte);
}

static bool has_capability(const char *name)
{
	char *text = tigetstr(name);

	return text && text != (char *)-1;
}

static void prepare_restore(void)
{
	restore.len = 0;
	add_raw("sgr0");
	add_raw("op");
	add_raw("rmkx");
	add_raw("cnorm");
	restore.has_rmcup = has_capability("rmcup");
	if (restore.has_rmcup)
		add_raw("rmcup");
	else
		add_raw_byte('\n');
	add_raw_byte('\r');
}

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

/* Ask terminfo, before anything is changed, whether it can be drawn on; and how to give it back. */
static int check_term(const char *term, char *error, size_t room)
{
	char safe[64];
	int found;

	text_safe(safe, sizeof(safe), term, strlen(term));
	if (setupterm(term, STDOUT_FILENO, &found) == ERR)
		return refuse(error, room, ENOTSUP, "TERM=%s %s: try TERM=xterm, or --batch", safe,
			      found == 0 ? "is not known here" : "cannot be used");
	bool is_able = has_capability("cup") && has_capability("clear");
	if (is_able)
		prepare_restore();
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

/* newterm() without the signal handlers that it installs. */
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
	screen->input = newpad(1, 1);
	keypad(screen->input, TRUE);
	nodelay(screen->input, TRUE);
	screen->has_colours = has_colors() && start_color() == OK;
	if (screen->has_colours)
		use_default_colors();
}

/*
 * The Linux console speaks UTF-8, but its font of 256 or 512 glyphs has none of
 * the eighth blocks: they would all be the same box.
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
	if (tcgetattr(STDIN_FILENO, &restore.termios) < 0) {
		snprintf(error, room, "the terminal does not answer: %s", strerror(errno));
		return NULL;
	}
	restore.is_open = 1;
	SCREEN *curses = open_curses();
	if (!curses) {
		restore.is_open = 0;
		refuse(error, room, ENOTSUP, "curses cannot use this terminal: try TERM=xterm");
		return NULL;
	}
	struct screen *screen = xcalloc(1, sizeof(*screen));
	screen->curses = curses;
	screen->owner = gettid();
	screen->is_utf8 = shows_blocks();
	set_modes(screen);
	canvas_init(&screen->shown, 1, 1);
	theme_mono(&mono);
	screen_theme(screen, &mono);
	return screen;
}

void screen_close(struct screen *screen)
{
	if (!screen)
		return;
	assert(screen->owner == gettid());
	if (!screen->is_suspended)
		end_curses();
	delwin(screen->input);
	delscreen(screen->curses);
	canvas_fini(&screen->shown);
	free(screen);
}

bool screen_is_utf8(const struct screen *screen)
{
	return screen->is_utf8;
}

/* --- looks ------------------------------------------------------------------------------------ */

/* xterm's first sixteen; a user may have others, but near is all that is asked for. */
static const int32_t ansi_rgb[16] = {
	0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
	0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
};

/* A colour of the 256: sixteen, a cube of 6x6x6, and 24 greys. */
static int32_t palette_rgb(int32_t index)
{
	static const int32_t steps[] = { 0, 95, 135, 175, 215, 255 };

	if (index < 16)
		return ansi_rgb[index];
	if (index >= 232)
		return (8 + (index - 232) * 10) * 0x010101;
	index -= 16;
	return steps[index / 36] << 16 | steps[index / 6 % 6] << 8 | steps[index % 6];
}

static long distance(int32_t a, int32_t b)
{
	long red = (a >> 16 & 255) - (b >> 16 & 255);
	long green = (a >> 8 & 255) - (b >> 8 & 255);
	long blue = (a & 255) - (b & 255);

	/* The eye sees green best and blue worst. */
	return 3 * red * red + 6 * green * green + blue * blue;
}

static int32_t nearest(int32_t rgb, int32_t first, int32_t count)
{
	int32_t best = first;

	for (int32_t i = first; i < count; i++)
		if (distance(rgb, palette_rgb(i)) < distance(rgb, palette_rgb(best)))
			best = i;
	return best;
}

/* What this terminal calls the colour. */
static int terminal_colour(int32_t colour)
{
	bool is_rgb = colour != COLOUR_DEFAULT && colour & COLOUR_RGB;
	int32_t rgb = is_rgb ? colour & 0xffffff : 0;

	if (colour == COLOUR_DEFAULT)
		return -1;
	if (COLORS >= COLOURS_DIRECT) {
		/* There the first eight numbers are ANSI's and all others are RGB. */
		if (!is_rgb && colour < 8)
			return colour;
		rgb = is_rgb ? rgb : palette_rgb(colour);
		return rgb < 8 ? 0 : rgb;
	}
	if (!is_rgb && colour < COLORS)
		return colour;
	rgb = is_rgb ? rgb : palette_rgb(colour);
	/* The first sixteen are the user's own; where there are others, those are exact. */
	return COLORS >= 256 ? nearest(rgb, 16, 256) : nearest(rgb, 0, COLORS >= 16 ? 16 : 8);
}

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

/* The value that no-color.org gives it: any but the empty one. */
static bool wants_no_colour(void)
{
	const char *value = getenv("NO_COLOR");

	return value && value[0];
}

void screen_theme(struct screen *screen, const struct theme *theme)
{
	struct theme mono;
	bool has_colours = screen->has_colours && !wants_no_colour();

	assert(screen->owner == gettid());
	theme_mono(&mono);
	for (int role = 0; role < ROLE_COUNT; role++) {
		const struct look *look = &(has_colours ? theme : &mono)->looks[role];

		screen->attributes[role] = look_attributes(look);
		if (screen->has_colours)
			init_extended_pair(role + 1, terminal_colour(look->text),
					   terminal_colour(look->background));
	}
	screen->is_stale = true;
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

/* The character and its marks, as many as curses takes; false when the terminal cannot show it. */
static bool widen(const struct screen *screen, const char *text, int width, wchar_t *wide)
{
	size_t len = strlen(text), count = 0;

	for (size_t at = 0; at < len && count < CCHARW_MAX - 1;) {
		int32_t code;

		at += text_decode(text + at, len - at, &code);
		if (count && wcwidth((wchar_t)code) != 0)
			break;
		wide[count++] = (wchar_t)code;
	}
	wide[count] = L'\0';
	if (count == 1 && wide[0] < 0x7f)
		return true;
	/*
	 * It must take the cells that our canvas gave it, or the line would shift:
	 * the C library's tables may know a character that ours do not.
	 */
	return screen->is_utf8 && wcwidth(wide[0]) == width;
}

/* One cell or two for curses, which wants only the left one of a wide character: how many. */
static int make_cells(const struct screen *screen, const struct cell *cell, int width,
		      cchar_t out[2])
{
	wchar_t wide[CCHARW_MAX + 1];
	attr_t attributes = screen->attributes[cell->role];
	short pair = screen->has_colours ? (short)(cell->role + 1) : 0;

	if (widen(screen, cell->text, width, wide) &&
	    setcchar(&out[0], wide, attributes, pair, NULL) == OK)
		return 1;
	setcchar(&out[0], L"?", attributes, pair, NULL);
	setcchar(&out[1], L" ", attributes, pair, NULL);
	return width;
}

static void put_line(const struct screen *screen, const struct cell *line, int columns, int y)
{
	cchar_t cells[SIZE_MOST + 2];
	int count = 0;

	for (int x = 0; x < columns; x++) {
		bool is_wide = x + 1 < columns && line[x + 1].text[0] == '\0';

		count += make_cells(screen, &line[x], is_wide ? 2 : 1, &cells[count]);
		x += is_wide;
	}
	mvadd_wchnstr(y, 0, cells, count);
}

static bool is_same_line(const struct cell *a, const struct cell *b, int columns)
{
	for (int x = 0; x < columns; x++)
		if (a[x].role != b[x].role || strcmp(a[x].text, b[x].text) != 0)
			return false;
	return true;
}

/* Whole lines, because half of a wide character cannot be replaced. */
static bool put_changes(struct screen *screen, const struct canvas *canvas)
{
	int lines = canvas->lines < LINES ? canvas->lines : LINES;
	int columns = canvas->columns < COLS ? canvas->columns : COLS;
	bool has_changed = false;

	for (int y = 0; y < lines; y++) {
		const struct cell *line = canvas_line(canvas, y);

		if (!screen->is_stale &&
		    is_same_line(line, canvas_line(&screen->shown, y), columns))
			continue;
		put_line(screen, line, columns, y);
		has_changed = true;
	}
	return has_changed;
}

static bool put_cursor(const struct screen *screen, const struct canvas *canvas)
{
	bool is_shown = canvas->cursor_x >= 0 && canvas->cursor_x < COLS && canvas->cursor_y >= 0 &&
			canvas->cursor_y < LINES;

	/* Also when it is hidden: moving it there costs nothing more than leaving it anywhere. */
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
	if (screen->is_stale)
		erase();
	bool has_changed = put_changes(screen, canvas);
	has_changed |= put_cursor(screen, canvas);
	if (!has_changed)
		return;
	refresh();
	canvas_reset(&screen->shown, canvas->columns, canvas->lines);
	memcpy(screen->shown.cells, canvas->cells,
	       sizeof(*canvas->cells) * (size_t)canvas->columns * (size_t)canvas->lines);
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

static int32_t function_key(wint_t code)
{
	static const struct {
		wint_t code;
		int32_t key;
	} keys[] = {
		{ KEY_UP, KEYS_UP },
		{ KEY_DOWN, KEYS_DOWN },
		{ KEY_LEFT, KEYS_LEFT },
		{ KEY_RIGHT, KEYS_RIGHT },
		{ KEY_PPAGE, KEYS_PAGE_UP },
		{ KEY_NPAGE, KEYS_PAGE_DOWN },
		{ KEY_HOME, KEYS_HOME },
		{ KEY_END, KEYS_END },
		{ KEY_LL, KEYS_END },
		{ KEY_FIND, KEYS_HOME },
		{ KEY_SELECT, KEYS_END },
		{ KEY_DC, KEYS_DELETE },
		{ KEY_BTAB, KEYS_BACKTAB },
		{ KEY_ENTER, KEYS_ENTER },
		{ KEY_BACKSPACE, KEYS_BACKSPACE },
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (keys[i].code == code)
			return keys[i].key;
	if (code >= KEY_F(1) && code <= KEY_F(10))
		return KEYS_F1 + (int32_t)(code - KEY_F(1));
	return KEYS_NONE;
}

static int32_t character_key(wint_t code)
{
	if (code == '\n' || code == '\r')
		return KEYS_ENTER;
	if (code == '\b')
		return KEYS_BACKSPACE;
	/* ^\ sends SIGQUIT everywhere else; who presses it wants to leave. */
	if (code == ('\\' & 0x1f))
		return 'c' & 0x1f;
	if (code < ' ')
		return code <= 26 || code == KEYS_ESC ? (int32_t)code : KEYS_NONE;
	return code < 0x80 || (code >= 0xa0 && code < KEYS_UP) ? (int32_t)code : KEYS_NONE;
}

/* The keys whose sequences all terminals share, should terminfo have others for this one. */
static int32_t sequence_key(long number, wint_t final)
{
	static const int32_t letters[] = {
		['A' - 'A'] = KEYS_UP,	 ['B' - 'A'] = KEYS_DOWN,    ['C' - 'A'] = KEYS_RIGHT,
		['D' - 'A'] = KEYS_LEFT, ['F' - 'A'] = KEYS_END,     ['H' - 'A'] = KEYS_HOME,
		['P' - 'A'] = KEYS_F1,	 ['Q' - 'A'] = KEYS_F2,	     ['R' - 'A'] = KEYS_F3,
		['S' - 'A'] = KEYS_F4,	 ['Z' - 'A'] = KEYS_BACKTAB,
	};
	static const int32_t numbers[] = {
		[1] = KEYS_HOME,      [3] = KEYS_DELETE, [4] = KEYS_END, [5] = KEYS_PAGE_UP,
		[6] = KEYS_PAGE_DOWN, [7] = KEYS_HOME,	 [8] = KEYS_END,
	};

	if (final >= 'A' && final <= 'Z')
		return letters[final - 'A'];
	if (final == '~' && number >= 0 && number < (long)(sizeof(numbers) / sizeof(numbers[0])))
		return numbers[number];
	return KEYS_NONE;
}

/* The rest of a sequence, to its final byte. */
static int32_t rest_of_sequence(struct screen *screen)
{
	long number = 0;
	wint_t code;

	while (wget_wch(screen->input, &code) != ERR) {
		if (code >= 0x40 && code <= 0x7e)
			return sequence_key(number, code);
		if (code >= '0' && code <= '9' && number < 1000)
			number = number * 10 + (long)(code - '0');
		else
			number = -1; /* several, or none that we know */
	}
	return KEYS_NONE;
}

/*
 * An Esc whose next byte is there already, and is [ or O, begins a sequence
 * that terminfo does not know: without this its letters would act as keys.
 */
static int32_t escape_key(struct screen *screen)
{
	wint_t code;

	if (wget_wch(screen->input, &code) == ERR)
		return KEYS_ESC;
	if (code == '[' || code == 'O')
		return rest_of_sequence(screen);
	unget_wch((wchar_t)code);
	return KEYS_ESC;
}

/* One key of any kind, KEYS_NONE for one that means nothing; false when there is none. */
static bool read_key(struct screen *screen, int32_t *key)
{
	wint_t code;
	int kind = wget_wch(screen->input, &code);

	if (kind == ERR)
		return false;
	if (kind == KEY_CODE_YES && code == KEY_MOUSE) {
		/* Nobody asked for it: its figures are still to come. */
		rest_of_sequence(screen);
		*key = KEYS_NONE;
	} else if (kind == KEY_CODE_YES) {
		*key = function_key(code);
	} else {
		*key = character_key(code);
	}
	if (*key == KEYS_ESC)
		*key = escape_key(screen);
	return true;
}

/*
 * curses says the same for "no key" and for "no terminal".  A tty that is
 * readable and has nothing to read is at its end.
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
	while (read_key(screen, &key))
		if (key != KEYS_NONE)
			return key;
	return no_key(screen);
}

/* --- a while without it ------------------------------------------------------------------------ */

void screen_suspend(struct screen *screen)
{
	assert(screen->owner == gettid());
	if (screen->is_suspended)
		return;
	screen->is_suspended = true;
	end_curses();
}

/* The shell may have left other modes: those that we are to leave behind are the new ones. */
void screen_resume(struct screen *screen)
{
	assert(screen->owner == gettid());
	if (!screen->is_suspended)
		return;
	tcgetattr(STDIN_FILENO, &restore.termios);
	restore.is_open = 1;
	screen->is_suspended = false;
	reset_prog_mode();
	screen_repaint(screen);
}
