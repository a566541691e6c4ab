/* SPDX-License-Identifier: MIT */
#include "base/fmt.h"

#include "tap.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEED 20260910

static char out[FMT_MAX];

static void check_count(void)
{
	is_str(fmt_count(out, 0), "0", "zero");
	is_str(fmt_count(out, 812), "812", "small counts are whole");
	is_str(fmt_count(out, 999), "999", "up to three places");
	is_str(fmt_count(out, 1000), "1.000k", "four places from there");
	is_str(fmt_count(out, 9999), "9.999k", "9999");
	is_str(fmt_count(out, 12345), "12.35k", "rounded half up");
	is_str(fmt_count(out, 99994), "99.99k", "rounded down");
	is_str(fmt_count(out, 99995), "100.0k", "rounding moves the point");
	is_str(fmt_count(out, 999949), "999.9k", "the last of the k");
	is_str(fmt_count(out, 999950), "1.000M", "rounding moves the unit");
	is_str(fmt_count(out, 1203000), "1.203M", "millions");
	is_str(fmt_count(out, 81450000000), "81.45G", "thousands of millions");
	is_str(fmt_count(out, UINT64_MAX), "18.45E", "the largest there is");
}

static void check_rate(void)
{
	is_str(fmt_rate(out, 0), "0", "no rate");
	is_str(fmt_rate(out, -0.0), "0", "nor a negative zero");
	is_str(fmt_rate(out, 0.3), "0.3", "slow ones have a decimal");
	is_str(fmt_rate(out, 7.5), "7.5", "7.5");
	is_str(fmt_rate(out, 0.001), "<0.1", "a rate above 0 is not shown as 0");
	is_str(fmt_rate(out, 9.94), "9.9", "the last with a decimal");
	is_str(fmt_rate(out, 9.96), "10", "which rounds up to one without");
	is_str(fmt_rate(out, 999.6), "1.000k", "and to the next unit");
	is_str(fmt_rate(out, 24192.7), "24.19k", "fast ones look like counts");
	is_str(fmt_rate(out, 1e300), "18.45E", "beyond 64 bits it stays there");
	is_str(fmt_rate(out, -1), "-", "unknown");
	is_str(fmt_rate(out, NAN), "-", "not a number");
	is_str(fmt_rate(out, INFINITY), "-", "nor infinity");
}

static void check_ratio(void)
{
	is_str(fmt_ratio(out, 0), "0", "none");
	is_str(fmt_ratio(out, 0.534), "0.53", "two decimals");
	is_str(fmt_ratio(out, 0.01), "0.01", "down to 0.01");
	is_str(fmt_ratio(out, 0.0099), "1/101", "below that as one in so many");
	is_str(fmt_ratio(out, 0.0004), "1/2.500k", "in thousands");
	is_str(fmt_ratio(out, 1e-300), "1/9.223E", "beyond 63 bits it stays there");
	is_str(fmt_ratio(out, 9.994), "9.99", "the last with two decimals");
	is_str(fmt_ratio(out, 9.996), "10.0", "then one");
	is_str(fmt_ratio(out, 99.96), "100", "then none");
	is_str(fmt_ratio(out, 1203.4), "1.203k", "then like a rate");
	is_str(fmt_ratio(out, -1), "-", "unknown");
	is_str(fmt_ratio(out, NAN), "-", "not a number");
}

static void check_change(void)
{
	is_str(fmt_change(out, 100, 104), "+4%", "a bit more");
	is_str(fmt_change(out, 100, 88), "-12%", "a bit less");
	is_str(fmt_change(out, 100, 100.4), "0", "less than is shown");
	is_str(fmt_change(out, 100, 0), "-100%", "gone");
	is_str(fmt_change(out, 7804.1, 24192.7), "x3.1", "times");
	is_str(fmt_change(out, 100, 199.4), "+99%", "the last in percent");
	is_str(fmt_change(out, 100, 199.6), "x2.0", "the first in times");
	is_str(fmt_change(out, 1, 99.96), "x100", "hundreds of times");
	is_str(fmt_change(out, 1, 1e9), "x10k+", "more than fits");
	is_str(fmt_change(out, 0, 5), "new", "new");
	is_str(fmt_change(out, 0, 0), "0", "nothing and nothing");
	is_str(fmt_change(out, -1, 5), "-", "from unknown");
	is_str(fmt_change(out, 5, NAN), "-", "to unknown");
}

