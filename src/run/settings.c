/* SPDX-License-Identifier: MIT */
#include "run/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "base/text.h"
#include "base/textfile.h"
#include "base/xalloc.h"
#include "cli/options.h"
#include "run/themes.h"

#define LINE_MAX_BYTES 512
#define HEAD_MAX       (2 * UI_NAME_MAX)
#define REASON_MAX     700
#define BLANKS	       " \t\r"

void settings_init(struct settings *settings)
{
	*settings = (struct settings){ .keys = *keymap_default() };
}

void settings_fini(struct settings *settings)
{
	free(settings->sorts.list);
	free(settings->toggles.list);
	free(settings->columns.list);
	*settings = (struct settings){ 0 };
}

void settings_add_choice(struct ui_choices *choices, const struct ui_choice *choice)
{
	size_t at = 0;

	while (at < choices->count && strcmp(choices->list[at].view, choice->view) != 0)
		at++;
	if (at == choices->count) {
		choices->list = xreallocarray(choices->list, at + 1, sizeof(*choices->list));
		choices->count++;
	}
	choices->list[at] = *choice;
}

/* --- one line ------------------------------------------------------------------------------- */

/* "sort tasks = -rate" */
struct line {
	char name[UI_NAME_MAX], argument[UI_NAME_MAX], value[LINE_MAX_BYTES];
};

/* Take `len` bytes and the blanks after them: false when they do not fit. */
static bool take(const char **at, size_t len, char *out, size_t room)
{
	if (len >= room)
		return false;
	memcpy(out, *at, len);
	out[len] = '\0';
	*at += len;
	*at += strspn(*at, BLANKS);
	return true;
}

/* At least one byte, whatever it is: a key may be "=". */
static size_t argument_length(const char *text)
{
	return *text != '\0' ? 1 + strcspn(text + 1, BLANKS "=") : 0;
}

/* Of a line without blanks around it; false when it is not NAME [ARGUMENT] = VALUE. */
static bool split(const char *text, struct line *line)
{
	*line = (struct line){ "", "", "" };
	if (!take(&text, strcspn(text, BLANKS "="), line->name, sizeof(line->name)))
		return false;
	if ((*text != '=' || strcmp(line->name, "key") == 0) &&
	    !take(&text, argument_length(text), line->argument, sizeof(line->argument)))
		return false;
	if (*text != '=')
		return false;
	text += 1 + strspn(text + 1, BLANKS);
	return *text != '\0' && take(&text, strlen(text), line->value, sizeof(line->value));
}

static bool is_comment(const char *line)
{
	return line[0] == '\0' || line[0] == '#';
}

/* --- values --------------------------------------------------------------------------------- */

/* Each sets what the line says: false and the reason. */
typedef bool set_setting(struct settings *settings, const struct line *line, char *error,
			 size_t room);

static bool set_theme(struct settings *settings, const struct line *line, char *error, size_t room)
{
	struct themes themes;

	if (themes_open(&themes, line->value, error, room) != 0)
		return false;
	snprintf(settings->theme, sizeof(settings->theme), "%s", themes.theme.name);
	return true;
}

static bool set_view(struct settings *settings, const struct line *line, char *error, size_t room)
{
	if (!ui_has_view(line->value, error, room))
		return false;
	snprintf(settings->view, sizeof(settings->view), "%.*s", UI_NAME_MAX - 1, line->value);
	return true;
}

static void add_choice(struct ui_choices *choices, const struct line *line)
{
	struct ui_choice choice = { .is_default = false };

	snprintf(choice.view, sizeof(choice.view), "%s", line->argument);
	snprintf(choice.value, sizeof(choice.value), "%.*s", UI_CHOICE_MAX - 1, line->value);
	settings_add_choice(choices, &choice);
}

static bool set_sort(struct settings *settings, const struct line *line, char *error, size_t room)
{
	if (!ui_has_view(line->argument, error, room) ||
	    !ui_has_column(line->argument, line->value, error, room))
		return false;
	add_choice(&settings->sorts, line);
	return true;
}

/* Its names are right, but there may be too many blanks, or names that are there twice. */
static bool add_list(struct ui_choices *choices, const struct line *line, char *error, size_t room)
{
	if (strlen(line->value) >= UI_CHOICE_MAX) {
		snprintf(error, room, "the list has more than %d characters", UI_CHOICE_MAX - 1);
		return false;
	}
	add_choice(choices, line);
	return true;
}

