/* SPDX-License-Identifier: MIT */
#include "base/suggest.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define NAME_MAX_LEN (sizeof(((struct suggest *)NULL)->best) - 1)

static int fold(char c)
{
	return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static size_t min3(size_t a, size_t b, size_t c)
{
	size_t ab = a < b ? a : b;
	return ab < c ? ab : c;
}

/*
 * The edit distance from a to b, where swapped neighbours ("cycels") are one edit.
 * Three rows are enough: a swap looks two back.
 */
static size_t edits(const char *a, size_t a_len, const char *b, size_t b_len)
{
	size_t rows[3][NAME_MAX_LEN + 1];
	size_t *before = rows[0], *last = rows[1], *row = rows[2];

	for (size_t j = 0; j <= b_len; j++)
		last[j] = j;
	for (size_t i = 1; i <= a_len; i++) {
		row[0] = i;
		for (size_t j = 1; j <= b_len; j++) {
			bool same = fold(a[i - 1]) == fold(b[j - 1]);
			row[j] = min3(last[j] + 1, row[j - 1] + 1, last[j - 1] + !same);
			if (i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) &&
			    fold(a[i - 2]) == fold(b[j - 1]) && before[j - 2] + 1 < row[j])
				row[j] = before[j - 2] + 1;
		}
		size_t *free_row = before;
		before = last;
		last = row;
		row = free_row;
	}
	return last[b_len];
}

void suggest_init(struct suggest *suggest, const char *typed)
{
	size_t len = strlen(typed);

	suggest->typed = typed;
	suggest->best[0] = '\0';
	/* One more than the limit: an offer has to be nearer than this. */
	suggest->distance = (len < 3 ? 1 : len / 3) + 1;
}

static void offer_part(struct suggest *suggest, const char *name, const char *part, size_t extra)
{
	size_t typed_len = strlen(suggest->typed), part_len = strlen(part);

	if (typed_len > NAME_MAX_LEN || part_len > NAME_MAX_LEN || strlen(name) > NAME_MAX_LEN)
		return;
	/* Each byte of length difference is an edit: this cheap check rejects most names. */
	size_t gap = typed_len > part_len ? typed_len - part_len : part_len - typed_len;
	if (gap + extra >= suggest->distance)
		return;

	size_t distance = edits(suggest->typed, typed_len, part, part_len) + extra;
	if (distance < suggest->distance) {
		suggest->distance = distance;
		snprintf(suggest->best, sizeof(suggest->best), "%s", name);
	}
}

void suggest_offer(struct suggest *suggest, const char *name)
{
	offer_part(suggest, name, name, 0);

	/* Suggest "sched:sched_switch" for "sched_switch", whatever the edit distance. */
	const char *colon = strchr(name, ':');
	if (colon && !strchr(suggest->typed, ':'))
		offer_part(suggest, name, colon + 1, 1);
}

const char *suggest_best(const struct suggest *suggest)
{
	return suggest->best[0] ? suggest->best : NULL;
}
