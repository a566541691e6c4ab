/* SPDX-License-Identifier: MIT */
/*
 * ptykeys [-k KEYS] [-s SEED] [-x BYTES] COMMAND [ARG...]: runs a screen program on a new terminal and
 * sends it KEYS random keys (default 1000): text, control and function keys, mouse reports, pasted
 * text, cut and unknown sequences, invalid UTF-8; every 50th time the terminal's size changes.  Then
 * Esc until nothing is open, and q.  A SEED, which is not 0, repeats a run.  It prints a line each:
 *
 *	keys N            how many were sent until the program ended
 *	status N          its exit status, or 128 + the signal that ended it; -1: it did not end
 *	terminal WORD     "as before", or what was left otherwise
 *
 * It never sends what quits or suspends (q, ^C, ^Z, ^\, F10, a click on the last two lines), nor a
 * byte of BYTES.
 */
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <utmp.h>

enum { HEIGHTS = 4 };
enum { QUIT_MSEC = 30000, ESC_MSEC = 60, STALL_MSEC = 20000, FRAME_MSEC = 5, START_MSEC = 20000 };

struct session {
	int tty, slave; /* the terminal's side, and the program's */
	pid_t pid;
	int status; /* of waitpid() once it ended */
	bool is_ended;
	struct termios before;
	struct winsize size;
	/* The last heights: the program may not have seen the newest yet, and the key line's place decides
	 * whether a click quits. */
	unsigned short heights[HEIGHTS];
	const char *never;  /* bytes that are not sent */
	char sent[8];	    /* the newest bytes of the keys sent */
	char last[1 << 16]; /* the newest bytes that it printed */
	size_t last_len;
};

static uint64_t state;

/* xorshift64: the same on every machine. */
static unsigned int pick(unsigned int below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned int)(state >> 16) % below;
}

static long long now_ms(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return at.tv_sec * 1000LL + at.tv_nsec / 1000000;
}

/* --- the terminal's side ----------------------------------------------------------------------- */

static void keep(struct session *session, const char *bytes, size_t len)
{
	size_t most = sizeof(session->last) / 2;

	if (len > most) {
		bytes += len - most;
		len = most;
	}
	if (session->last_len + len > sizeof(session->last)) {
		memmove(session->last, session->last + session->last_len - most, most);
		session->last_len = most;
	}
	memcpy(session->last + session->last_len, bytes, len);
	session->last_len += len;
}

/* Read what comes within `msec`, and see whether the program has ended. */
static void take_output(struct session *session, int msec)
{
	struct pollfd wait = { .fd = session->tty, .events = POLLIN };
	char bytes[16384];

	if (poll(&wait, 1, msec) > 0) {
		ssize_t got = read(session->tty, bytes, sizeof(bytes));

		if (got > 0)
			keep(session, bytes, (size_t)got);
	}
	if (!session->is_ended)
		session->is_ended = waitpid(session->pid, &session->status, WNOHANG) ==
				    session->pid;
}

/* Send it all, while the output is read; false: the program ended, or reads no keys any more. */
static bool send_bytes(struct session *session, const char *bytes, size_t len)
{
	long long end = now_ms() + STALL_MSEC;

	while (len > 0 && !session->is_ended && now_ms() < end) {
		ssize_t put = write(session->tty, bytes, len);

		if (put > 0) {
			bytes += put;
			len -= (size_t)put;
		}
		take_output(session, put > 0 ? 0 : 1);
	}
	return len == 0 && !session->is_ended;
}

static void resize(struct session *session)
{
	bool is_small = pick(2) == 0;

	session->size.ws_col = (unsigned short)(1 + pick(is_small ? 100 : 400));
	session->size.ws_row = (unsigned short)(1 + pick(is_small ? 30 : 200));
	memmove(session->heights + 1, session->heights,
		sizeof(session->heights) - sizeof(session->heights[0]));
	session->heights[0] = session->size.ws_row;
	ioctl(session->tty, TIOCSWINSZ, &session->size);
}

/* --- keys -------------------------------------------------------------------------------------- */