static bool set_toggles(struct settings *settings, const struct line *line, char *error,
			size_t room)
{
	return ui_has_toggles(line->argument, line->value, error, room) &&
	       add_list(&settings->toggles, line, error, room);
}

static bool set_columns(struct settings *settings, const struct line *line, char *error,
			size_t room)
{
	return ui_has_columns(line->argument, line->value, error, room) &&
	       add_list(&settings->columns, line, error, room);
}

static bool set_delay(struct settings *settings, const struct line *line, char *error, size_t room)
{
	char *end;
	double seconds = strtod(line->value, &end);

	if (*end != '\0' || !(seconds >= DELAY_LEAST_S && seconds <= DELAY_MOST_S)) {
		snprintf(error, room, "the delay is in seconds, from %g to %g", DELAY_LEAST_S,
			 DELAY_MOST_S);
		return false;
	}
	settings->delay_s = seconds;
	return true;
}

static bool set_mouse(struct settings *settings, const struct line *line, char *error, size_t room)
{
	bool is_on = strcmp(line->value, "on") == 0;

	if (!is_on && strcmp(line->value, "off") != 0) {
		snprintf(error, room, "the mouse is on or off");
		return false;
	}
	settings->no_mouse = !is_on;
	return true;
}

/* The nearest; or, where none is near, all. */
static void say_no_action(const char *name, char *error, size_t room)
{
	struct suggest suggest;
	struct strbuf text;

	strbuf_init(&text);
	strbuf_puts(&text, "no action '");
	text_add_safe(&text, name);
	suggest_init(&suggest, name);
	for (int action = ACTION_NONE + 1; action < ACTION_COUNT; action++)
		suggest_offer(&suggest, action_info((enum action)action)->name);
	if (suggest_best(&suggest) != NULL) {
		strbuf_printf(&text, "'; nearest: %s", suggest_best(&suggest));
	} else {
		strbuf_puts(&text, "'; there are: none");
		for (int action = ACTION_NONE + 1; action < ACTION_COUNT; action++)
			strbuf_printf(&text, ", %s", action_info((enum action)action)->name);
	}
	snprintf(error, room, "%s", text.text);
	strbuf_fini(&text);
}

static bool set_key(struct settings *settings, const struct line *line, char *error, size_t room)
{
	int32_t key = keys_parse(line->argument);
	enum action action = action_find(line->value);
	char safe[4 * UI_NAME_MAX];

	if (key == KEYS_NONE) {
		text_safe(safe, sizeof(safe), line->argument, strlen(line->argument));
		snprintf(error, room, "no key '%s': a character, ^X, F1, Space, Enter, PgUp ...",
			 safe);
		return false;
	}
	if (action == ACTION_NONE && strcmp(line->value, "none") != 0) {
		say_no_action(line->value, error, room);
		return false;
	}
	const char *why = keymap_bind(&settings->keys, key, action);
	snprintf(error, room, "%s", why != NULL ? why : "");
	return why == NULL;
}

static const struct setting {
	const char *name;
	const char *form;
	bool has_argument;
	set_setting *set;
} table[] = {
	{ "theme", "theme = NAME", false, set_theme },
	{ "view", "view = NAME", false, set_view },
	{ "sort", "sort VIEW = COLUMN", true, set_sort },
	{ "set", "set VIEW = TOGGLE, ...", true, set_toggles },
	{ "columns", "columns VIEW = COLUMN, ...", true, set_columns },
	{ "delay", "delay = SECONDS", false, set_delay },
	{ "mouse", "mouse = on|off", false, set_mouse },
	{ "key", "key KEY = ACTION", true, set_key },
};

#define SETTINGS (sizeof(table) / sizeof(table[0]))

/* --- reading -------------------------------------------------------------------------------- */

static const struct setting *find(const char *name)
{
	for (size_t i = 0; i < SETTINGS; i++) {
		if (strcmp(table[i].name, name) == 0)
			return &table[i];
	}
	return NULL;
}

static void say_no_setting(const char *name, char *error, size_t room)
{
	char safe[4 * UI_NAME_MAX];
	size_t len;

	text_safe(safe, sizeof(safe), name, strlen(name));
	len = (size_t)snprintf(error, room, "no setting '%s'; there are:", safe);
	for (size_t i = 0; i < SETTINGS && len < room; i++)
		len += (size_t)snprintf(error + len, room - len, "%s %s", i > 0 ? "," : "",
					table[i].name);
}

