/* SPDX-License-Identifier: MIT */
#include "model/filter.h"

#include "messages.h"
#include "tap.h"

#include <stdio.h>
#include <string.h>

#define ROW "sched:sched_switch 24.19k nginx"

static void check(const char *text, bool want)
{
	char error[128] = "";
	struct filter *filter = filter_new(text, error, sizeof(error));

	if (!ok(filter != NULL, "'%s' compiles", text)) {
		diag("%s", error);
		return;
	}
	is_int(filter_match(filter, ROW), want, "and %s", want ? "keeps the row" : "drops it");
	is_str(filter_text(filter), text, "and can be shown");
	filter_free(filter);
}

/* `column`: where, counted from 1, as it is said. */
static void check_refused(const char *text, int column)
{
	char error[128] = "", at[16];

	ok(filter_new(text, error, sizeof(error)) == NULL, "'%.40s' is refused", text);
	snprintf(at, sizeof(at), "at %d: ", column);
	ok(strncmp(error, at, strlen(at)) == 0, "%sin '%s'", at, error);
	ok(!strchr(error, '\n'), "in one line");
	is_message(error, "filter keystrokes: %.40s", text);
}

int main(void)
{
	char longest[FILTER_MAX + 2], nested[FILTER_MAX + 1] = "~a";

	plan_lazy();
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
	check("~^sched:.*switch", true);
	check("~NGINX$", true);
	check("~^nginx", false);
	check("!~^nginx", true);
	check("!~nginx|apache", false);
	check("~sched_(switch|wakeup) 24", true);
	check("~s{1,2}w", true);
	check("~\\{", false);
	check("a!b", false);

	check_refused("~(", 2);
	check_refused("sched ~[", 8);
	check_refused("!", 2);
	check_refused("sched !~", 9);
	check_refused("~(a)\\1", 2);
	check_refused("~((a{1,200}){1,200}){1,200}", 2);
	check_refused("~a{99999999999999999999}", 2);
	for (int i = 0; i < 60; i++)
		memcpy(nested + 2 + i * 3, "{9}", sizeof("{9}"));
	check_refused(nested, 2);

	memset(longest, 'x', sizeof(longest));
	longest[FILTER_MAX + 1] = '\0';
	check_refused(longest, 257);
	longest[FILTER_MAX] = '\0';
	check(longest, false);
	for (size_t i = 1; i < FILTER_MAX; i += 2)
		longest[i] = ' ';
	check(longest, true); /* as many words as fit: the row has an x */

	ok(filter_match(NULL, ROW), "no filter keeps all");
	filter_free(NULL);
	return done();
}
