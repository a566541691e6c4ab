/* SPDX-License-Identifier: MIT */
/* Times as they are typed. */
#include "ui/moment.h"

#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#define NOW 1789000000.0 /* 2026-09-10 00:26:40 UTC */
#define DAY 86400.0

static struct moments moments = { NOW, NOW - 100, NOW + 300 };

static void is_time(const char *text, double want)
{
	char why[128] = "";
	double got = NAN;
	bool is_ok = moment_parse(text, &moments, &got, why, sizeof(why));

	ok(is_ok && (got == want || fabs(got - want) < 1e-5), "'%s' is %.3f (%.3f)", text, want,
	   got);
}

static void is_none(const char *text)
{
	char why[128] = "";
	double got;

	ok(!moment_parse(text, &moments, &got, why, sizeof(why)) && why[0], "'%s' is none: %s",
	   text, why);
}

static void test_steps(void)
{
	is_time("+30", NOW + 30);
	is_time("-30s", NOW - 30);
	is_time("+1.5m", NOW + 90);
	is_time(" -2h ", NOW - 7200);
	is_time("+.5", NOW + 0.5);
	is_time("start", -INFINITY);
	is_time("end", INFINITY);
	is_time("0%", NOW - 100);
	is_time("25%", NOW);
	is_time("100%", NOW + 300);
}

static void test_times(void)
{
	double midnight = NOW - 26 * 60 - 40;

	is_time("0:26", midnight + 26 * 60);
	is_time("00:30:01.25", midnight + 30 * 60 + 1.25);
	is_time("12:00", midnight + DAY / 2);
	is_time("23:50", midnight - 600); /* of the day before: nearer */
	moments.now_s = midnight - 60;
	is_time("00:10", midnight + 600); /* of the next one */
	moments.now_s = NOW;
	is_time("2026-09-11 01:02:03", midnight + DAY + 3723);
	is_time("2026-09-11T01:02", midnight + DAY + 3720);
	is_time("2026-09-09", midnight - DAY);
}

/* The night in which the clock is set back, and local time has an offset. */
static void test_zone(void)
{
	setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
	tzset();
	is_time("2:26:40", NOW);
	is_time("2026-10-25 12:00", 1792926000);
	is_time("2026-10-24 12:00", 1792926000 - 25 * 3600);
	setenv("TZ", "UTC0", 1);
	tzset();
}

static void test_others(void)
{
	static const char *const none[] = {
		"",	  "90",	   "24:00",	  "12:60",	"12:34:60",    "12:34x",    "12:",
		"1:2:0x", "+",	   "+x",	  "+5d",	"--5",	       "+nan",	    "-inf",
		"101%",	  "-5%",   "x%",	  "2026-13-01", "2026-09-00",  "yesterday", "%",
		":30",	  "123:4", "2026-09-10x", "12:34:",	"12:34:56:01",
	};

	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		is_none(none[i]);
	moments.first_s = moments.last_s = 0;
	is_none("50%");
}

int main(void)
{
	plan_lazy();
	setenv("TZ", "UTC0", 1);
	tzset();
	test_steps();
	test_times();
	test_zone();
	test_others();
	return done();
}
