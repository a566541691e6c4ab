/* SPDX-License-Identifier: MIT */
/* The text of a configuration file: what its lines set, and the text with other values. */
#include "run/settings.h"

#include "cli/options.h"
#include "messages.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

static struct settings settings;
static char error[1024];

static bool parse(const char *text)
{
	settings_fini(&settings);
	settings_init(&settings);
	error[0] = '\0';
	return settings_parse(&settings, "file", text, strlen(text), error, sizeof(error));
}

static void check_lines(void)
{
	ok(parse(""), "an empty text is right");
	ok(settings.theme[0] == '\0' && settings.view[0] == '\0' && settings.delay_s == 0 &&
		   !settings.no_mouse && settings.sorts.count == 0 && settings.toggles.count == 0,
	   "and says nothing");
	ok(parse("# theme = nosuch\n"
		 "\n"
		 "  theme=mono\r\n"
		 "view =tasks\n"
		 "\tdelay = 2.5 \n"
		 "mouse = off\n"
		 "sort tasks = -pid\n"
		 "sort cpus=none\n"
		 "set tasks = rates processes\n"
		 "set symbols=none\n"
		 "columns tasks = pid on-cpu\n"
		 "key x = quit\n"
		 "key == help\n"
		 "key # = save\n"
		 "key pgup = page-down"),
	   "one of each is right (%s)", error);
	is_str(settings.theme, "mono", "theme");
	is_str(settings.view, "tasks", "view");
	ok(settings.delay_s == 2.5, "delay");
	ok(settings.no_mouse, "mouse");
	is_u64(settings.sorts.count, 2, "sorts");
	is_str(settings.sorts.list[0].view, "tasks", "of a view");
	is_str(settings.sorts.list[0].value, "-pid", "by a column");
	is_str(settings.sorts.list[1].value, "none", "or by none");
	is_u64(settings.toggles.count, 2, "toggles");
	is_str(settings.toggles.list[0].view, "tasks", "of a view");
	is_str(settings.toggles.list[0].value, "rates processes", "what is on");
	is_u64(settings.columns.count, 1, "columns");
	is_str(settings.columns.list[0].value, "pid on-cpu", "those of a view");
	is_int(keys_action(&settings.keys, 'x'), ACTION_QUIT, "a key");
	is_int(keys_action(&settings.keys, '='), ACTION_HELP, "the key =");
	is_int(keys_action(&settings.keys, '#'), ACTION_SAVE, "the key #");
	is_int(keys_action(&settings.keys, KEYS_PAGE_UP), ACTION_PAGE_DOWN, "a key with a name");
}

static void check_repeated(void)
{
	ok(parse("view = tasks\nmouse = off\nsort tasks = pid\nkey f = quit\n"
		 "view = cpus\nmouse = on\nsort tasks = none\nkey f = none\n"),
	   "what is said twice is right");
	is_str(settings.view, "cpus", "the last view counts");
	ok(!settings.no_mouse, "the last of the mouse");
	ok(settings.sorts.count == 1 && strcmp(settings.sorts.list[0].value, "none") == 0,
	   "the last sort of a view");
	is_int(keys_action(&settings.keys, 'f'), ACTION_NONE, "the last of a key");
}

#define ALL_16 "all,all,all,all,all,all,all,all,all,all,all,all,all,all,all,all,"

static void check_mistakes(void)
{
	static const char *const texts[] = {
		"theem = dark",
		"theme",
		"theme = ",
		"theme = nosuch",
		"theme a = dark",
		"= dark",
		"view = evnets",
		"sort = -rate",
		"sort tasks = colour",
		"sort evnets = rate",
		"delay = 2 s",
		"delay = 0",
		"delay = 1e99",
		"delay = nan",
		"mouse = yes",
		"key = quit",
		"key x",
		"key x quit",
		"key xx = quit",
		"key x = qiut",
		"key x = something",
		"key ^C = none",
		"key x = view",
		"key x = q = quit",
		"view = \033[2Jx",
		"set = rates",
		"set tasks = rates, colours",
		"set cpus = rates",
		"set symbols = hide-kernel hide-user",
		"set stream = all",
		"set evnets = all",
		"columns = pid",
		"columns tasks = pid task",
		"columns tasks = pid, pid",
		"columns cpus = pid",
		"columns evnets = none",
		"set events = " ALL_16 ALL_16 ALL_16 ALL_16,
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		ok(!parse(texts[i]), "%s: is wrong", texts[i]);
		is_message(error, "configuration: %s", texts[i]);
	}
	ok(!parse("view = tasks\nthmee = dark\nviwe = cpus\nmouse = off\n"), "one line of several");
	ok(strncmp(error, "file:2: ", strlen("file:2: ")) == 0, "the first is named (%s)", error);
	ok(strcmp(settings.view, "tasks") == 0 && settings.no_mouse, "the others count");
}

