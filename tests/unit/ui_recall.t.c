/* SPDX-License-Identifier: MIT */
/* The texts that were typed at a prompt: which are kept, and in what order they come. */
#include "tap.h"
#include "ui/recall.h"

#include <stdio.h>
#include <string.h>

static struct recall recall;
static char now[PROMPT_MAX];

/* What the prompt shows after one step; "-" when there is none. */
static const char *step(bool is_newer)
{
	const char *text = recall_step(&recall, is_newer, now);

	if (text == NULL)
		return "-";
	snprintf(now, sizeof(now), "%s", text);
	return now;
}

static void begin(const char *text)
{
	recall_begin(&recall);
	snprintf(now, sizeof(now), "%s", text);
}

static void test_empty(void)
{
	recall = (struct recall){ .count = 0 };
	recall_keep(&recall, "");
	begin("x");
	is_str(step(false), "-", "nothing was typed: none before");
	is_str(step(true), "-", "none after");
}

static void test_order(void)
{
	recall = (struct recall){ .count = 0 };
	recall_keep(&recall, "a");
	recall_keep(&recall, "b");
	recall_keep(&recall, "c");
	begin("typ");
	is_str(step(false), "c", "the newest first");
	is_str(step(false), "b", "the one before");
	is_str(step(false), "a", "the oldest");
	is_str(step(false), "-", "no more");
	is_str(step(true), "b", "and back from there");
	is_str(step(true), "c", "to the newest");
	is_str(step(true), "typ", "to what was typed");
	is_str(step(true), "-", "no more");
	begin("c");
	is_str(step(false), "b", "what the prompt shows already is no step");
	recall_keep(&recall, "a");
	begin("");
	is_str(step(false), "a", "what is entered again is the newest");
	is_str(step(false), "c", "then the others");
	is_str(step(false), "b", "in their order");
	is_str(step(false), "-", "and not twice");
}

static void test_room(void)
{
	char text[PROMPT_MAX + 40];

	recall = (struct recall){ .count = 0 };
	for (int i = 0; i <= RECALL_MAX; i++) {
		snprintf(text, sizeof(text), "%d", i);
		recall_keep(&recall, text);
	}
	begin("");
	for (int i = 0; i < RECALL_MAX; i++)
		step(false);
	is_str(now, "1", "as many as there is room for");
	is_str(step(false), "-", "the first one is gone");
	recall_keep(&recall, now);
	begin("");
	is_str(step(false), "1", "the oldest, entered again");
	memset(text, 'l', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	recall_keep(&recall, text);
	begin("");
	is_u64(strlen(step(false)), PROMPT_MAX - 1, "a text is cut at the prompt's size");
	is_u64(recall.count, RECALL_MAX, "no more than these");
}

int main(void)
{
	plan_lazy();
	test_empty();
	test_order();
	test_room();
	return done();
}
