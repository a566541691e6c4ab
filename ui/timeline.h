/* SPDX-License-Identifier: MIT */
/*
 * timeline - who was on which CPU in the last seconds: a row per CPU, a cell per slot.
 *
 *     cpu0   nnnnnnnnllllnnnn····nnnnllll
 *     cpu1   llllllllllllllllkkllllllllll
 *     a cell is 10ms  n nginx 1203  l load 8450  k kworker/1:1 24
 *
 * The last cell is now.  A cell is of the task that was on the CPU most, dim if for less than half
 * of it; a dot is idle, a blank is unknown, + a task without a letter.
 */
#ifndef UI_TIMELINE_H
#define UI_TIMELINE_H

#include "model/snapshot.h"
#include "ui/draw.h"

/* Lines that it takes when there is room for `most`; 0: there is none to draw. */
int timeline_lines(const struct snapshot *snap, int most);

/* Draw it on so many lines; the cells of `selected` (or NULL) stand out. */
void timeline_draw(const struct snapshot *snap, const struct snap_task *selected, int lines,
		   const struct pen *pen);

#endif