static void check_limits(void)
{
	static char text[3000];

	memset(text, 'x', sizeof(text) - 1);
	ok(!parse(text), "a very long line is wrong");
	is_message(error, "configuration: a long line");
	memset(text, ' ', sizeof(text) - 1);
	ok(parse(text), "but one of blanks is empty");
	settings_init(&settings);
	ok(!settings_parse(&settings, "file", "view\0 = x\nmouse = off\n", 22, error,
			   sizeof(error)),
	   "a NUL is wrong");
	ok(settings.no_mouse, "the line after it counts");
	for (size_t len = 0; len < 200; len++) {
		memset(text, "=# \tkey\0x\n^"[len % 11], len);
		settings_parse(&settings, "file", text, len, error, sizeof(error));
	}
}

/* --- the text with other values --------------------------------------------------------------- */

static void becomes(const struct settings *now, const char *before, const char *want,
		    const char *what)
{
	struct strbuf out;

	strbuf_init(&out);
	settings_update(now, before, strlen(before), &out);
	is_str(out.text, want, "%s", what);
	strbuf_fini(&out);
}

static void check_update(void)
{
	struct settings now;

	settings_init(&now);
	strcpy(now.view, "tasks");
	now.delay_s = 0.5;
	settings_add_choice(&now.sorts, &(struct ui_choice){ "tasks", "-pid", false });
	settings_add_choice(&now.sorts, &(struct ui_choice){ "cpus", "none", true });
	settings_add_choice(&now.toggles,
			    &(struct ui_choice){ "tasks", "processes, rates", false });
	settings_add_choice(&now.toggles, &(struct ui_choice){ "events", "none", true });
	settings_add_choice(&now.columns, &(struct ui_choice){ "tasks", "pid, on-cpu", false });
	settings_add_choice(&now.columns, &(struct ui_choice){ "cpus", "default", true });
	becomes(&now, "",
		"view = tasks\ndelay = 0.5\nmouse = on\nsort tasks = -pid\n"
		"set tasks = processes, rates\ncolumns tasks = pid, on-cpu\n",
		"without a text: all that has a value, no default sort, no theme of the terminal's");
	strcpy(now.theme, "dark");
	now.no_mouse = true;
	becomes(&now,
		"# mine\n\n  view=cpus\nsort cpus = -none\nkey x = quit\nnonsense\ntheme = light\n"
		"set events=all\nset tasks = none\ncolumns cpus = none\n# end",
		"# mine\n\nview = tasks\nsort cpus = none\nkey x = quit\nnonsense\ntheme = dark\n"
		"set events = none\nset tasks = processes, rates\n"
		"columns cpus = default\n# end\ndelay = 0.5\nmouse = off\nsort tasks = -pid\n"
		"columns tasks = pid, on-cpu\n",
		"lines are changed where they are, the others stay, new ones come last");
	becomes(&now, "view = a\nview = b\ndelay = 1\nmouse = on\nsort tasks = x\ntheme = y",
		"view = tasks\nview = tasks\ndelay = 0.5\nmouse = off\nsort tasks = -pid\n"
		"theme = dark\nset tasks = processes, rates\ncolumns tasks = pid, on-cpu\n",
		"one that is there twice");
	settings_fini(&now);
}

static void check_both_ways(void)
{
	struct settings now;
	struct strbuf out;

	settings_init(&now);
	strcpy(now.view, "stream");
	strcpy(now.theme, "mono");
	now.delay_s = DELAY_LEAST_S;
	now.no_mouse = true;
	settings_add_choice(&now.sorts, &(struct ui_choice){ "events", "-none", false });
	strbuf_init(&out);
	settings_update(&now, "", 0, &out);
	ok(parse(out.text), "what is written is right (%s)", error);
	ok(strcmp(settings.view, now.view) == 0 && strcmp(settings.theme, now.theme) == 0 &&
		   settings.delay_s == now.delay_s && settings.no_mouse &&
		   settings.sorts.count == 1 && strcmp(settings.sorts.list[0].value, "-none") == 0,
	   "and says the same");
	strbuf_fini(&out);
	settings_fini(&now);
}

int main(void)
{
	plan_lazy();
	check_lines();
	check_repeated();
	check_mistakes();
	check_limits();
	check_update();
	check_both_ways();
	settings_fini(&settings);
	return done();
}
