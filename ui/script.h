/* SPDX-License-Identifier: MIT */
/*
 * script - keys played from a file, for tests and for dumps of the screen.
 *
 * One command a line:
 *
 *     # comment
 *     key NAME...          press keys: q ^C F4 PgUp Space Enter ...
 *     type TEXT            press every character of the rest of the line
 *     click X Y            at this column and line, from 1
 *     wheel up|down X Y
 *     resize COLS LINES
 *     wait N               until N more snapshots have come
 *     dump [FILE]          the screen as text, or as a picture into a FILE.svg
 *
 * The player is driven by snapshots and not by time, so a script behaves the same
 * on every machine.  The app passes a snapshot to the ui and then calls
 * script_play(); commands before the first wait run with the first snapshot.
 */
#ifndef UI_SCRIPT_H
#define UI_SCRIPT_H

#include <stddef.h>

#include "ui/canvas.h"
#include "ui/theme.h"
#include "ui/ui.h"

struct script;

/* Read all of it: NULL and one line in `error` that names file, line and reason. */
struct script *script_load(const char *path, char *error, size_t room);
void script_free(struct script *script);

/*
 * Where a dump without a FILE goes, borrowed; NULL or "-" is stdout.  The first
 * dump of a run truncates the file, later ones are appended; an image replaces the last.
 * If the script has none, its last screen goes there.
 */
void script_dump_to(struct script *script, const char *path);

/* The theme of pictures, borrowed; without one a dump is text. */
void script_theme(struct script *script, const struct theme *theme);

enum script_state {
	SCRIPT_FAILED = -1, /* a dump could not be written: one line in `error` */
	SCRIPT_DONE,	    /* at its end, or it pressed a key that quits */
	SCRIPT_WAITS,	    /* call again after the next snapshot */
	SCRIPT_ASKS, /* UI_THEME or UI_WRITE is in *flags: obey, clear them, call again at once */
};

/*
 * Call after each snapshot: play on to the next wait.  Keys go to `ui`, sizes to
 * `canvas`, and the flags that keys return (UI_THEME ...) are or-ed into *flags.
 */
enum script_state script_play(struct script *script, struct ui *ui, struct canvas *canvas,
			      unsigned int *flags, char *error, size_t room);

#endif
