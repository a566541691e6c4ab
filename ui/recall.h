/* SPDX-License-Identifier: MIT */
/*
 * recall - the last texts that were typed at a prompt, to be had again with ^P and ^N as in a shell.
 */
#ifndef UI_RECALL_H
#define UI_RECALL_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/prompt.h"

#define RECALL_MAX 16

struct recall {
	char texts[RECALL_MAX][PROMPT_MAX]; /* [count] the newest first, none twice */
	size_t count;
	size_t at;		/* which one the prompt shows, from 1; 0: none */
	char typed[PROMPT_MAX]; /* what it showed before the first step */
};

/* A prompt was opened: the first step leads to the newest text other than what it shows. */
void recall_begin(struct recall *recall);

/* It was entered: keep its text as the newest; without room the oldest goes.  Not an empty one. */
void recall_keep(struct recall *recall, const char *text);

/*
 * An older text, or with `is_newer` the one after it, and after the newest what was typed; valid until
 * the next call.  `now` is what the prompt shows.  NULL: there is none.
 */
const char *recall_step(struct recall *recall, bool is_newer, const char *now);

#endif
