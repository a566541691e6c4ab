/* SPDX-License-Identifier: MIT */
#include "ui/recall.h"

#include <stdio.h>
#include <string.h>

void recall_begin(struct recall *recall)
{
	recall->at = 0;
}

void recall_keep(struct recall *recall, const char *text)
{
	char kept[PROMPT_MAX];
	size_t at = 0;

	if (text[0] == '\0')
		return;
	snprintf(kept, sizeof(kept), "%s", text);
	while (at < recall->count && strcmp(recall->texts[at], kept) != 0)
		at++;
	if (at == recall->count && recall->count < RECALL_MAX)
		recall->count++;
	if (at == RECALL_MAX)
		at--;
	memmove(recall->texts[1], recall->texts[0], at * sizeof(recall->texts[0]));
	snprintf(recall->texts[0], sizeof(recall->texts[0]), "%s", kept);
}

static const char *older(struct recall *recall, const char *now)
{
	size_t at = recall->at;

	/* The filter that is in force is in the prompt from the start. */
	while (at < recall->count && strcmp(recall->texts[at], now) == 0)
		at++;
	if (at == recall->count)
		return NULL;
	if (recall->at == 0)
		snprintf(recall->typed, sizeof(recall->typed), "%s", now);
	recall->at = at + 1;
	return recall->texts[at];
}

const char *recall_step(struct recall *recall, bool is_newer, const char *now)
{
	if (!is_newer)
		return older(recall, now);
	if (recall->at == 0)
		return NULL;
	recall->at--;
	return recall->at > 0 ? recall->texts[recall->at - 1] : recall->typed;
}
