/* SPDX-License-Identifier: MIT */
/*
 * What the terminal is asked: its background colour (OSC 11, from xterm's control sequences).  A
 * terminal that does not know the question says nothing, so the question that all answer follows
 * it: which terminal it is (DA1).  Its answer ends the waiting.
 */
#include "ui/screen-inside.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "ui/key.h"

#define QUESTIONS "\033]11;?\007\033[c"
#define AWAIT_MS  100

/* Kinds that understand the syntax of an OSC.  The Linux console, which is dark, is not asked. */
static bool may_be_asked(const char *term)
{
	static const char *const kinds[] = {
		"xterm", "tmux",  "screen", "rxvt",   "foot",	 "alacritty", "kitty",	 "konsole",
		"vte",	 "gnome", "st-",    "mlterm", "wezterm", "contour",   "ghostty",
	};

	for (size_t i = 0; term && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strncmp(term, kinds[i], strlen(kinds[i])) == 0)
			return true;
	return false;
}

void screen_ask(struct screen_input *input)
{
	if (!may_be_asked(getenv("TERM")))
		return;
	fputs(QUESTIONS, stdout);
	fflush(stdout);
	input->is_asked = true;
}

/* One to four hexadecimal digits, of which all set are the brightest: 0 to 1, or -1. */
static double brightness(const char **text)
{
	size_t len = strspn(*text, "0123456789abcdefABCDEF");
	double most = (double)((1L << 4 * len) - 1);

	if (len < 1 || len > 4)
		return -1;
	double value = (double)strtol(*text, NULL, 16) / most;
	*text += len + ((*text)[len] == '/');
	return value;
}

int32_t screen_answer_key(const char *answer)
{
	const char *colours = strchr(answer, ':');

	if (!colours++)
		return KEYS_NONE;
	double red = brightness(&colours), green = brightness(&colours),
	       blue = brightness(&colours);
	if (red < 0 || green < 0 || blue < 0)
		return KEYS_NONE;
	/* The weights of ITU-R BT.601. */
	return 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 ? KEYS_LIGHT : KEYS_DARK;
}

bool screen_is_answer(const char *begun, wint_t next)
{
	static const char head[] = "]11;rgb";
	size_t len = strlen(begun);

	if (begun[len - 1] == KEYS_ESC)
		return false;
	if (len < sizeof(head) - 1)
		return next == (wint_t)head[len];
	if (next == KEYS_ESC) /* with a backslash it is the end */
		return true;
	return next < 0x80 && next && strchr("a:/0123456789bcdefABCDEF", (int)next);
}

static int ms_since(const struct timespec *begin)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int)((now.tv_sec - begin->tv_sec) * 1000 +
		     (now.tv_nsec - begin->tv_nsec) / 1000000);
}

void screen_await_answers(struct screen_input *input)
{
	struct pollfd tty = { .fd = STDIN_FILENO, .events = POLLIN };
	struct timespec begin;
	int32_t key;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	while (input->is_asked) {
		int left = AWAIT_MS - ms_since(&begin);

		if (left <= 0 || poll(&tty, 1, left) <= 0 || !(tty.revents & POLLIN))
			break;
		bool has_key = screen_read_key(input, &key);
		while (screen_read_key(input, &key))
			;
		if (!has_key && input->len == 0)
			break; /* hung up */
	}
	input->is_asked = false;
}
