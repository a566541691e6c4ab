/* SPDX-License-Identifier: MIT */
#include "ui/theme.h"

#include "messages.h"
#include "tap.h"
#include "ui/palette.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct theme theme;
static char error[256];

static int parse(const char *text)
{
	error[0] = '\0';
	return theme_parse("t", text, &theme, error, sizeof(error));
}

static void test_good(void)
{
	const struct look *looks = theme.looks[THEME_256];

	is_int(parse("# all of it\n\n  bad = red/#102030 bold underline\n"
		     "dim = 244\nhead=bright-blue\nselected = /24 reverse\r\nkey = dim\n"),
	       0, "a theme is read");
	is_int(looks[ROLE_BAD].text, 1, "a named colour");
	is_int(looks[ROLE_BAD].background, COLOUR_RGB | 0x102030, "an exact one");
	ok(looks[ROLE_BAD].is_bold && looks[ROLE_BAD].is_underlined && !looks[ROLE_BAD].is_reversed,
	   "attributes, and no others than those named");
	is_int(looks[ROLE_DIM].text, 244, "a number");
	is_int(looks[ROLE_HEAD].text, 12, "a bright one");
	ok(looks[ROLE_SELECTED].text == COLOUR_DEFAULT && looks[ROLE_SELECTED].background == 24,
	   "a background alone");
	ok(looks[ROLE_KEY].is_dim && looks[ROLE_KEY].text == COLOUR_DEFAULT, "dim as an attribute");
	ok(looks[ROLE_WARN].is_underlined, "what is not named looks as in mono");
	is_str(theme.name, "t", "it has its name");
	is_int(parse(""), 0, "an empty theme is mono");
}

static void test_terminal(void)
{
	is_int(parse(""), 0, "without a terminal");
	ok(theme.terminal.text != COLOUR_DEFAULT && theme.terminal.background != COLOUR_DEFAULT,
	   "it has colours, too");
	is_int(parse("terminal = #102030/white\n"), 0, "a terminal's colours");
	is_int(theme.terminal.text, COLOUR_RGB | 0x102030, "are those of a picture: text");
	is_int(theme.terminal.background, 7, "and background");
}

static void test_depths(void)
{
	is_int(parse("head@8 = red\nhead = 110\nbad@16 = bright-red\nbad = 203\ndim = 244\n"), 0,
	       "looks for few colours");
	is_int(theme.looks[THEME_256][ROLE_HEAD].text, 110, "256 colours have their own");
	is_int(theme.looks[THEME_16][ROLE_HEAD].text, 1, "16 take those of 8");
	is_int(theme.looks[THEME_8][ROLE_HEAD].text, 1, "8 theirs, wherever it stands");
	is_int(theme.looks[THEME_16][ROLE_BAD].text, 9, "16 take their own first");
	is_int(theme.looks[THEME_8][ROLE_BAD].text, 203, "8 do not take those of 16");
	is_int(theme.looks[THEME_8][ROLE_DIM].text, 244, "without one all have the same");
	ok(theme.looks[THEME_8][ROLE_KEY].is_bold, "or mono's");
	is_int(theme_depth(1 << 24), THEME_256, "true colour has at least 256");
	is_int(theme_depth(88), THEME_16, "88 have at least 16");
}

static void test_greys(void)
{
	static const int32_t greys[] = { 244, 232, 255, 240, COLOUR_RGB | 0x808080 };

	for (size_t i = 0; i < sizeof(greys) / sizeof(greys[0]); i++) {
		int of8 = palette_colour(greys[i], 8), of16 = palette_colour(greys[i], 16);

		ok(of8 == 0 || of8 == 7, "a grey of 8 colours is a grey: %d", of8);
		ok(of16 == 0 || of16 == 7 || of16 == 8 || of16 == 15, "of 16 too: %d", of16);
	}
	is_int(palette_colour(203, 8), 1, "a colour is a colour");
}

