/* SPDX-License-Identifier: MIT */
/*
 * saved-minute - the last minute of a rate on one CPU, as a saved snapshot has it.
 *
 * One text, because there can be thousands: "812000:09Az-...", the highest value in thousandths,
 * then for each second, the oldest first, its share of that in 61 steps, or "-" if it is unknown.
 */
#ifndef OUTPUT_SAVED_MINUTE_H
#define OUTPUT_SAVED_MINUTE_H

#include <stdbool.h>

#include "model/snapshot.h"

#define SAVED_MINUTE_MAX (SNAP_TREND_MAX + 32)

/* The text of a trend [SNAP_TREND_MAX], "" for NULL.  Returns `out`. */
char *saved_minute_text(char out[SAVED_MINUTE_MAX], const float *trend);

/* The trend of a text; false, and `trend` is unchanged, when it is not of that form. */
bool saved_minute_read(const char *text, float trend[SNAP_TREND_MAX]);

#endif
