/* SPDX-License-Identifier: MIT */
/*
 * Every view at every size: nothing crashes (run it with SAN=address,undefined),
 * and every line is exactly as wide as the canvas: no wide character was halved.
 */
#include "base/text.h"
#include "ui/drive.h"

static const char *const ways[] = {
	"",
	"2",
	"3",
	"4",
	"5",
	"6",
	"7",
	"7 Home Down",
	"4 Down Down Down Right Right",
	"2 End Enter",
	"?",
	"Down Enter",
	"Enter Right",
	"End Enter",
	"End Up Enter",
	"3 r Right",
	"/ \"~[\"",
	"Space > >",
	"Down Enter ?",
	"/ \"x\" Enter",
};

#define WAY_COUNT (sizeof(ways) / sizeof(ways[0]))

static bool is_straight(const struct canvas *canvas)
{
	for (int y = 0; y < canvas->lines; y++) {
		const struct canvas_cell *line = canvas_line(canvas, y);
		size_t cells = 0;

		for (int x = 0; x < canvas->columns; x++)
			cells += text_width(line[x].text);
		if (cells != (size_t)canvas->columns)
			return false;
	}
	return true;
}

static void check_size(struct drive *drive, int columns, int lines, const char *way, int *wrong)
{
	canvas_reset(&drive->canvas, columns, lines);
	ui_draw(drive->ui, &drive->canvas);
	if (is_straight(&drive->canvas) || (*wrong)++)
		return;
	diag("the first wrong one: '%s' at %dx%d", way, columns, lines);
}

static void check_way(const char *way, bool is_ascii, bool is_many)
{
	struct ui_options options = { .is_ascii = is_ascii };
	struct drive drive;
	int wrong = 0;

	drive_open(&drive, &options, 80, 24);
	struct snapshot *snap = is_many ? fixture_snapshot_many(60, 130) : fixture_snapshot();
	fixture_add_stream(snap);
	drive_take(&drive, snap);
	drive_keys(&drive, way);
	/* Three numbers of lines, or six, have every width between them. */
	for (int lines = 1; lines <= 32; lines++)
		for (int columns = 1 + lines % 3; columns <= 125; columns += lines > 12 ? 6 : 3)
			check_size(&drive, columns, lines, way, &wrong);
	check_size(&drive, 400, 200, way, &wrong);
	check_size(&drive, 400, 1, way, &wrong);
	check_size(&drive, 1, 200, way, &wrong);
	check_size(&drive, 1000, 1000, way, &wrong);
	is_int(wrong, 0, "'%s'%s%s", way, is_ascii ? ", ASCII" : "", is_many ? ", many CPUs" : "");
	drive_close(&drive);
}

/* No snapshot, one without anything in it, one without CPUs. */
static void check_empty(void)
{
	struct ui_options options = { 0 };
	struct drive drive;
	int wrong = 0;

	for (size_t i = 0; i < WAY_COUNT; i++) {
		drive_open(&drive, &options, 80, 24);
		drive_keys(&drive, ways[i]);
		check_size(&drive, 80, 24, ways[i], &wrong);
		drive_take(&drive, snapshot_new(0));
		check_size(&drive, 80, 24, ways[i], &wrong);
		drive_keys(&drive, "Enter f P Down > R Tab End ?");
		drive_take(&drive, fixture_snapshot_many(3, 0));
		check_size(&drive, 80, 24, ways[i], &wrong);
		drive_close(&drive);
	}
	is_int(wrong, 0, "with nothing to show");
}

int main(void)
{
	plan(WAY_COUNT * 3 + 1);
	for (size_t i = 0; i < WAY_COUNT; i++) {
		check_way(ways[i], false, false);
		check_way(ways[i], true, false);
		check_way(ways[i], false, true);
	}
	check_empty();
	return done();
}
