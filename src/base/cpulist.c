/* SPDX-License-Identifier: MIT */
#include "base/cpulist.h"

#include "base/sys.h"
#include "base/xalloc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * Digits only: strtol would also take blanks and signs.  NULL when there is no number
 * or it is too large.
 */
static const char *parse_id(const char *text, int *id)
{
	const char *at = text;

	for (*id = 0; *at >= '0' && *at <= '9'; at++) {
		*id = *id * 10 + (*at - '0');
		if (*id > CPULIST_MAX_ID)
			return NULL;
	}
	return at == text ? NULL : at;
}

/* Parse one "5" or "0-3" into the set, whose end is behind its highest id: a pointer past it, or NULL. */
static const char *parse_range(const char *at, bool *set, int *end)
{
	int first, last;

	at = parse_id(at, &first);
	if (!at)
		return NULL;
	last = first;
	if (*at == '-') {
		at = parse_id(at + 1, &last);
		if (!at || last < first)
			return NULL;
	}
	for (int id = first; id <= last; id++)
		set[id] = true;
	if (last >= *end)
		*end = last + 1;
	return at;
}

/* The end of the set, or -1. */
static int parse_set(const char *text, bool *set)
{
	const char *at = text;
	int end = 0;

	for (;;) {
		at = parse_range(at, set, &end);
		if (!at)
			return -1;
		if (*at != ',')
			break;
		at++;
	}
	if (*at == '\n')
		at++;
	return *at ? -1 : end;
}

/* A set first: the text may be "3,1,1-2", the list is ascending without duplicates. */
int cpulist_parse(const char *text, struct cpulist *list)
{
	bool set[CPULIST_MAX_ID + 1] = { false };

	*list = (struct cpulist){ .ids = NULL };
	int end = parse_set(text, set);
	if (end < 0) {
		errno = EINVAL;
		return -1;
	}

	size_t count = 0;
	for (int id = 0; id < end; id++)
		count += set[id];
	list->ids = xcalloc(count, sizeof(*list->ids));
	for (int id = 0; id < end; id++)
		if (set[id])
			list->ids[list->count++] = id;
	return 0;
}

int cpulist_read(const char *path, struct cpulist *list)
{
	size_t len;

	*list = (struct cpulist){ .ids = NULL };
	char *text = sys_slurp(path, CPULIST_TEXT_MAX, &len);
	if (!text)
		return -1;
	int result = cpulist_parse(text, list);
	free(text);
	return result;
}

int cpulist_online(struct cpulist *list)
{
	return cpulist_read(CPULIST_ONLINE, list);
}

int cpulist_present(struct cpulist *list)
{
	return cpulist_read("/sys/devices/system/cpu/present", list);
}

long cpulist_find(const struct cpulist *list, int cpu)
{
	size_t low = 0, high = list->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (list->ids[middle] == cpu)
			return (long)middle;
		if (list->ids[middle] < cpu)
			low = middle + 1;
		else
			high = middle;
	}
	return -1;
}

bool cpulist_equal(const struct cpulist *a, const struct cpulist *b)
{
	if (a->count != b->count)
		return false;
	return a->count == 0 || memcmp(a->ids, b->ids, a->count * sizeof(*a->ids)) == 0;
}

void cpulist_fini(struct cpulist *list)
{
	free(list->ids);
	*list = (struct cpulist){ .ids = NULL };
}
