/* SPDX-License-Identifier: MIT */
/*
 * Integer arithmetic only: the decimal point of printf("%f") depends on the locale,
 * and 9.9996 must become "10.00", not "9.1000".
 */
#include "base/fmt.h"

#include "base/sys.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define DIGITS_MAX 22 /* bytes: UINT64_MAX, a point and the terminator */
#define UNIT_MAX   3  /* bytes of a unit, with the terminator */

_Static_assert(DIGITS_MAX - 1 + UNIT_MAX <= FMT_MAX, "all digits and a unit fit");

static uint64_t divide_rounded(uint64_t value, uint64_t by)
{
	return value / by + (value % by >= by - by / 2);
}

static char *put_text(char out[FMT_MAX], const char *text)
{
	return strcpy(out, text);
}

/*
 * `scaled` / 10^decimals and a unit.  Not by snprintf(): a text of 1,000 rows has thousands of numbers
 * (doc/performance.md).
 */
static char *put_decimal(char out[FMT_MAX], uint64_t scaled, unsigned int decimals,
			 const char *unit)
{
	char digits[DIGITS_MAX];
	char *first = digits + sizeof(digits) - 1;

	*first = '\0';
	for (unsigned int i = 0; i < decimals; i++, scaled /= 10)
		*--first = (char)('0' + scaled % 10);
	if (decimals)
		*--first = '.';
	do
		*--first = (char)('0' + scaled % 10);
	while ((scaled /= 10) > 0);
	strcpy(stpcpy(out, first), unit);
	return out;
}

char *fmt_count(char out[FMT_MAX], uint64_t count)
{
	static const char *const units[] = { "k", "M", "G", "T", "P", "E" };
	uint64_t unit = 1;

	if (count < 1000)
		return put_decimal(out, count, 0, "");
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		unit *= 1000;
		uint64_t step = unit / 1000;
		/* Three decimals, and one less each time four digits overflow. */
		for (unsigned int decimals = 3; decimals >= 1; decimals--, step *= 10) {
			uint64_t scaled = divide_rounded(count, step);
			if (scaled < 10000)
				return put_decimal(out, scaled, decimals, units[i]);
		}
	}
	return put_text(out, "huge"); /* not reached: UINT64_MAX is 18.45E */
}

char *fmt_rate(char out[FMT_MAX], double per_second)
{
	if (!isfinite(per_second) || per_second < 0)
		return put_text(out, "-");
	if (per_second == 0)
		return put_text(out, "0");
	if (per_second < 0.05)
		return put_text(out, "<0.1"); /* "0.0" would be read as zero */
	if (per_second < 9.95)
		return put_decimal(out, (uint64_t)(per_second * 10 + 0.5), 1, "");
	if (per_second >= 0x1p64)
		return fmt_count(out, UINT64_MAX);
	return fmt_count(out, (uint64_t)(per_second + 0.5));
}

static char *put_one_in(char out[FMT_MAX], double many)
{
	char count[FMT_MAX];

	fmt_count(count, many >= 0x1p63 ? INT64_MAX : (uint64_t)(many + 0.5));
	snprintf(out, FMT_MAX, "1/%.*s", FMT_MAX - 3, count);
	return out;
}

char *fmt_ratio(char out[FMT_MAX], double ratio)
{
	if (!isfinite(ratio) || ratio < 0)
		return put_text(out, "-");
	if (ratio == 0)
		return put_text(out, "0");
	if (ratio < 0.00995)
		return put_one_in(out, 1 / ratio);
	if (ratio < 9.995)
		return put_decimal(out, (uint64_t)(ratio * 100 + 0.5), 2, "");
	if (ratio < 99.95)
		return put_decimal(out, (uint64_t)(ratio * 10 + 0.5), 1, "");
	return fmt_rate(out, ratio);
}

static void put_tenths(char *out, size_t room, unsigned int tenths)
{
	snprintf(out, room, "%u.%u", tenths / 10, tenths % 10);
}

