/* SPDX-License-Identifier: MIT */
#include "base/cpulist.h"

#include "tap.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void check_parse(const char *text, const char *want)
{
	struct cpulist list;
	char got[256] = "";

	if (!ok(cpulist_parse(text, &list) == 0, "'%s' is a list", text))
		return;
	for (size_t i = 0; i < list.count; i++)
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s%d", i ? " " : "",
			 list.ids[i]);
	is_str(got, want, "of these CPUs");
	cpulist_fini(&list);
	ok(list.ids == NULL && list.count == 0, "and empty when done with");
}

static void check_refused(const char *text)
{
	struct cpulist list = { .ids = (int[]){ 1 }, .count = 1 };

	errno = 0;
	ok(cpulist_parse(text, &list) == -1 && errno == EINVAL, "'%s' is none", text);
	ok(list.ids == NULL && list.count == 0, "and leaves an empty list");
}

static void check_find(void)
{
	struct cpulist holes, same, other;

	cpulist_parse("0,2-4,8191", &holes);
	is_int(cpulist_find(&holes, 0), 0, "the first CPU is slot 0");
	is_int(cpulist_find(&holes, 2), 1, "slots have no holes");
	is_int(cpulist_find(&holes, 8191), 4, "the largest number is found");
	is_int(cpulist_find(&holes, 1), -1, "a hole is not");
	is_int(cpulist_find(&holes, 9000), -1, "nor what is beyond");
	is_int(cpulist_find(&holes, -1), -1, "nor a negative number");

	cpulist_parse("8191,0,4,3,2", &same);
	cpulist_parse("0,2-5", &other);
	ok(cpulist_equal(&holes, &same), "lists are equal whatever the order they were written in");
	ok(!cpulist_equal(&holes, &other), "and differ by one CPU");
	ok(cpulist_equal(&(struct cpulist){ NULL, 0 }, &(struct cpulist){ NULL, 0 }),
	   "empty ones are equal");
	cpulist_fini(&holes);
	cpulist_fini(&same);
	cpulist_fini(&other);
}

static void check_online(void)
{
	struct cpulist list;

	if (!ok(cpulist_online(&list) == 0, "the CPUs online are known"))
		return;
	is_int((long)list.count, sysconf(_SC_NPROCESSORS_ONLN), "as many as the C library says");
	cpulist_fini(&list);
}

int main(void)
{
	static const char *const refused[] = {
		"",	"\n",	  "x",	  "-1",	 "1-",	  "3-1",
		"1,",	",1",	  "1,,2", " 1",	 "1 ",	  "1-2-3",
		"8192", "0-8192", "+1",	  "0x1", "1\n\n", "99999999999999999999",
		"1;2",
	};

	plan_lazy();
	check_parse("0", "0");
	check_parse("0-3,5,8-11\n", "0 1 2 3 5 8 9 10 11");
	check_parse("3,1,1-2", "1 2 3");
	check_parse("8191", "8191");
	check_parse("007", "7");
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		check_refused(refused[i]);
	check_find();
	check_online();
	return done();
}
