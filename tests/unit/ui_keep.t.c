/* SPDX-License-Identifier: MIT */
/* What a saved snapshot keeps of the screen: reopened, it looks as it did. */
#include "ui/drive.h"

#define COLUMNS 120
#define LINES	30

/* The time on a CPU of two tasks, which only their rows have. */
#define OF_LOAD	 "≥73.0%"
#define OF_NGINX "≥11.0%"

/* Keys that lead to a screen, and keys after them whose effect is not kept. */
static const struct look {
	const char *what, *keys, *not_kept;
} looks[] = {
	{ "a view", "3", NULL },
	{ "its sort, in reverse", "3 > > R", NULL },
	{ "its toggles", "3 H r", NULL },
	{ "its filter", "3 / \"nginx\" Enter", NULL },
	{ "no columns", "3 C Space Down Space Esc", NULL },
	{ "the symbols of another event", "5 Right", NULL },
	{ "hidden symbols", "5 U", NULL },
	{ "an event", "Down Down Enter", NULL },
	{ "an event's detail, sorted and filtered", "Down Enter > R / \"n\" Enter", NULL },
	{ "a task of it, and an event of that", "Down Enter Down Enter Enter", NULL },
	{ "a process", "3 H Enter", NULL },
	{ "short-lived tasks", "3 / \"true\" Enter Enter", NULL },
	{ "the rest of the tasks", "3 End Up Up Enter", NULL },
	{ "a symbol's callers", "5 Down Down Enter", NULL },
	{ "a detail below help", "Down Enter Enter", "?" },
	{ "the views that are not shown", "3 H / \"load\" Enter 5 K 1 > R", NULL },
};

#define LOOKS (sizeof(looks) / sizeof(looks[0]))

static struct drive d;

static void begin(const struct ui_options *options)
{
	drive_open(&d, options, COLUMNS, LINES);
	drive_take(&d, fixture_snapshot());
}

/* What P keeps of it, for the caller to free. */
static char *save(void)
{
	drive_keys(&d, "P");
	char *screen = d.saved_screen ? strdup(d.saved_screen) : strdup("");
	drive_close(&d);
	return screen;
}

static void check_look(const struct look *look)
{
	struct ui_options options = { 0 };

	begin(&options);
	char *plain = strdup(drive_screen(&d));
	drive_keys(&d, look->keys);
	char *before = strdup(drive_screen(&d));
	if (look->not_kept)
		drive_keys(&d, look->not_kept);
	char *screen = save();

	options.screen = screen;
	begin(&options);
	ok(strcmp(plain, before) != 0, "there is %s", look->what);
	if (!is_str(drive_screen(&d), before, "%s", look->what))
		diag("%s", screen);
	char *again = save();
	is_str(again, screen, "%s: saved again", look->what);
	free(plain);
	free(before);
	free(screen);
	free(again);
}

/* The views that were not shown are as they were, too. */
static void check_hidden(void)
{
	struct ui_options options = { 0 };

	begin(&options);
	drive_keys(&d, "3 / \"load\" Enter Enter 5 K 1");
	char *screen = save();
	options.screen = screen;
	begin(&options);
	drive_keys(&d, "3");
	ok(drive_shows(&d, OF_LOAD) && !drive_shows(&d, OF_NGINX), "filtered");
	drive_keys(&d, "5");
	ok(!drive_shows(&d, "ext4_file_read_iter"), "without the kernel's symbols");
	drive_close(&d);
	free(screen);
}

/* What an option says holds: symbols that are to be hidden are, and those alone. */
static void check_options(void)
{
	struct ui_options options = { .no_user = true };

	options.screen = "view = symbols\nset symbols = kernel\n";
	begin(&options);
	ok(drive_shows(&d, "ext4_file_read_iter"), "the kernel's symbols are shown with -U");
	drive_close(&d);
}

/* Once: what is chosen afterwards stays. */
static void check_once(void)
{
	struct ui_options options = { .screen = "view = tasks\n" };

	begin(&options);
	ok(drive_shows(&d, "TASK"), "the tasks");
	drive_keys(&d, "1");
	drive_take(&d, fixture_snapshot());
	ok(drive_shows(&d, "EVENT"), "another view stays after the next snapshot");
	drive_close(&d);
}

/* No line of a damaged text keeps the others from working. */
static void check_damage(void)
{
	static const char *const wrong[] = {
		"",
		"view",
		"view = ",
		"view = none",
		" = ",
		"sort = rate",
		"sort tasks = none of them",
		"sort over = rate",
		"set tasks = nothing, such",
		"columns tasks = -",
		"filter tasks = rate > >",
		"filter none = x",
		"symbols = none",
		"event = ",
		"event = x",
		"event = 1",
		"event = -7\tnone",
		"event = 99999999999999999999\tnone",
		"callers = 1\t2\t3",
		"callers = 1\ta\tb\tc",
		"task = 1\t2\t3\t4\t5",
		"task = -1\t-1\t-1\t0\t0\t",
		"task = 0\t0\t0\t1\t1\t\xff\xfe",
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct ui_options options = { 0 };
		struct strbuf text;

		strbuf_init(&text);
		strbuf_printf(&text, "%s\nfilter tasks = nginx\nview = tasks\n", wrong[i]);
		options.screen = text.text;
		begin(&options);
		ok(drive_shows(&d, "TASK") && drive_shows(&d, OF_NGINX) &&
			   !drive_shows(&d, OF_LOAD),
		   "after a line \"%s\" the next ones apply", wrong[i]);
		drive_close(&d);
		strbuf_fini(&text);
	}
}

/* A way that is too deep ends where no more views have room. */
static void check_deep(void)
{
	struct ui_options options = { 0 };
	struct strbuf text;

	strbuf_init(&text);
	for (int i = 0; i < 1000; i++)
		strbuf_puts(&text, "event = 0\traw_syscalls:sys_enter\n");
	options.screen = text.text;
	begin(&options);
	int views = 0;
	for (; drive_shows(&d, " › ") && views < 1000; views++)
		drive_keys(&d, "Esc");
	ok(views > 1 && views < 100, "1,000 views over each other: %d", views);
	drive_close(&d);
	strbuf_fini(&text);
}

int main(void)
{
	plan_lazy();
	for (size_t i = 0; i < LOOKS; i++)
		check_look(&looks[i]);
	check_hidden();
	check_options();
	check_once();
	check_damage();
	check_deep();
	return done();
}