/* Whether the line is right: else with the reason. */
static bool parse_line(struct settings *settings, const char *text, char *error, size_t room)
{
	struct line line;
	bool is_whole = split(text, &line);
	const struct setting *setting = find(line.name);

	if (setting == NULL) {
		say_no_setting(line.name, error, room);
		return false;
	}
	if (!is_whole || setting->has_argument != (line.argument[0] != '\0')) {
		snprintf(error, room, "not of the form: %s", setting->form);
		return false;
	}
	return setting->set(settings, &line, error, room);
}

bool settings_parse(struct settings *settings, const char *name, const char *text, size_t len,
		    char *error, size_t room)
{
	bool is_right = true;

	for (unsigned int number = 1; len > 0; number++) {
		char line[LINE_MAX_BYTES], reason[REASON_MAX] = "the line is too long";
		bool is_line_right =
			textfile_line(&text, &len, line, sizeof(line)) &&
			(is_comment(line) || parse_line(settings, line, reason, sizeof(reason)));

		if (!is_line_right && is_right)
			snprintf(error, room, "%s:%u: %s", name, number, reason);
		is_right &= is_line_right;
	}
	return is_right;
}

/* --- writing -------------------------------------------------------------------------------- */

/* A setting as it is now. */
struct value {
	char head[HEAD_MAX]; /* "sort tasks" */
	char text[UI_CHOICE_MAX];
	bool is_written;
};

struct values {
	struct value *list; /* [count] */
	size_t count;
};

static void add_value(struct values *values, bool is_wanted, const char *head, const char *text)
{
	values->list = xreallocarray(values->list, values->count + 1, sizeof(*values->list));
	struct value *value = &values->list[values->count++];

	*value = (struct value){ .is_written = !is_wanted };
	snprintf(value->head, sizeof(value->head), "%s", head);
	snprintf(value->text, sizeof(value->text), "%s", text);
}

/* "sort tasks = -pid"; what is as at first only where there is a line of it. */
static void add_choices(struct values *values, const char *name, const struct ui_choices *choices)
{
	char head[HEAD_MAX];

	for (size_t i = 0; i < choices->count; i++) {
		const struct ui_choice *choice = &choices->list[i];

		snprintf(head, sizeof(head), "%s %s", name, choice->view);
		add_value(values, !choice->is_default, head, choice->value);
	}
}

static struct values values_of(const struct settings *now)
{
	struct values values = { 0 };
	char delay[UI_NAME_MAX];

	if (now->theme[0] != '\0')
		add_value(&values, true, "theme", now->theme);
	add_value(&values, true, "view", now->view);
	snprintf(delay, sizeof(delay), "%g", now->delay_s);
	add_value(&values, true, "delay", delay);
	add_value(&values, true, "mouse", now->no_mouse ? "off" : "on");
	add_choices(&values, "sort", &now->sorts);
	add_choices(&values, "set", &now->toggles);
	add_choices(&values, "columns", &now->columns);
	return values;
}

/* The value that the line is to have; NULL: the line stays as it is. */
static struct value *value_of_line(const struct values *values, const char *text)
{
	struct line line;
	char head[HEAD_MAX];

	if (is_comment(text) || !split(text, &line))
		return NULL;
	snprintf(head, sizeof(head), "%s%s%s", line.name, line.argument[0] != '\0' ? " " : "",
		 line.argument);
	for (size_t i = 0; i < values->count; i++) {
		if (strcmp(values->list[i].head, head) == 0)
			return &values->list[i];
	}
	return NULL;
}

void settings_update(const struct settings *now, const char *text, size_t len, struct strbuf *out)
{
	struct values values = values_of(now);

	while (len > 0) {
		const char *from = text;
		char line[LINE_MAX_BYTES];
		bool is_text = textfile_line(&text, &len, line, sizeof(line));
		struct value *value = is_text ? value_of_line(&values, line) : NULL;

		if (value == NULL) {
			strbuf_add(out, from, (size_t)(text - from));
			continue;
		}
		value->is_written = true;
		strbuf_printf(out, "%s = %s\n", value->head, value->text);
	}
	if (out->len > 0 && out->text[out->len - 1] != '\n')
		strbuf_putc(out, '\n');
	for (size_t i = 0; i < values.count; i++) {
		if (!values.list[i].is_written)
			strbuf_printf(out, "%s = %s\n", values.list[i].head, values.list[i].text);
	}
	free(values.list);
}
