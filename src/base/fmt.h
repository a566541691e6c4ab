/* SPDX-License-Identifier: MIT */
/*
 * fmt - numbers for people: four significant digits, fixed width.
 *
 * All numbers on a screen or in a saved text are formatted here, so that column
 * widths are constant.  Every function writes at most FMT_MAX bytes with the
 * terminator and returns `out`.
 */
#ifndef BASE_FMT_H
#define BASE_FMT_H

#include <stddef.h>
#include <stdint.h>

#define FMT_MAX 24

/* 0, 812, 12.35k, 1.203M, 81.45G ... : at most 6 cells.  SI, powers of 1000. */
char *fmt_count(char out[FMT_MAX], uint64_t count);

/*
 * A rate per second, in the same format; below 10 with one decimal (<0.1, 0.3, 7.5);
 * negative, infinite or NaN is "-" (unknown).
 */
char *fmt_rate(char out[FMT_MAX], double per_second);

/*
 * A ratio: 0.53, 12.4, 1.203k; below 0.01 as one in so many: 1/2.500k.  At most 8 cells; negative,
 * infinite or NaN is "-" (unknown).
 */
char *fmt_ratio(char out[FMT_MAX], double ratio);

/*
 * The change from one rate to the next: "+4%", "-12%", "x3.1", "new", "0", or
 * "-" when one is unknown: at most 5 cells.
 */
char *fmt_change(char out[FMT_MAX], double before, double now);

/* 512, 9.1M, 512M, 1.5G: bytes in powers of 1024, at most 5 cells. */
char *fmt_bytes(char out[FMT_MAX], uint64_t bytes);

/*
 * A finite number for programs: 15 digits, always with a point or an exponent
 * ("1.0"), never with the locale's comma.
 */
char *fmt_number(char out[FMT_MAX], double value);

/* 850ns, 12us, 3.4ms, 1.25s, 2.8h, 41d: at most 7 cells. */
char *fmt_ns(char out[FMT_MAX], uint64_t ns);

#endif
