/* SPDX-License-Identifier: MIT */
#include "ui/toggles.h"

#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/text.h"

#define SEPARATORS ", \t"

/* Toggle number `at` of the view, from 0; ACTION_NONE: there are no more. */
static enum action toggle_at(const struct view *view, size_t at)
{
	size_t count = 0;

	while (view->ops->toggles != NULL && view->ops->toggles[count] != ACTION_NONE) {
		if (count++ == at)
			return view->ops->toggles[at];
	}
	return at == count && view->table.ops->is_quiet != NULL ? ACTION_ALL : ACTION_NONE;
}

static bool has(const struct view *view, enum action toggle)
{
	enum action own;

	for (size_t at = 0; (own = toggle_at(view, at)) != ACTION_NONE; at++) {
		if (own == toggle)
			return true;
	}
	return false;
}

static bool is_on(const struct view *view, enum action toggle)
{
	return toggle == ACTION_ALL ? view->table.shows_quiet : view->ops->is_on(view, toggle);
}

/* The view's toggle of this name, or ACTION_NONE. */
static enum action find(const struct view *view, const char *name, size_t len)
{
	enum action toggle;

	for (size_t at = 0; (toggle = toggle_at(view, at)) != ACTION_NONE; at++) {
		const char *known = action_info(toggle)->name;

		if (strlen(known) == len && strncmp(known, name, len) == 0)
			return toggle;
	}
	return ACTION_NONE;
}

/* "cannot set 'x' in tasks; there are: none, processes, rates" */
static void say_none(const struct view *view, const char *name, size_t len, char *error,
		     size_t room)
{
	char safe[64];
	struct strbuf text;
	enum action toggle;

	text_safe(safe, sizeof(safe), name, len);
	strbuf_init(&text);
	strbuf_printf(&text, "cannot set '%s' in %s; there are: none", safe, view->ops->name);
	for (size_t at = 0; (toggle = toggle_at(view, at)) != ACTION_NONE; at++)
		strbuf_printf(&text, ", %s", action_info(toggle)->name);
	snprintf(error, room, "%s", text.text);
	strbuf_fini(&text);
}

/* Which are named: false and the error when one of them is not the view's. */
static bool parse(const struct view *view, const char *list, bool wanted[ACTION_COUNT], char *error,
		  size_t room)
{
	if (strcmp(list, "none") == 0)
		return true;
	while (*(list += strspn(list, SEPARATORS)) != '\0') {
		size_t len = strcspn(list, SEPARATORS);
		enum action toggle = find(view, list, len);

		if (toggle == ACTION_NONE) {
			say_none(view, list, len, error, room);
			return false;
		}
		wanted[toggle] = true;
		list += len;
	}
	return true;
}

bool toggles_set(struct view *view, const char *list, char *error, size_t room)
{
	bool wanted[ACTION_COUNT] = { false };
	enum action toggle;

	if (!parse(view, list, wanted, error, room))
		return false;
	for (size_t at = 0; (toggle = toggle_at(view, at)) != ACTION_NONE; at++) {
		if (is_on(view, toggle) != wanted[toggle])
			view_action(view, toggle);
	}
	for (size_t at = 0; (toggle = toggle_at(view, at)) != ACTION_NONE; at++) {
		if (is_on(view, toggle) == wanted[toggle])
			continue;
		snprintf(error, room, "cannot set %s together with the others in %s",
			 action_info(toggle)->name, view->ops->name);
		return false;
	}
	return true;
}

void toggles_switch(struct view *view, enum action toggle, bool wanted)
{
	if (has(view, toggle) && is_on(view, toggle) != wanted)
		view_action(view, toggle);
}

void toggles_follow(struct view *view, const struct view *other, enum action toggle)
{
	if (has(other, toggle))
		toggles_switch(view, toggle, is_on(other, toggle));
}

void toggles_text(const struct view *view, char *text, size_t room)
{
	size_t len = 0;
	enum action toggle;

	text[0] = '\0';
	for (size_t at = 0; (toggle = toggle_at(view, at)) != ACTION_NONE; at++) {
		if (is_on(view, toggle) && len < room)
			len += (size_t)snprintf(text + len, room - len, "%s%s", len > 0 ? ", " : "",
						action_info(toggle)->name);
	}
	if (text[0] == '\0')
		snprintf(text, room, "none");
}
