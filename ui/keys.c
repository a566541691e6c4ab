/* SPDX-License-Identifier: MIT */
#include "ui/keys.h"

#include "base/text.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct action_info infos[ACTION_COUNT] = {
	[ACTION_NONE] = { .name = "", .group = "", .label = "", .help = "" },
#define ACTION_INFO(id, text, in_group, on_keys, short_text, long_text) \
	[ACTION_##id] = { .name = text, .group = in_group, .label = short_text, .help = long_text },
	ACTIONS(ACTION_INFO)
#undef ACTION_INFO
};

static const struct keymap default_keys = {
	.keys = {
#define ACTION_KEYS(id, text, in_group, on_keys, ...) [ACTION_##id] = on_keys,
		ACTIONS(ACTION_KEYS)
#undef ACTION_KEYS
	},
};

/* Names as perf's and top's manuals write them; ^X is generated. */
static const struct {
	int32_t key;
	const char *name;
} names[] = {
	{ KEYS_TAB, "Tab" },
	{ KEYS_ENTER, "Enter" },
	{ KEYS_ESC, "Esc" },
	{ ' ', "Space" },
	{ KEYS_BACKSPACE, "Backspace" },
	{ KEYS_UP, "Up" },
	{ KEYS_DOWN, "Down" },
	{ KEYS_LEFT, "Left" },
	{ KEYS_RIGHT, "Right" },
	{ KEYS_PAGE_UP, "PgUp" },
	{ KEYS_PAGE_DOWN, "PgDn" },
	{ KEYS_HOME, "Home" },
	{ KEYS_END, "End" },
	{ KEYS_DELETE, "Del" },
	{ KEYS_BACKTAB, "S-Tab" },
	{ KEYS_S_LEFT, "S-Left" },
	{ KEYS_S_RIGHT, "S-Right" },
	{ KEYS_S_PAGE_UP, "S-PgUp" },
	{ KEYS_S_PAGE_DOWN, "S-PgDn" },
	{ KEYS_S_HOME, "S-Home" },
	{ KEYS_S_END, "S-End" },
	{ KEYS_F1, "F1" },
	{ KEYS_F2, "F2" },
	{ KEYS_F3, "F3" },
	{ KEYS_F4, "F4" },
	{ KEYS_F5, "F5" },
	{ KEYS_F6, "F6" },
	{ KEYS_F7, "F7" },
	{ KEYS_F8, "F8" },
	{ KEYS_F9, "F9" },
	{ KEYS_F10, "F10" },
};

#define NAME_COUNT (sizeof(names) / sizeof(names[0]))

const struct action_info *action_info(enum action action)
{
	return &infos[action < ACTION_COUNT ? action : ACTION_NONE];
}

enum action action_find(const char *name)
{
	for (int action = ACTION_NONE + 1; action < ACTION_COUNT; action++)
		if (strcmp(infos[action].name, name) == 0)
			return (enum action)action;
	return ACTION_NONE;
}

/* --- which key does what ---------------------------------------------------------------------- */

const struct keymap *keymap_default(void)
{
	return &default_keys;
}

static bool has_key(const int32_t *keys, int32_t key)
{
	while (*keys != key && *keys != KEYS_NONE)
		keys++;
	return *keys == key;
}

static enum action find_action(const struct keymap *map, int32_t key)
{
	for (int action = ACTION_NONE + 1; action < ACTION_COUNT && key != KEYS_NONE; action++)
		if (has_key(map->keys[action], key))
			return (enum action)action;
	return ACTION_NONE;
}

static size_t count_keys(const int32_t *keys)
{
	size_t count = 0;

	while (keys[count] != KEYS_NONE)
		count++;
	return count;
}

static void remove_key(int32_t *keys, int32_t key)
{
	int32_t *to = keys;

	for (const int32_t *from = keys; *from != KEYS_NONE; from++)
		if (*from != key)
			*to++ = *from;
	*to = KEYS_NONE;
}

static const char *cannot_bind(const struct keymap *map, int32_t key, enum action action)
{
	if (key == KEY_CTRL('C'))
		return "^C always quits";
	if (action == ACTION_VIEW)
		return "only a digit shows the view of its number";
	if (find_action(map, key) == action)
		return NULL;
	return count_keys(map->keys[action]) == KEYS_MOST ? "it has ten keys, no more fit" : NULL;
}

