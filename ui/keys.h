/* SPDX-License-Identifier: MIT */
/*
 * keys - from keys to actions, and from keys to names and back.
 */
#ifndef UI_KEYS_H
#define UI_KEYS_H

#include <stddef.h>
#include <stdint.h>

#include "ui/action.h"

#define KEY_NAME_MAX 16

/* What a key does, or ACTION_NONE. */
enum action keys_action(int32_t key);

/* "q", "^C", "F4", "PgUp", "Space": how a key is shown.  Returns `out`. */
char *keys_name(int32_t key, char out[KEY_NAME_MAX]);

/* The key of this name, or KEYS_NONE; the case of names longer than one character is ignored. */
int32_t keys_parse(const char *name);

/* All keys of an action as text: "q ^C F10", "1-9".  Returns `out`. */
char *keys_list(enum action action, char *out, size_t room);

#endif