static void test_bad(void)
{
	static const char *const cases[] = {
		"\nbda = red\n",
		"bad red\n",
		"bad = rde\n",
		"bad = 256\n",
		"bad = #12345\n",
		"bad = red blue\n",
		"x\x1b[2J = red\n",
		"dim@7 = red\n",
		"terminal = red\n",
		"terminal = red/blue bold\n",
		"terminal = default/1\n",
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		theme.name[0] = '\0';
		is_int(parse(cases[i]), -1, "refused");
		is_message(error, "theme: %s", cases[i]);
		is_str(theme.name, "", "the theme stays as it was");
	}
	char *longest = calloc(1, 5000);
	memset(longest, 'x', 4999);
	is_int(parse(longest), -1, "a very long line is refused");
	free(longest);
	is_int(parse("bad = 99999999999999999999\n"), -1, "a huge number too");
	is_int(parse("bad =\nhead = /\n"), -1, "and a slash with nothing");
}

static char dir[] = "/tmp/theme.XXXXXX";

static void write_theme(const char *name, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s.theme", dir, name);
	FILE *file = fopen(path, "w");
	fputs(text, file);
	fclose(file);
}

static void test_files(void)
{
	const char *const dirs[] = { "/nonexistent", dir, NULL };
	char next[32], path[128];

	write_theme("blue", "text = blue\n");
	write_theme("wrong", "text = 1 2\n");
	snprintf(path, sizeof(path), "%s/pipe.theme", dir);
	mkfifo(path, 0600);
	is_int(theme_load("blue", dirs, &theme, error, sizeof(error)), 0, "found and read");
	is_int(theme.looks[THEME_256][ROLE_TEXT].text, 4, "it is that one");
	is_str(theme.name, "blue", "its name is not its path");
	is_int(theme_load("mono", NULL, &theme, error, sizeof(error)), 0, "mono needs no file");
	is_int(theme_load("wrong", dirs, &theme, error, sizeof(error)), -1, "a broken file");
	ok(strstr(error, "wrong.theme:1: '2'"), "says where: %s", error);
	is_int(theme_load("pipe", dirs, &theme, error, sizeof(error)), -1,
	       "a FIFO does not block us");
	is_message(error, "theme: a FIFO");
	is_int(theme_load("bleu", dirs, &theme, error, sizeof(error)), -1, "an unknown name");
	is_str(error, "no theme 'bleu'; there are: blue, mono, pipe, wrong",
	       "lists those there are");
	is_int(theme_load("../etc/passwd", dirs, &theme, error, sizeof(error)), -1, "no path");
	theme_next("blue", dirs, next, sizeof(next));
	is_str(next, "mono", "the next one");
	theme_next("wrong", dirs, next, sizeof(next));
	is_str(next, "blue", "wraps around");
	theme_next("gone", NULL, next, sizeof(next));
	is_str(next, "mono", "mono is always there");
	unlink(path);
}

/* The program's own, as installed. */
static void test_shipped(void)
{
	const char *const dirs[] = { "themes", NULL };
	const char *const names[] = {
		"dark", "light", "colour-blind", "colour-blind-light", "high-contrast", "mono",
	};
	struct theme mono;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		is_int(theme_load(names[i], dirs, &theme, error, sizeof(error)), 0, "%s: %s",
		       names[i], error);
		for (int depth = 0; depth < THEME_DEPTHS; depth++) {
			const struct look *bad = &theme.looks[depth][ROLE_BAD];

			ok(bad->is_reversed || bad->is_underlined,
			   "%s: loss is not shown by colour alone", names[i]);
		}
		for (int depth = THEME_16; depth < THEME_DEPTHS; depth++) {
			const struct look *dim = &theme.looks[depth][ROLE_DIM];

			ok(dim->is_dim ? dim->text == COLOUR_DEFAULT : dim->text == 7,
			   "%s: dim is no colour where there are few", names[i]);
		}
	}
	theme_mono(&mono);
	ok(memcmp(mono.looks, theme.looks, sizeof(mono.looks)) == 0,
	   "mono.theme is the mono that is built in");
}

static void remove_themes(void)
{
	const char *const names[] = { "blue", "wrong" };
	char path[128];

	for (size_t i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/%s.theme", dir, names[i]);
		unlink(path);
	}
	rmdir(dir);
}

int main(void)
{
	plan_lazy();
	test_good();
	test_terminal();
	test_depths();
	test_greys();
	test_bad();
	if (!mkdtemp(dir))
		bail("no temporary directory");
	test_files();
	test_shipped();
	remove_themes();
	return done();
}
