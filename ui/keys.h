/* SPDX-License-Identifier: MIT */
/*
 * keys - from keys to actions, which the user can change, and from keys to names and back.
 */
#ifndef UI_KEYS_H
#define UI_KEYS_H

#include <stddef.h>
#include <stdint.h>

#include "ui/action.h"

#define KEY_NAME_MAX 16

/* Which keys each action has: those of the table, or as the user bound them. */
struct keymap {
	int32_t keys[ACTION_COUNT][KEYS_MOST + 1]; /* each ends with KEYS_NONE */
};

/* Those of the table; static.  The functions below take NULL for it. */
const struct keymap *keymap_default(void);

/*
 * Let a key do this, first of the action's keys, and nothing else; with ACTION_NONE, nothing at all.
 * NULL; or why not, and nothing changes.
 */
const char *keymap_bind(struct keymap *map, int32_t key, enum action action);

/* What a key does, or ACTION_NONE. */
enum action keys_action(const struct keymap *map, int32_t key);

/* The first key of an action, which is the one shown; KEYS_NONE: it has none. */
int32_t keys_first(const struct keymap *map, enum action action);

/* "q", "^C", "F4", "PgUp", "Space": how a key is shown.  Returns `out`. */
char *keys_name(int32_t key, char out[KEY_NAME_MAX]);

/* The same of the first key of an action; "" when it has none.  Returns `out`. */
char *keys_first_name(const struct keymap *map, enum action action, char out[KEY_NAME_MAX]);

/* The key of this name, or KEYS_NONE; the case of names longer than one character is ignored. */
int32_t keys_parse(const char *name);

/* All keys of an action as text: "q ^C F10", "1-9".  Returns `out`. */
char *keys_list(const struct keymap *map, enum action action, char *out, size_t room);

#endif