static void put_percent(char out[FMT_MAX], int percent)
{
	if (percent)
		snprintf(out, FMT_MAX, "%+d%%", percent);
	else
		put_text(out, "0");
}

char *fmt_change(char out[FMT_MAX], double before, double now)
{
	if (!isfinite(before) || !isfinite(now) || before < 0 || now < 0)
		return put_text(out, "-");
	if (before == 0)
		return put_text(out, now == 0 ? "0" : "new");

	double times = now / before;
	if (times >= 9999.5)
		return put_text(out, "x10k+");
	out[0] = 'x';
	if (times >= 99.95)
		snprintf(out + 1, FMT_MAX - 1, "%u", (unsigned int)(times + 0.5));
	else if (times >= 1.995)
		put_tenths(out + 1, FMT_MAX - 1, (unsigned int)(times * 10 + 0.5));
	else
		put_percent(out, (int)lround((times - 1) * 100));
	return out;
}

char *fmt_bytes(char out[FMT_MAX], uint64_t bytes)
{
	static const char *const units[] = { "K", "M", "G", "T", "P", "E" };
	uint64_t unit = 1;

	if (bytes < 1024)
		return put_decimal(out, bytes, 0, "");
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		unit *= 1024;
		/* Tenths of quotient and remainder separately: bytes * 10 would overflow. */
		uint64_t tenths =
			bytes / unit * 10 + divide_rounded(bytes % unit * 10 >> 10 * i, 1024);
		if (tenths < 1000)
			return put_decimal(out, tenths, 1, units[i]);
		if (divide_rounded(bytes, unit) < 1024)
			return put_decimal(out, divide_rounded(bytes, unit), 0, units[i]);
	}
	return put_text(out, "huge"); /* not reached: UINT64_MAX is 16.0E */
}

char *fmt_ns(char out[FMT_MAX], uint64_t ns)
{
	static const struct {
		uint64_t one;	       /* ns */
		unsigned int decimals; /* below 10 units; one less per further digit */
		uint64_t limit;	       /* from this many units on, use the next unit */
		const char *unit;
	} units[] = {
		{ 1000, 1, 1000, "us" },
		{ 1000000, 1, 1000, "ms" },
		{ NSEC_PER_SEC, 2, 10000, "s" },
		{ 3600 * NSEC_PER_SEC, 1, 100, "h" },
		{ 86400 * NSEC_PER_SEC, 1, UINT64_MAX, "d" },
	};

	if (ns < 1000)
		return put_decimal(out, ns, 0, "ns");
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		uint64_t step = units[i].one, places = 10;
		for (unsigned int d = 0; d < units[i].decimals; d++, places *= 10)
			step /= 10;
		for (unsigned int d = units[i].decimals; d >= 1; d--, step *= 10)
			if (divide_rounded(ns, step) < places)
				return put_decimal(out, divide_rounded(ns, step), d, units[i].unit);
		if (divide_rounded(ns, step) < units[i].limit)
			return put_decimal(out, divide_rounded(ns, step), 0, units[i].unit);
	}
	return put_text(out, "huge"); /* not reached: the last limit is none */
}

/*
 * 15 digits: all of them exact, and 0.1 stays "0.1".  The decimal point that
 * printf writes depends on the locale and may have several bytes, so it is
 * replaced.
 */
char *fmt_number(char out[FMT_MAX], double value)
{
	char local[64];
	size_t len = 0;
	bool is_whole = true;

	snprintf(local, sizeof(local), "%.15g", value);
	for (const char *at = local; *at && len < FMT_MAX - 1; at++) {
		if (strchr("0123456789+-e", *at)) {
			is_whole &= *at != 'e';
			out[len++] = *at;
		} else if (len && out[len - 1] != '.') {
			is_whole = false;
			out[len++] = '.';
		}
	}
	/* Consumers that infer types from the first line must not take a rate for an integer. */
	snprintf(out + len, FMT_MAX - len, "%s", is_whole ? ".0" : "");
	return out;
}
