/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "event/grammar-parser.h"

#define LETTERS "ukhpPGHSDIWeb"

/* perf's limit: precise_ip has two bits. */
#define PRECISE_MAX 3

bool modifiers_check(struct parser *parser, const char *at, size_t length)
{
	size_t precise = 0;

	if (length >= sizeof(((struct event_modifiers *)NULL)->text)) {
		parser_fault(parser, at, length, "too many modifiers");
		return false;
	}
	for (size_t i = 0; i < length; i++) {
		if (strchr(LETTERS, at[i]) == NULL) {
			parser_fault(parser, at + i, 1,
				     "'%c' is no modifier; there are u k h p P G H S D I W e b",
				     at[i]);
			return false;
		}
		/* Each letter at most once, except p: perf's rule. */
		if (at[i] != 'p' && memchr(at, at[i], i) != NULL) {
			parser_fault(parser, at + i, 1, "modifier '%c' is given twice", at[i]);
			return false;
		}
		if (at[i] == 'p' && ++precise > PRECISE_MAX) {
			parser_fault(parser, at + i, 1, "'p' is given more than three times");
			return false;
		}
	}
	return true;
}

/* Which families of letters came before, including the event's own before its group's. */
struct seen {
	bool level, machine;
};

/* The first of u, k, h excludes all levels, then each includes its own again. */
static void level(struct event_modifiers *modifiers, struct seen *seen, bool *mine)
{
	if (!seen->level)
		modifiers->exclude_user = modifiers->exclude_kernel = modifiers->exclude_hv = true;
	seen->level = true;
	*mine = false;
}

/* The same for G and H. */
static void machine(struct event_modifiers *modifiers, struct seen *seen, bool *mine)
{
	if (!seen->machine)
		modifiers->exclude_guest = modifiers->exclude_host = true;
	seen->machine = true;
	*mine = false;
}

static void precise(struct event_modifiers *modifiers, const struct seen *seen)
{
	modifiers->precise += modifiers->precise < PRECISE_MAX;
	/* perf's rule: a precise counter cannot distinguish guests, so it excludes them. */
	if (!seen->machine)
		modifiers->exclude_guest = true;
}

static void add_letter(struct event_spec *spec, char letter, struct seen *seen)
{
	struct event_modifiers *modifiers = &spec->modifiers;

	switch (letter) {
	case 'u':
		return level(modifiers, seen, &modifiers->exclude_user);
	case 'k':
		return level(modifiers, seen, &modifiers->exclude_kernel);
	case 'h':
		return level(modifiers, seen, &modifiers->exclude_hv);
	case 'G':
		return machine(modifiers, seen, &modifiers->exclude_guest);
	case 'H':
		return machine(modifiers, seen, &modifiers->exclude_host);
	case 'p':
		return precise(modifiers, seen);
	case 'P':
		modifiers->is_precise_max = true;
		modifiers->precise = PRECISE_MAX;
		return;
	case 'I':
		modifiers->exclude_idle = true;
		return;
	case 'D':
		modifiers->is_pinned = true;
		return;
	case 'e':
		modifiers->is_exclusive = true;
		return;
	case 'W':
		return; /* every event that does not open in its group opens without it */
	case 'S':
		if (spec->group == 0)
			return event_spec_note(spec, "':S' has no effect: it is for {}");
		modifiers->is_leader_sampled = true;
		return;
	case 'b':
		return event_spec_note(spec, "':b' has no effect: nothing is counted by BPF here");
	}
}

static void add_letters(struct event_spec *spec, const char *at, size_t length)
{
	struct event_modifiers *modifiers = &spec->modifiers;
	size_t used = strlen(modifiers->text);
	struct seen seen = { strpbrk(modifiers->text, "ukh") != NULL,
			     strpbrk(modifiers->text, "GH") != NULL };

	for (size_t i = 0; i < length; i++) {
		/* Skip a letter of the group's that the event already has. */
		if (at[i] != 'p' && strchr(modifiers->text, at[i]) != NULL)
			continue;
		add_letter(spec, at[i], &seen);
		if (used + 1 < sizeof(modifiers->text))
			modifiers->text[used++] = at[i];
	}
}

/* The kernel would open it, and always count 0 without an error (perf_tp_event_match). */
static bool is_silent_zero(const struct event_spec *spec)
{
	return spec->modifiers.exclude_kernel && !event_fires_in_user_mode(spec);
}

static void refuse_silent_zero(struct parser *parser, const struct item *item,
			       struct event_spec *spec)
{
	const struct grammar_faults *faults = parser->faults;
	bool is_own = item->modifiers_length > 0;
	const char *at = is_own ? item->modifiers : parser->outer;
	size_t length = is_own ? item->modifiers_length : parser->outer_length;

	spec->fault = xasprintf("':%s' excludes the kernel, but this event happens only there: it "
				"would always be 0",
				spec->modifiers.text);
	/* Report it once for a glob. */
	if (faults->count == 0 ||
	    faults->faults[faults->count - 1].column != (size_t)(at - parser->text))
		parser_fault(parser, at, length, "%s", spec->fault);
}

void modifiers_apply(struct parser *parser, const struct item *item, struct event_spec *spec)
{
	add_letters(spec, item->modifiers, item->modifiers_length);
	if (parser->outer != NULL)
		add_letters(spec, parser->outer, parser->outer_length);
	/* A name= stays as given; after a closing slash perf writes no colon. */
	if (spec->modifiers.text[0] != '\0' && !spec->is_named) {
		char *name = xasprintf("%s%s%s", spec->name, item->terms != NULL ? "" : ":",
				       spec->modifiers.text);

		free(spec->name);
		spec->name = name;
	}
	if (is_silent_zero(spec))
		refuse_silent_zero(parser, item, spec);
}
