/* SPDX-License-Identifier: MIT */
#include "base/sys.h"
#include "messages.h"
#include "ui/drive.h"
#include "ui/script.h"

#include <unistd.h>

static char dir[] = "/tmp/script.XXXXXX";
static char error[512];

static char *path_of(const char *name)
{
	static char path[2][128];
	static int turn;

	turn = !turn;
	snprintf(path[turn], sizeof(path[turn]), "%s/%s", dir, name);
	return path[turn];
}

static struct script *load(const char *text)
{
	FILE *file = fopen(path_of("keys"), "w");

	fputs(text, file);
	fclose(file);
	error[0] = '\0';
	return script_load(path_of("keys"), error, sizeof(error));
}

static char *dumped(const char *name)
{
	static char *text;
	size_t len;

	free(text);
	text = sys_slurp(path_of(name), 1 << 20, &len);
	return text ? text : "";
}

static enum script_state play(struct script *script, struct drive *drive)
{
	drive->flags = UI_IDLE;
	return script_play(script, drive->ui, &drive->canvas, &drive->flags, error, sizeof(error));
}

static void test_playing(void)
{
	struct ui_options options = { 0 };
	struct script *script = load("# a filter, and what it shows\n"
				     "resize 60 12\n"
				     "key /\n"
				     "type irq\n"
				     "key Enter\n"
				     "dump\n"
				     "wait 2\n"
				     "key Esc Down ^L\n"
				     "\n"
				     "dump\n"
				     "key q\n"
				     "key Down\n");
	struct drive drive;

	ok(script, "a script is read: %s", error);
	script_dump_to(script, path_of("screen"));
	drive_open(&drive, &options, 80, 24);
	drive_take(&drive, fixture_snapshot());
	is_int(play(script, &drive), SCRIPT_WAITS, "it plays to the first wait");
	ok(strstr(dumped("screen"), "filter: irq") && drive.canvas.columns == 60,
	   "what was typed is on the screen, at the new size");
	is_int(play(script, &drive), SCRIPT_WAITS, "wait 2 waits for one more");
	ok(!strstr(dumped("screen"), "(none)"), "and nothing is played");
	is_int(play(script, &drive), SCRIPT_DONE, "then it goes on and ends with q");
	ok(drive.flags & UI_QUIT && drive.flags & UI_REPAINT, "the keys' flags are returned");
	ok(strstr(dumped("screen"), "filter: irq") && strstr(dumped("screen"), "filter: (none)"),
	   "the second dump follows the first");
	drive_close(&drive);
	script_free(script);
}

static void test_mouse(void)
{
	struct ui_options options = { 0 };
	struct script *script = load("click 5 7\nclick 5 7\nwheel down 1 1\nwheel up 1 1\n");
	struct drive drive;

	ok(script, "a script with a mouse is read: %s", error);
	drive_open(&drive, &options, 80, 24);
	drive_take(&drive, fixture_snapshot());
	is_int(play(script, &drive), SCRIPT_DONE, "and played");
	ok(drive_shows(&drive, "Events › irq:softirq_entry"), "columns and lines are from 1");
	drive_close(&drive);
	script_free(script);
}

static void test_dumps(void)
{
	struct ui_options options = { 0 };
	struct drive drive;
	char text[512];

	snprintf(text, sizeof(text), "dump %s\ndump /nonexistent/x\n", path_of("other"));
	struct script *script = load(text);
	drive_open(&drive, &options, 80, 24);
	is_int(play(script, &drive), SCRIPT_FAILED, "a dump that cannot be written");
	is_str(error, "/nonexistent/x: No such file or directory", "is reported");
	ok(strstr(dumped("other"), "perftop-ng"), "a dump into a file of its own");
	drive_close(&drive);
	script_free(script);
	script_free(NULL);
}

static void test_last_screen(void)
{
	struct ui_options options = { 0 };
	struct script *script = load("key /\ntype irq\nkey Enter\n");
	struct drive drive;

	script_dump_to(script, path_of("last"));
	drive_open(&drive, &options, 80, 24);
	drive_take(&drive, fixture_snapshot());
	is_int(play(script, &drive), SCRIPT_DONE, "a script without a dump");
	ok(strstr(dumped("last"), "filter: irq"),
	   "its last screen is dumped where it is asked for");
	drive_close(&drive);
	script_free(script);
}

/* The first colour after `what`. */
static const char *colour_after(const char *text, const char *what)
{
	const char *at = strstr(text, what);
	const char *fill = at ? strstr(at, "fill=") : NULL;

	return fill ? fill : "";
}

static void test_pictures(void)
{
	struct ui_options options = { 0 };
	struct drive drive;
	struct theme theme;
	char text[512];

	snprintf(text, sizeof(text), "dump %s\nkey t\ndump %s\n", path_of("a.svg"),
		 path_of("b.svg"));
	struct script *script = load(text);
	drive_open(&drive, &options, 80, 24);
	drive_take(&drive, fixture_snapshot());
	theme_mono(&theme);
	script_theme(script, &theme);
	is_int(play(script, &drive), SCRIPT_ASKS, "a key changes the theme: the caller is to");
	ok(strncmp(dumped("a.svg"), "<svg ", 5) == 0, "a .svg is a picture");
	theme.terminal.background = COLOUR_RGB | 0xfefefe;
	is_int(play(script, &drive), SCRIPT_DONE, "and it goes on at once");
	ok(strncmp(colour_after(dumped("b.svg"), "<title>"), "fill=\"#fefefe", 13) == 0,
	   "in that theme");
	script_free(script);

	script = load("dump\ndump\n");
	script_theme(script, &theme);
	script_dump_to(script, path_of("a.svg"));
	is_int(play(script, &drive), SCRIPT_DONE, "twice into one picture");
	const char *image = dumped("a.svg");
	ok(image[0] && !strstr(image + 1, "<svg"), "is the last one, whole");
	drive_close(&drive);
	script_free(script);
}

static void test_errors(void)
{
	static const char *const cases[] = {
		"press q\n",	 "\n\nkey Qq\n",  "key\n",	 "wait\n",
		"wait 0\n",	 "wait -1\n",	  "resize 80\n", "resize 80 24 1\n",
		"click 0 1\n",	 "click 1\n",	  "wheel 1 1\n", "wheel up 1 1001\n",
		"resize 0 24\n", "type a\x01z\n", "type \xff\n",
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ok(!load(cases[i]), "refused");
		is_message(error, "script: %s", cases[i]);
	}
	ok(!script_load(path_of("none"), error, sizeof(error)), "a file that is not there");
	struct script *empty = load("");
	ok(empty, "an empty script is one");
	script_free(empty);
}

int main(void)
{
	plan_lazy();
	if (!mkdtemp(dir))
		bail("no temporary directory");
	test_playing();
	test_mouse();
	test_dumps();
	test_last_screen();
	test_pictures();
	test_errors();
	unlink(path_of("keys"));
	unlink(path_of("screen"));
	unlink(path_of("other"));
	unlink(path_of("a.svg"));
	unlink(path_of("b.svg"));
	rmdir(dir);
	return done();
}