const char *keymap_bind(struct keymap *map, int32_t key, enum action action)
{
	const char *why = cannot_bind(map, key, action);

	if (why)
		return why;
	for (int other = ACTION_NONE + 1; other < ACTION_COUNT; other++)
		remove_key(map->keys[other], key);
	if (action == ACTION_NONE)
		return NULL;
	int32_t *keys = map->keys[action];
	memmove(keys + 1, keys, KEYS_MOST * sizeof(*keys));
	keys[0] = key;
	return NULL;
}

static const struct keymap *or_default(const struct keymap *map)
{
	return map ? map : &default_keys;
}

enum action keys_action(const struct keymap *map, int32_t key)
{
	return find_action(or_default(map), key);
}

int32_t keys_first(const struct keymap *map, enum action action)
{
	return or_default(map)->keys[action][0];
}

/* --- names ------------------------------------------------------------------------------------ */

static void encode(int32_t code, char out[KEY_NAME_MAX])
{
	if (code < 0x80)
		snprintf(out, KEY_NAME_MAX, "%c", (char)code);
	else if (code < 0x800)
		snprintf(out, KEY_NAME_MAX, "%c%c", 0xc0 | code >> 6, 0x80 | (code & 0x3f));
	else if (code < 0x10000)
		snprintf(out, KEY_NAME_MAX, "%c%c%c", 0xe0 | code >> 12, 0x80 | (code >> 6 & 0x3f),
			 0x80 | (code & 0x3f));
	else
		snprintf(out, KEY_NAME_MAX, "%c%c%c%c", 0xf0 | code >> 18,
			 0x80 | (code >> 12 & 0x3f), 0x80 | (code >> 6 & 0x3f),
			 0x80 | (code & 0x3f));
}

char *keys_name(int32_t key, char out[KEY_NAME_MAX])
{
	for (size_t i = 0; i < NAME_COUNT; i++) {
		if (names[i].key == key) {
			snprintf(out, KEY_NAME_MAX, "%s", names[i].name);
			return out;
		}
	}
	if (key > 0 && key < ' ')
		snprintf(out, KEY_NAME_MAX, "^%c", (char)(key | 0x40));
	else if (key > ' ' && key < KEYS_UP)
		encode(key, out);
	else
		snprintf(out, KEY_NAME_MAX, "?");
	return out;
}

char *keys_first_name(const struct keymap *map, enum action action, char out[KEY_NAME_MAX])
{
	int32_t key = keys_first(map, action);

	out[0] = '\0';
	return key != KEYS_NONE ? keys_name(key, out) : out;
}

int32_t keys_parse(const char *name)
{
	size_t len = strlen(name);
	int32_t code;

	if (len == 0)
		return KEYS_NONE;
	if (text_decode(name, len, &code) == len && code > ' ')
		return code;
	if (len == 2 && name[0] == '^' && (name[1] & 0x1f))
		return KEY_CTRL(name[1]);
	for (size_t i = 0; i < NAME_COUNT; i++)
		if (strcasecmp(names[i].name, name) == 0)
			return names[i].key;
	return KEYS_NONE;
}

/* Length of the run of consecutive keys from here on: 1 2 3 is shown as 1-3. */
static size_t run_length(const int32_t *keys)
{
	size_t length = 1;

	while (keys[length] == keys[0] + (int32_t)length && keys[length] != KEYS_NONE)
		length++;
	return length >= 3 ? length : 1;
}

char *keys_list(const struct keymap *map, enum action action, char *out, size_t room)
{
	const int32_t *key = or_default(map)->keys[action];
	size_t len = 0;

	out[0] = '\0';
	while (*key != KEYS_NONE && len < room) {
		char first[KEY_NAME_MAX], last[KEY_NAME_MAX];
		size_t run = run_length(key);
		const char *gap = len ? " " : "";

		keys_name(key[0], first);
		keys_name(key[run - 1], last);
		len += (size_t)snprintf(out + len, room - len, run > 1 ? "%s%s-%s" : "%s%s", gap,
					first, last);
		key += run;
	}
	return out;
}