static size_t sequence(char *to, size_t room)
{
	/* Cursor and editing keys as xterm and the console send them, F1 to F9, Shift Tab; the last ones
	 * are cut, unknown, or out of range. */
	static const char *const sequences[] = {
		"\033[A",
		"\033[B",
		"\033[C",
		"\033[D",
		"\033OA",
		"\033OB",
		"\033[5~",
		"\033[6~",
		"\033[H",
		"\033[F",
		"\033[1~",
		"\033[4~",
		"\033[3~",
		"\033[2~",
		"\033[Z",
		"\033OP",
		"\033OQ",
		"\033OR",
		"\033OS",
		"\033[15~",
		"\033[17~",
		"\033[18~",
		"\033[19~",
		"\033[20~",
		"\033[1;5A",
		"\033[I",
		"\033[O",
		"\033",
		"\033[",
		"\033O",
		"\033[<",
		"\033[99999999999~",
		"\033[?1;2c",
		"\033]0;title\007",
		"\033P0\033\\",
		"\033[M   ",
		"\033[200~pasted text\n/rate > 1\033[201~",
	};

	return (size_t)snprintf(to, room, "%s",
				sequences[pick(sizeof(sequences) / sizeof(*sequences))]);
}

static size_t mouse(const struct session *session, char *to, size_t room)
{
	static const unsigned int buttons[] = { 0, 0, 1, 2, 32, 64, 65, 66, 128, 4294967295U };
	unsigned int least = session->heights[0];

	for (size_t i = 1; i < HEIGHTS; i++)
		if (session->heights[i] < least)
			least = session->heights[i];
	if (least <= 2)
		return 0;
	return (size_t)snprintf(to, room, "\033[<%u;%u;%u%c",
				buttons[pick(sizeof(buttons) / sizeof(*buttons))],
				pick(session->size.ws_col + 2U), 1 + pick(least - 2),
				pick(2) ? 'M' : 'm');
}

static size_t text(char *to, size_t room)
{
	static const char *const texts[] = {
		"rate > 1k\r",
		"comm ~ ^s\r",
		"!idle\r",
		"50%\r",
		"-5s\r",
		"12:00\r",
		"1\r",
		"0\r",
		"root\r",
		"\xe4\xb8\xad",
		"\xcc\x81",
		"\xe2\x80\xae",
		"\xf4\x8f\xbf\xbf",
		"\xff",
		"\xc3",
		"\xed\xa0\x80",
		"((((((((((",
		"~[",
		"\"",
		"\\",
		"999999999999999999999",
		"\t",
		"\r",
		"\x7f",
		"\x08",
		"\x15",
	};

	return (size_t)snprintf(to, room, "%s", texts[pick(sizeof(texts) / sizeof(*texts))]);
}

/* One key's bytes, none that quits. */
static size_t some_key(const struct session *session, char *to, size_t room)
{
	switch (pick(8)) {
	case 0:
		return sequence(to, room);
	case 1:
		return mouse(session, to, room);
	case 2:
		return text(to, room);
	case 3:
		to[0] = (char)pick(256);
		return 1;
	default:
		to[0] = (char)(' ' + pick(95));
		return 1;
	}
}

/* Whether keys sent and these together are F10: Esc, O and x may come one after the other. */
static bool is_f10(const struct session *session, const char *bytes, size_t len)
{
	char all[sizeof(session->sent) + 64];
	size_t room = sizeof(all) - sizeof(session->sent), count = len < room ? len : room;

	memcpy(all, session->sent, sizeof(session->sent));
	memcpy(all + sizeof(session->sent), bytes, count);
	count += sizeof(session->sent);
	return memmem(all, count, "\033Ox", 3) != NULL || memmem(all, count, "\033[21~", 5) != NULL;
}

static bool is_allowed(const struct session *session, const char *bytes, size_t len)
{
	if (is_f10(session, bytes, len))
		return false;
	for (size_t i = 0; i < len; i++)
		if (memchr("q\003\032\034", bytes[i], 5) != NULL ||
		    strchr(session->never, bytes[i]) != NULL)
			return false;
	return true;
}

static void remember_sent(struct session *session, const char *bytes, size_t len)
{
	size_t most = sizeof(session->sent), count = len < most ? len : most;

	memmove(session->sent, session->sent + count, most - count);
	memcpy(session->sent + most - count, bytes + len - count, count);
}

static unsigned long send_keys(struct session *session, unsigned long keys)
{
	unsigned long sent = 0;
	char bytes[64];

	while (sent < keys) {
		size_t len = some_key(session, bytes, sizeof(bytes));

		if (len == 0 || !is_allowed(session, bytes, len)) {
			if (pick(50) == 0)
				resize(session);
			continue;
		}
		if (!send_bytes(session, bytes, len))
			break;
		remember_sent(session, bytes, len);
		sent++;
		if (pick(50) == 0)
			resize(session);
		if (pick(8) == 0)
			take_output(session, FRAME_MSEC);
	}
	return sent;
}

