/* SPDX-License-Identifier: MIT */
#include "ui/moment.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TEXT_MAX 64

bool moment_has_date(double time_s)
{
	return time_s > 0 && time_s < 1e11;
}

static bool is_number(const char *text)
{
	return isdigit((unsigned char)*text) || *text == '.';
}

/* A number of at most two digits, below `limit`, from *at on: -1 when there is none. */
static int small_number(const char **at, int limit)
{
	int value = 0, digits = 0;

	for (; isdigit((unsigned char)**at) && digits < 2; digits++)
		value = value * 10 + *(*at)++ - '0';
	return digits > 0 && value < limit ? value : -1;
}

/* "12:34:56.5", all of it: seconds since midnight, or -1. */
static double time_of_day(const char *text)
{
	int hours = small_number(&text, 24);

	if (hours < 0 || *text++ != ':')
		return -1;
	int minutes = small_number(&text, 60);
	double seconds = 0;
	if (minutes < 0)
		return -1;
	if (*text == ':') {
		char *end;

		if (!is_number(++text))
			return -1;
		seconds = strtod(text, &end);
		text = end;
	}
	return *text == '\0' && seconds < 60 ? hours * 3600 + minutes * 60 + seconds : -1;
}

/* On the day of `day` (local time), `offset` days later; by the clock, also when it is set that day. */
static double on_day(const struct tm *day, int offset, double seconds)
{
	long whole = (long)seconds;
	struct tm at = { .tm_year = day->tm_year,
			 .tm_mon = day->tm_mon,
			 .tm_mday = day->tm_mday + offset,
			 .tm_hour = (int)(whole / 3600),
			 .tm_min = (int)(whole / 60 % 60),
			 .tm_sec = (int)(whole % 60),
			 .tm_isdst = -1 };

	return (double)mktime(&at) + (seconds - (double)whole);
}

static bool parse_time(const char *text, double now_s, double *time_s)
{
	double seconds = time_of_day(text);
	time_t now = (time_t)now_s;
	struct tm day;

	if (seconds < 0 || !localtime_r(&now, &day))
		return false;
	*time_s = on_day(&day, 0, seconds);
	for (int offset = -1; offset <= 1; offset += 2) {
		double other = on_day(&day, offset, seconds);

		if (fabs(other - now_s) < fabs(*time_s - now_s))
			*time_s = other;
	}
	return true;
}

static bool parse_date(const char *text, double *time_s)
{
	struct tm day = { 0 };
	int len = 0;

	if (sscanf(text, "%4d-%2d-%2d%n", &day.tm_year, &day.tm_mon, &day.tm_mday, &len) != 3 ||
	    day.tm_mon < 1 || day.tm_mon > 12 || day.tm_mday < 1 || day.tm_mday > 31)
		return false;
	day.tm_year -= 1900;
	day.tm_mon--;
	text += len;
	double seconds = *text ? -1 : 0;
	if (*text == ' ' || *text == 'T')
		seconds = time_of_day(text + 1);
	if (seconds < 0)
		return false;
	*time_s = on_day(&day, 0, seconds);
	return true;
}

/* "+1.5m": a sign, a number, perhaps a unit. */
static bool parse_step(const char *text, double now_s, double *time_s)
{
	char *unit;

	if ((*text != '+' && *text != '-') || !is_number(text + 1))
		return false;
	double step = strtod(text, &unit);
	if (strcmp(unit, "m") == 0)
		step *= 60;
	else if (strcmp(unit, "h") == 0)
		step *= 3600;
	else if (*unit && strcmp(unit, "s") != 0)
		return false;
	*time_s = now_s + step;
	return true;
}

static bool parse_percent(const char *text, const struct moments *moments, double *time_s)
{
	char *end;

	if (!is_number(text) || moments->last_s <= moments->first_s)
		return false;
	double percent = strtod(text, &end);
	if (strcmp(end, "%") != 0 || !(percent <= 100))
		return false;
	*time_s = moments->first_s + percent / 100 * (moments->last_s - moments->first_s);
	return true;
}

static void trim(char out[TEXT_MAX], const char *text)
{
	size_t len;

	while (*text == ' ')
		text++;
	snprintf(out, TEXT_MAX, "%s", text);
	len = strlen(out);
	while (len > 0 && out[len - 1] == ' ')
		out[--len] = '\0';
}

bool moment_parse(const char *typed, const struct moments *moments, double *time_s, char *why,
		  size_t room)
{
	char text[TEXT_MAX];

	trim(text, typed);
	if (strcmp(text, "start") == 0) {
		*time_s = -INFINITY;
		return true;
	}
	if (strcmp(text, "end") == 0) {
		*time_s = INFINITY;
		return true;
	}
	if (parse_step(text, moments->now_s, time_s) || parse_time(text, moments->now_s, time_s) ||
	    parse_date(text, time_s) || parse_percent(text, moments, time_s))
		return true;
	snprintf(why, room, "a time (12:34:56), or +30, -5m, +1h%s, start, end",
		 moments->last_s > moments->first_s ? ", 50%" : "");
	return false;
}
