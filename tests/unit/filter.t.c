/* SPDX-License-Identifier: MIT */
#include "model/filter.h"

#include "messages.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The only row; of its columns on-cpu is unknown and trend is not compared. */
#define ROW "sched:sched_switch 24.19k nginx"

static const char *name_of(const void *data, size_t column)
{
	static const char *const names[] = {
		"event", "rate", "share", "change", "on-cpu", "trend",
	};

	(void)data;
	return names[column];
}

static enum filter_kind kind_of(const void *data, size_t column)
{
	static const enum filter_kind kinds[] = {
		FILTER_WORDS, FILTER_NUMBER, FILTER_SHARE, FILTER_SHARE, FILTER_SHARE, FILTER_NONE,
	};

	(void)data;
	return kinds[column];
}

static double number_of(const void *data, size_t row, size_t column)
{
	const double numbers[] = { NAN, 24190, 0.125, -0.5, NAN, NAN };

	(void)data;
	(void)row;
	return numbers[column];
}

static const char *words_of(const void *data, size_t row, size_t column)
{
	(void)data;
	(void)row;
	(void)column;
	return "sched:sched_switch";
}

static void text_of(const void *data, size_t row, char *out, size_t room)
{
	(void)data;
	(void)row;
	snprintf(out, room, "%s", ROW);
}

static const struct filter_rows rows = { .ncolumns = 6,
					 .name = name_of,
					 .kind = kind_of,
					 .number = number_of,
					 .words = words_of,
					 .text = text_of };

static void check(const char *text, bool want)
{
	char error[128] = "";
	struct filter *filter = filter_new(text, &rows, error, sizeof(error));

	if (!ok(filter != NULL, "'%s' compiles", text)) {
		diag("%s", error);
		return;
	}
	is_int(filter_match(filter, &rows, 0), want, "and %s", want ? "keeps the row" : "drops it");
	is_str(filter_text(filter), text, "and can be shown");
	filter_free(filter);
}

/* `column`: where, counted from 1, as it is said. */
static void check_refused(const char *text, int column)
{
	char error[128] = "", at[16];

	ok(filter_new(text, &rows, error, sizeof(error)) == NULL, "'%.40s' is refused", text);
	snprintf(at, sizeof(at), "at %d: ", column);
	ok(strncmp(error, at, strlen(at)) == 0, "%sin '%s'", at, error);
	ok(!strchr(error, '\n'), "in one line");
	is_message(error, "filter keystrokes: %.40s", text);
}

static void test_words(void)
{
	check("", true);
	check("  ", true);
	check("switch", true);
	check("SWITCH", true);
	check("wakeup", false);
	check("!wakeup", true);
	check("!switch", false);
	check("sched nginx", true);
	check("sched !nginx", false);
	check("  sched\tnginx ", true);
	check("a!b", false);
	check("\"24.19k nginx\"", true);
	check("\"24.19k  nginx\"", false);
	check("\"or\"", false);
	check("nginx(", false);

	check_refused("!", 2);
	check_refused("\"nginx", 1);
}

static void test_expressions(void)
{
	char nested[FILTER_MAX + 1] = "~a";

	check("~^sched:.*switch", true);
	check("~NGINX$", true);
	check("~^nginx", false);
	check("!~^nginx", true);
	check("!~nginx|apache", false);
	check("~sched_(switch|wakeup) 24", true);
	check("(~sched_(switch|wakeup))", true);
	check("(~[)]|nginx)", true);
	check("(~\\)|nginx)", true);
	check("~s{1,2}w", true);
	check("~\\{", false);
	check("~\"24.* nginx\"", true);

	check_refused("~(", 2);
	check_refused("sched ~[", 8);
	check_refused("sched !~", 9);
	check_refused("~(a)\\1", 2);
	check_refused("~((a{1,200}){1,200}){1,200}", 2);
	check_refused("~a{99999999999999999999}", 2);
	for (int i = 0; i < 60; i++)
		memcpy(nested + 2 + i * 3, "{9}", sizeof("{9}"));
	check_refused(nested, 2);
}

static void test_logic(void)
{
	check("wakeup or nginx", true);
	check("wakeup or apache", false);
	check("switch and nginx", true);
	check("switch and apache or nginx", true);
	check("switch and (apache or wakeup)", false);
	check("(sched or irq) (nginx)", true);
	check("not apache", true);
	check("not (nginx or apache)", false);
	check("!(apache)", true);
	check("!!nginx", true);
	check("apache or !wakeup switch", true);
	check("apache or not nginx", false);

	check_refused("(sched or irq", 14);
	check_refused("sched)", 6);
	check_refused("sched or", 9);
	check_refused("or sched", 1);
	check_refused("sched and and nginx", 11);
	check_refused("()", 2);
}

static void test_numbers(void)
{
	check("rate > 100", true);
	check("rate>24.1k", true);
	check("rate>24.2k", false);
	check("rate >= 24190", true);
	check("rate <= 24.19k", true);
	check("rate < 1M", true);
	check("rate = 24190", true);
	check("rate == 24190", true);
	check("rate != 24190", false);
	check("RATE<1G", true);
	check("rate > 20s", true);
	check("rate > 20000000ms", true);
	check("share > 12", true);
	check("share > 12.5%", false);
	check("share < 13%", true);
	check("change < -40", true);
	check("change < -60%", false);
	check("on-cpu > 0", false);
	check("on-cpu < 1", false);
	check("on-cpu != 5", false);
	check("!on-cpu > 0", true);
	check("nginx rate > 100 share > 10", true);
	check("rate > 1M or share > 10", true);
	check("rate", false);

	check_refused("rate >", 7);
	check_refused("rate > ", 8);
	check_refused("rate > fast", 8);
	check_refused("rate > 10q", 8);
	check_refused("rate > inf", 8);
	check_refused("rate > (5)", 8);
	check_refused("rate ~ 5", 8);
	check_refused("> 5", 1);
	check_refused("raet > 5", 1);
	check_refused("state = off", 1);
	check_refused("trend > 5", 1);
	check_refused("nginx or rate > ", 17);
}

static void test_columns_of_words(void)
{
	check("event = SCHED:sched_switch", true);
	check("event = sched", false);
	check("event != sched", true);
	check("event ~ ^sched:", true);
	check("event~switch$", true);
	check("event !~ (wakeup|fork)", true);
	check("event !~ (switch|fork)", false);
	check("event ~nginx", false);
	check("switch ~nginx", true);

	check_refused("event > 5", 9);
	check_refused("event ~", 8);
	check_refused("event ~ (", 9);
	check_refused("event = ", 9);
}

static void test_length(void)
{
	char longest[FILTER_MAX + 2];

	memset(longest, 'x', sizeof(longest));
	longest[FILTER_MAX + 1] = '\0';
	check_refused(longest, 257);
	longest[FILTER_MAX] = '\0';
	check(longest, false);
	for (size_t i = 1; i < FILTER_MAX; i += 2)
		longest[i] = ' ';
	check(longest, true); /* as many words as fit: the row has an x */
	memset(longest, '!', FILTER_MAX - 1);
	longest[FILTER_MAX - 1] = 'x';
	check(longest, false);
	memset(longest, '(', FILTER_MAX);
	check_refused(longest, 257);
	memset(longest, '"', FILTER_MAX);
	check(longest, true);
}

int main(void)
{
	plan_lazy();
	test_words();
	test_expressions();
	test_logic();
	test_numbers();
	test_columns_of_words();
	test_length();
	ok(filter_match(NULL, &rows, 0), "no filter keeps all");
	filter_free(NULL);
	return done();
}