static void check_bytes(void)
{
	is_str(fmt_bytes(out, 0), "0", "no bytes");
	is_str(fmt_bytes(out, 512), "512", "bytes");
	is_str(fmt_bytes(out, 1023), "1023", "the last in bytes");
	is_str(fmt_bytes(out, 1024), "1.0K", "powers of 1024");
	is_str(fmt_bytes(out, 9542042), "9.1M", "9.1M");
	is_str(fmt_bytes(out, 1610612736), "1.5G", "1.5G");
	is_str(fmt_bytes(out, 512ull << 20), "512M", "from 100 on whole");
	is_str(fmt_bytes(out, (1 << 20) - 1), "1.0M", "rounding moves the unit");
	is_str(fmt_bytes(out, UINT64_MAX), "16.0E", "the largest there is");
}

static void check_ns(void)
{
	is_str(fmt_ns(out, 0), "0ns", "no time");
	is_str(fmt_ns(out, 850), "850ns", "ns");
	is_str(fmt_ns(out, 1000), "1.0us", "us");
	is_str(fmt_ns(out, 12000), "12us", "from 10 on whole");
	is_str(fmt_ns(out, 3400000), "3.4ms", "ms");
	is_str(fmt_ns(out, 999999), "1.0ms", "rounding moves the unit");
	is_str(fmt_ns(out, 1250000000), "1.25s", "s");
	is_str(fmt_ns(out, 31400000000), "31.4s", "tens of s");
	is_str(fmt_ns(out, 600000000000), "600s", "minutes");
	is_str(fmt_ns(out, 10000000000000), "2.8h", "hours");
	is_str(fmt_ns(out, 41 * 86400000000000), "41d", "days");
	is_str(fmt_ns(out, UINT64_MAX), "213504d", "the largest there is");
}

static void check_number(void)
{
	is_str(fmt_number(out, 1), "1.0", "a whole number is still no integer");
	is_str(fmt_number(out, 0.1), "0.1", "no digits of the binary");
	is_str(fmt_number(out, 1789000000.123), "1789000000.123", "a time keeps its milliseconds");
	is_str(fmt_number(out, 1e-7), "1e-07", "exponents are left alone");
	is_str(fmt_number(out, 1e22), "1e+22", "large ones too");
	is_str(fmt_number(out, -1.2345678901234567e-300), "-1.23456789012346e-300",
	       "the longest fits");
}

/* No column may jump: the widths that the header guarantees, over all magnitudes. */
static void check_widths(void)
{
	size_t count = 0, change = 0, bytes = 0, ns = 0;

	srand(SEED);
	for (int i = 0; i < 100000; i++) {
		uint64_t value =
			((uint64_t)rand() << 33 ^ (uint64_t)rand() << 11 ^ (uint64_t)rand()) >>
			rand() % 64;
		size_t len = strlen(fmt_count(out, value));
		count = len > count ? len : count;
		len = strlen(fmt_rate(out, (double)value / 1000));
		count = len > count ? len : count;
		len = strlen(fmt_change(out, (double)(rand() % 1000), (double)value));
		change = len > change ? len : change;
		len = strlen(fmt_bytes(out, value));
		bytes = len > bytes ? len : bytes;
		len = strlen(fmt_ns(out, value));
		ns = len > ns ? len : ns;
	}
	is_u64(count, 6, "counts and rates take at most 6 cells");
	is_u64(change, 5, "changes 5");
	is_u64(bytes, 5, "sizes 5");
	is_u64(ns, 7, "times 7");
}

/* A locale with a comma must not reach what programs read. */
static void check_locale(void)
{
	static const char *const with_comma[] = { "de_DE.UTF-8", "fr_FR.UTF-8", "nl_NL.UTF-8" };

	for (size_t i = 0; i < 3; i++)
		if (setlocale(LC_ALL, with_comma[i])) {
			is_str(fmt_number(out, 1.5), "1.5", "numbers under %s", with_comma[i]);
			is_str(fmt_count(out, 1500), "1.500k", "counts");
			return;
		}
	skip(2, "no locale with a comma is installed");
}

int main(void)
{
	plan_lazy();
	check_count();
	check_rate();
	check_ratio();
	check_change();
	check_bytes();
	check_ns();
	check_number();
	check_widths();
	check_locale();
	return done();
}