/* --- the end ----------------------------------------------------------------------------------- */

static void quit(struct session *session)
{
	long long end = now_ms() + QUIT_MSEC;

	session->size = (struct winsize){ .ws_col = 80, .ws_row = 24 };
	ioctl(session->tty, TIOCSWINSZ, &session->size);
	send_bytes(session, "\033[201~", 6); /* a paste that was begun */
	for (int i = 0; !session->is_ended && now_ms() < end; i++) {
		if (!send_bytes(session, i % 8 < 7 ? "\033" : "q", 1))
			break;
		for (int waited = 0; waited < ESC_MSEC / 10; waited++)
			take_output(session, 10);
	}
	take_output(session, 10);
}

/* Whether of `on` and `off` the newest that was sent is `off`, or neither. */
static bool is_off(const struct session *session, const char *on, const char *off)
{
	const char *at = session->last, *end = session->last + session->last_len;
	bool is_on = false;

	for (; at < end; at++) {
		size_t left = (size_t)(end - at);

		if (left >= strlen(on) && memcmp(at, on, strlen(on)) == 0)
			is_on = true;
		else if (left >= strlen(off) && memcmp(at, off, strlen(off)) == 0)
			is_on = false;
	}
	return !is_on;
}

static const char *left_terminal(const struct session *session)
{
	struct termios after;

	if (tcgetattr(session->slave, &after) != 0)
		return "gone";
	if (after.c_iflag != session->before.c_iflag || after.c_oflag != session->before.c_oflag ||
	    after.c_cflag != session->before.c_cflag || after.c_lflag != session->before.c_lflag)
		return "in another mode";
	if (!is_off(session, "\033[?1049h", "\033[?1049l"))
		return "with the alternate screen";
	if (!is_off(session, "\033[?25l", "\033[?25h"))
		return "without its cursor";
	if (!is_off(session, "\033[?1006h", "\033[?1006l"))
		return "with mouse reports";
	return "as before";
}

static int exit_status(const struct session *session)
{
	if (!session->is_ended)
		return -1;
	return WIFSIGNALED(session->status) ? 128 + WTERMSIG(session->status) :
					      WEXITSTATUS(session->status);
}

static void start(struct session *session, char **command)
{
	session->size = (struct winsize){ .ws_row = 24, .ws_col = 80 };
	for (size_t i = 0; i < HEIGHTS; i++)
		session->heights[i] = session->size.ws_row;
	if (openpty(&session->tty, &session->slave, NULL, NULL, &session->size) != 0)
		exit(1);
	tcgetattr(session->slave, &session->before);
	fcntl(session->tty, F_SETFL, O_NONBLOCK);
	session->pid = fork();
	if (session->pid < 0)
		exit(1);
	if (session->pid == 0) {
		close(session->tty);
		login_tty(session->slave);
		execvp(command[0], command);
		_exit(127);
	}
}

/* Wait until it shows figures: what is typed before it has the terminal is lost, and P saves nothing yet. */
static bool has_screen(struct session *session)
{
	static const char figures[] = "ev/s"; /* in the head line, once there is a snapshot */
	long long end = now_ms() + START_MSEC;

	while (memmem(session->last, session->last_len, figures, strlen(figures)) == NULL) {
		if (session->is_ended || now_ms() >= end)
			return false;
		take_output(session, 10);
	}
	return true;
}

int main(int argc, char **argv)
{
	struct session session = { .never = "" };
	unsigned long keys = 1000;
	int option;

	state = 20261128;
	while ((option = getopt(argc, argv, "+k:s:x:")) != -1) {
		if (option == 'k')
			keys = strtoul(optarg, NULL, 10);
		else if (option == 's')
			state = strtoull(optarg, NULL, 10);
		else if (option == 'x')
			session.never = optarg;
		else
			return 129;
	}
	if (optind == argc || state == 0)
		return 129;

	start(&session, argv + optind);
	printf("keys %lu\n", has_screen(&session) ? send_keys(&session, keys) : 0);
	quit(&session);
	printf("status %d\nterminal %s\n", exit_status(&session), left_terminal(&session));
	if (!session.is_ended)
		kill(session.pid, SIGKILL);
	return 0;
}
