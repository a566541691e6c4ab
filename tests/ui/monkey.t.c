/* SPDX-License-Identifier: MIT */
/*
 * A monkey test: keys, snapshots and sizes at random.  It must never
 * crash (SAN=address,undefined), and never leave without a key that quits.
 * MONKEY_SEED and MONKEY_KEYS repeat and lengthen a run.
 */
#include "ui/drive.h"
#include "ui/made-machine.h"

static uint64_t state;

/* xorshift64: the same on every machine. */
static uint32_t pick(uint32_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 16) % below;
}

static unsigned long from_environment(const char *name, unsigned long otherwise)
{
	const char *text = getenv(name);

	return text && text[0] ? strtoul(text, NULL, 10) : otherwise;
}

static struct snapshot *made_snapshot(void)
{
	switch (pick(6)) {
	case 0:
		return fixture_snapshot_many(pick(40), pick(20));
	case 1:
		return fixture_snapshot_many(pick(3), pick(200));
	case 2:
		return snapshot_new(0);
	default:
		return fixture_snapshot();
	}
}

static struct snapshot *some_snapshot(void)
{
	struct snapshot *snap = made_snapshot();

	if (pick(2))
		fixture_add_stream(snap);
	return snap;
}

static int32_t some_key(void)
{
	static const int32_t text[] = { '~', '!', '[', '*', 's', 0x4e2d, 0x301, 0x202e, 0x10ffff };

	switch (pick(5)) {
	case 4:
		return key_of_mouse((enum mouse)pick(4), (int)pick(250), (int)pick(80));
	case 0:
		return KEYS_UP + (int32_t)pick(KEYS_F10 - KEYS_UP + 3);
	case 1:
		return text[pick(sizeof(text) / sizeof(text[0]))];
	case 2: /* one that does something */
		return keys_first(NULL, (enum action)(1 + pick(ACTION_COUNT - 1)));
	default:
		return (int32_t)pick(0x100);
	}
}

static void some_size(struct canvas *canvas)
{
	bool is_small = pick(2);

	canvas_reset(canvas, 1 + (int)pick(is_small ? 30 : 250), 1 + (int)pick(is_small ? 12 : 80));
}

int main(void)
{
	unsigned long seed = from_environment("MONKEY_SEED", 20260728);
	unsigned long keys = from_environment("MONKEY_KEYS", 20000), unasked = 0;
	struct ui_options options = { 0 };
	struct drive drive;

	plan(1);
	diag("MONKEY_SEED=%lu MONKEY_KEYS=%lu", seed, keys);
	state = seed ? seed : 1;
	drive_open(&drive, &options, 80, 24);
	drive.events = &machine;
	for (unsigned long i = 0; i < keys; i++) {
		int32_t key = some_key();

		if (pick(10) == 0)
			drive_take(&drive, some_snapshot());
		if (pick(20) == 0)
			some_size(&drive.canvas);
		unsigned int flags = ui_key(drive.ui, key);
		if ((flags & UI_QUIT) && keys_action(NULL, key) != ACTION_QUIT &&
		    !(key_is_mouse(key) && key_mouse(key) == MOUSE_CLICK))
			unasked++;
		if (pick(3) == 0)
			ui_draw(drive.ui, &drive.canvas);
	}
	is_u64(unasked, 0, "it quits only when it is asked to");
	drive_close(&drive);
	return done();
}
