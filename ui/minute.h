/* SPDX-License-Identifier: MIT */
/*
 * minute - a figure of the CPUs in the last minute as a heat map: a row per CPU, or per core, cache,
 * node, package where CPUs are too many; a cell per second, the last is now.
 *
 *     the last 60 s of raw_syscalls:sys_enter, the most on cpu1 13 s ago
 *     cpu0    ▁▁▁▂▂▂▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁    612k
 *     cpu1    ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▇▇▁▁▁▁▁▁▁▁▁▁▁▁    403k
 */
#ifndef UI_MINUTE_H
#define UI_MINUTE_H

#include "ui/cpu-rows.h"
#include "ui/cpu-units.h"
#include "ui/draw.h"

/* Lines that it takes at this width, `most` at the most; 0: there is no room. */
int minute_lines(const struct unit_kinds *kinds, enum unit_kind least, int width, int most);

/* Draw it on so many lines: the smallest units from `least` on that fit. */
void minute_draw(const struct cpu_row *row, const struct unit_kinds *kinds, enum unit_kind least,
		 int lines, const struct pen *pen);

#endif
