/* SPDX-License-Identifier: MIT */
/* Keys that the user has bound: what they do, and what the screen says of them. */
#include "ui/keys.h"

#include "ui/drive.h"

static struct keymap map;

static const char *keys(enum action action)
{
	static char list[64];

	return keys_list(&map, action, list, sizeof(list));
}

static void bind(int32_t key, enum action action)
{
	const char *why = keymap_bind(&map, key, action);

	if (why)
		ok(false, "key %d for %s: %s", (int)key, action_info(action)->name, why);
}

static void check_binding(void)
{
	map = *keymap_default();
	bind('x', ACTION_QUIT);
	is_str(keys(ACTION_QUIT), "x q ^C F10", "a new key comes first");
	is_int(keys_action(&map, 'x'), ACTION_QUIT, "and does it");
	bind('q', ACTION_HELP);
	is_str(keys(ACTION_QUIT), "x ^C F10", "a key is taken from what it did");
	is_int(keys_action(&map, 'q'), ACTION_HELP, "and does the other");
	bind(KEYS_F10, ACTION_QUIT);
	is_str(keys(ACTION_QUIT), "F10 x ^C", "one that it has comes first");
	bind('f', ACTION_NONE);
	is_int(keys_action(&map, 'f'), ACTION_NONE, "a key can do nothing");
	is_int(keys_first(&map, ACTION_TOGGLE), KEYS_NONE, "its action has no other");
	is_str(keys(ACTION_TOGGLE), "", "none is listed");
	is_int(keys_action(NULL, 'f'), ACTION_TOGGLE, "the table is as it was");
}

static void check_refusals(void)
{
	map = *keymap_default();
	ok(keymap_bind(&map, KEY_CTRL('C'), ACTION_NONE) != NULL, "^C always quits");
	is_int(keys_action(&map, KEY_CTRL('C')), ACTION_QUIT, "and still does");
	ok(keymap_bind(&map, 'x', ACTION_VIEW) != NULL, "a letter is the number of no view");
	bind('1', ACTION_SAVE);
	is_str(keys(ACTION_VIEW), "2-9", "but a digit can do something else");
	for (int32_t key = 0x410; key < 0x410 + KEYS_MOST - 1; key++)
		bind(key, ACTION_ZERO);
	ok(keymap_bind(&map, 0x430, ACTION_ZERO) != NULL, "ten keys, no more");
	is_int(keys_action(&map, 0x430), ACTION_NONE, "the eleventh does nothing");
	bind(0x410, ACTION_ZERO);
	is_int(keys_first(&map, ACTION_ZERO), 0x410, "one of the ten can become the first");
}

static void check_screen(void)
{
	map = *keymap_default();
	bind('x', ACTION_QUIT);
	bind('H', ACTION_HELP);
	bind('?', ACTION_NONE);
	bind('/', ACTION_NONE);
	bind(KEYS_F4, ACTION_NONE);
	bind('o', ACTION_ALL);
	bind('G', ACTION_FILTER);
	bind(KEYS_ESC, ACTION_NONE);
	struct ui_options options = { .keys = &map };
	static struct drive d;

	drive_open(&d, &options, 100, 24);
	drive_take(&d, fixture_snapshot());
	ok(drive_shows(&d, "x quit"), "the key line has the bound key");
	ok(drive_shows(&d, "H help"), "and another");
	ok(drive_shows(&d, "G filter") && !drive_shows(&d, "/ filter"), "but no / for the filter");
	drive_keys(&d, "G \"no-such-row\"");
	ok(drive_shows(&d, "no row matches") && !drive_shows(&d, "Esc drops"),
	   "Esc is not named where it does not go back");
	drive_keys(&d, "Esc ~");
	ok(drive_shows(&d, "H shows the keys"), "a message names the key of help");
	drive_keys(&d, "/");
	ok(drive_shows(&d, "/ does nothing"), "a key that is off does nothing");
	canvas_reset(&d.canvas, 100, 80);
	drive_keys(&d, "H");
	ok(drive_shows(&d, "H h F1"), "help lists the keys as they are bound");
	drive_keys(&d, "x");
	ok(d.flags & UI_QUIT, "the bound key quits");
	drive_close(&d);
}

int main(void)
{
	plan_lazy();
	check_binding();
	check_refusals();
	check_screen();
	return done();
}
