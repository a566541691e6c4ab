/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/abi.h"
#include "base/suggest.h"
#include "base/xalloc.h"
#include "event/grammar-parser.h"
#include "event/kind.h"
#include "event/pmu.h"

/* One term, "event=0x3c" or "edge". */
struct term {
	struct span whole;
	char *name;  /* owned */
	char *value; /* owned; NULL: none given */
};

/* An event whose terms are being read. */
struct reading {
	struct parser *parser;
	const struct item *item;
	const struct pmu *pmu; /* NULL: an event of no PMU */
	struct event_spec *spec;
	uint64_t words[PMU_WORDS];
	struct term alias; /* the one being expanded; its terms' faults are put at its place */
	bool is_in_alias;
};

/* --- splitting the text --------------------------------------------------------------------- */

static void term_fini(struct term *term)
{
	free(term->name);
	free(term->value);
	*term = (struct term){ 0 };
}

/* The length up to the next unquoted comma. */
static size_t term_length(const char *at, size_t length)
{
	bool is_quoted = false;

	for (size_t i = 0; i < length; i++) {
		if (at[i] == '\'')
			is_quoted = !is_quoted;
		else if (at[i] == ',' && !is_quoted)
			return i;
	}
	return length;
}

static char *unquoted(const char *at, size_t length)
{
	if (length >= 2 && at[0] == '\'' && at[length - 1] == '\'')
		return xstrndup(at + 1, length - 2);
	return xstrndup(at, length);
}

/* Take the next term off `rest`: false at its end. */
static bool next_term(struct span *rest, struct term *term)
{
	if (rest->at == NULL)
		return false;

	size_t length = term_length(rest->at, rest->length);
	const char *equals = memchr(rest->at, '=', length);
	size_t name_length = equals != NULL ? (size_t)(equals - rest->at) : length;

	term->whole = (struct span){ rest->at, length };
	term->name = xstrndup(rest->at, name_length);
	term->value = equals == NULL ? NULL : unquoted(equals + 1, length - name_length - 1);
	if (length == rest->length)
		*rest = (struct span){ NULL, 0 };
	else
		*rest = (struct span){ rest->at + length + 1, rest->length - length - 1 };
	return true;
}

/* Whether the user's own terms give a value for this one. */
static bool is_given(const struct reading *reading, const char *name)
{
	struct span rest = { reading->item->terms, reading->item->terms_length };
	bool found = false;

	for (struct term term = { 0 }; !found && next_term(&rest, &term); term_fini(&term))
		found = term.value != NULL && strcmp(term.name, name) == 0;
	return found;
}

/* --- faults --------------------------------------------------------------------------------- */

/* The place of a fault in the user's text: for a term of an alias, the alias's name. */
static struct span place(const struct reading *reading, const struct term *term)
{
	return reading->is_in_alias ? reading->alias.whole : term->whole;
}

static bool needs_number(struct reading *reading, const struct term *term)
{
	struct span at = place(reading, term);

	parser_fault(reading->parser, at.at, at.length, "'%s' takes a number: %s=1, %s=0x1f",
		     term->name, term->name, term->name);
	return false;
}

static void offer(void *ctx, const char *name)
{
	suggest_offer(ctx, name);
}

static bool unknown_term(struct reading *reading, const struct term *term)
{
	static const char *const general[] = { "config", "config1", "config2", "config3",
					       "name",	 "period",  "freq" };
	const struct catalog *catalog = reading->parser->catalog;
	struct span at = place(reading, term);
	struct suggest suggest;

	if (reading->pmu != NULL)
		parser_fault(reading->parser, at.at, at.length,
			     "PMU %s has neither a term nor an event '%s'", reading->pmu->name,
			     term->name);
	else
		parser_fault(reading->parser, at.at, at.length,
			     "there is no term '%s'; there are name period freq config",
			     term->name);
	suggest_init(&suggest, term->name);
	for (size_t i = 0; i < sizeof(general) / sizeof(general[0]); i++)
		suggest_offer(&suggest, general[i]);
	if (reading->pmu != NULL) {
		pmu_each_term(catalog->pmus, reading->pmu, offer, &suggest);
		pmu_each_event(catalog->pmus, reading->pmu, offer, &suggest);
	}
	parser_nearest(reading->parser, suggest_best(&suggest));
	return false;
}

/* --- terms that every event has -------------------------------------------------------------- */

enum outcome { TERM_DONE, TERM_WRONG, TERM_NOT_MINE };

static enum outcome outcome(bool is_done)
{
	return is_done ? TERM_DONE : TERM_WRONG;
}

static bool value_of(struct reading *reading, const struct term *term, uint64_t *value)
{
	if (term->value == NULL || !parser_number(term->value, strlen(term->value), value))
		return needs_number(reading, term);
	return true;
}

/* As value_of(); a term alone, "config2" or "edge", is 1, as with perf. */
static bool value_or_one(struct reading *reading, const struct term *term, uint64_t *value)
{
	if (term->value == NULL) {
		*value = 1;
		return true;
	}
	return value_of(reading, term, value);
}

/* period= and freq=: the last one wins, as with perf. */
static bool rate_term(struct reading *reading, const struct term *term, bool is_freq)
{
	uint64_t value;

	if (!value_of(reading, term, &value))
		return false;
	if (value == 0) {
		struct span at = place(reading, term);

		parser_fault(reading->parser, at.at, at.length, "'%s' has to be 1 or more",
			     term->name);
		return false;
	}
	reading->spec->period = is_freq ? 0 : value;
	reading->spec->freq = is_freq ? value : 0;
	return true;
}

static bool name_term(struct reading *reading, const struct term *term)
{
	if (term->value == NULL || term->value[0] == '\0' || strchr(term->value, '/') != NULL) {
		struct span at = place(reading, term);

		parser_fault(reading->parser, at.at, at.length,
			     "name= takes a name without a slash");
		return false;
	}
	free(reading->spec->name);
	reading->spec->name = xstrdup(term->value);
	reading->spec->is_named = true;
	return true;
}

/* Terms for perf record's file, which a live view has as options or not at all. */
static bool is_perf_only(const char *name)
{
	static const char *const names[] = {
		"call-graph", "stack-size",  "max-stack",     "time",
		"inherit",    "no-inherit",  "overwrite",     "nr",
		"percore",    "branch_type", "no-overwrite",  "aux-output",
		"metric-id",  "aux-action",  "ratio-to-prev", "aux-sample-size",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(name, names[i]) == 0)
			return true;
	}
	return name[0] == '@';
}

static enum outcome general_term(struct reading *reading, const struct term *term)
{
	static const char *const words[PMU_WORDS] = { "config", "config1", "config2", "config3" };

	for (size_t i = 0; i < PMU_WORDS; i++) {
		if (strcmp(term->name, words[i]) == 0)
			return outcome(value_or_one(reading, term, &reading->words[i]));
	}
	if (strcmp(term->name, "name") == 0)
		return outcome(name_term(reading, term));
	if (strcmp(term->name, "period") == 0)
		return outcome(rate_term(reading, term, false));
	if (strcmp(term->name, "freq") == 0)
		return outcome(rate_term(reading, term, true));
	if (is_perf_only(term->name)) {
		char *note = xasprintf("the term '%s' has no effect here", term->name);

		event_spec_note(reading->spec, note);
		free(note);
		return TERM_DONE;
	}
	return TERM_NOT_MINE;
}

/* --- terms of a PMU ------------------------------------------------------------------------- */

static bool read_terms(struct reading *reading, struct span rest);

static enum outcome format_term(struct reading *reading, const struct term *term)
{
	const struct pmus *pmus = reading->parser->catalog->pmus;
	struct span at = place(reading, term);
	struct pmu_format format;
	uint64_t value;

	if (pmu_format(pmus, reading->pmu, term->name, &format) != 0) {
		if (errno != EINVAL)
			return TERM_NOT_MINE;
		parser_fault(reading->parser, at.at, at.length,
			     "format/%s of PMU %s cannot be parsed", term->name,
			     reading->pmu->name);
		return TERM_WRONG;
	}
	/* "ldlat=?" in an alias: the user has to give the value, as a term of its own. */
	if (reading->is_in_alias && term->value != NULL && strcmp(term->value, "?") == 0) {
		if (is_given(reading, term->name))
			return TERM_DONE;
		parser_fault(reading->parser, at.at, at.length, "this event needs %s=VALUE as well",
			     term->name);
		return TERM_WRONG;
	}
	if (!value_or_one(reading, term, &value))
		return TERM_WRONG;
	if (pmu_format_apply(&format, value, reading->words) != 0) {
		parser_fault(reading->parser, at.at, at.length,
			     "'%s' is too large: at most 0x%" PRIx64 " fits", term->name,
			     pmu_format_max(&format));
		return TERM_WRONG;
	}
	return TERM_DONE;
}

static enum outcome alias_term(struct reading *reading, const struct term *term)
{
	struct pmu_alias alias;

	/* No alias within an alias: it could recurse endlessly. */
	if (reading->is_in_alias ||
	    pmu_alias(reading->parser->catalog->pmus, reading->pmu, term->name, &alias) != 0)
		return TERM_NOT_MINE;

	if (alias.unit != NULL) {
		free(reading->spec->unit);
		reading->spec->unit = xstrdup(alias.unit);
	}
	reading->spec->scale = alias.scale;
	/* All msr events but smi count clock cycles, not occurrences. */
	if (alias.unit == NULL && strcmp(reading->pmu->name, "msr") == 0 &&
	    strcmp(term->name, "smi") != 0)
		reading->spec->unit = xstrdup("cycles");
	reading->alias = *term;
	reading->is_in_alias = true;
	bool is_right = read_terms(reading, (struct span){ alias.terms, strlen(alias.terms) });
	reading->is_in_alias = false;
	pmu_alias_fini(&alias);
	return outcome(is_right);
}

/* "cpu/cycles/", "cpu_core/LLC-loads/": generic events of one PMU (type in config: Linux 5.13). */
static enum outcome legacy_term(struct reading *reading, const struct term *term)
{
	struct event_spec found = { 0 };
	const char *wrong;

	if (reading->is_in_alias || term->value != NULL ||
	    (strcmp(reading->pmu->name, "cpu") != 0 && !pmu_is_hybrid_core(reading->pmu)))
		return TERM_NOT_MINE;
	if (!kind_find(term->name, &found, &wrong) || wrong != NULL ||
	    (found.kind != EVENT_HARDWARE && found.kind != EVENT_CACHE))
		return TERM_NOT_MINE;
	reading->spec->type = found.type;
	reading->words[0] = found.config;
	if (pmu_is_hybrid_core(reading->pmu))
		reading->words[0] |= (uint64_t)reading->pmu->type << 32;
	return TERM_DONE;
}

/* "r1a8" as a term. */
static enum outcome raw_term(struct reading *reading, const struct term *term)
{
	if (term->name[0] != 'r' || term->value != NULL || term->name[1] == '\0' ||
	    strlen(term->name) > 17 ||
	    term->name[1 + strspn(term->name + 1, "0123456789abcdefABCDEF")] != '\0')
		return TERM_NOT_MINE;
	reading->words[0] = strtoull(term->name + 1, NULL, 16);
	return TERM_DONE;
}

static bool read_term(struct reading *reading, const struct term *term)
{
	enum outcome (*const readers[])(struct reading *, const struct term *) = {
		format_term,
		alias_term,
		legacy_term,
		raw_term,
	};
	enum outcome is = TERM_NOT_MINE;

	/* perf's order: the PMU's own terms take precedence over general terms of the same name. */
	for (size_t i = 0; reading->pmu != NULL && is == TERM_NOT_MINE &&
			   i < sizeof(readers) / sizeof(readers[0]);
	     i++)
		is = readers[i](reading, term);
	if (is == TERM_NOT_MINE)
		is = general_term(reading, term);
	return is == TERM_NOT_MINE ? unknown_term(reading, term) : is == TERM_DONE;
}

static bool read_terms(struct reading *reading, struct span rest)
{
	bool is_right = true;

	if (rest.length == 0)
		return true;
	for (struct term term = { 0 }; is_right && next_term(&rest, &term); term_fini(&term)) {
		if (term.name[0] == '\0') {
			struct span at = place(reading, &term);

			parser_fault(reading->parser, at.at, at.length > 0 ? at.length : 1,
				     "a term is missing here");
			is_right = false;
		} else {
			is_right = read_term(reading, &term);
		}
	}
	return is_right;
}

static bool read_into(struct reading *reading)
{
	struct event_spec *spec = reading->spec;
	const struct item *item = reading->item;

	reading->words[0] = spec->config;
	reading->words[1] = spec->config1;
	reading->words[2] = spec->config2;
	reading->words[3] = spec->config3;
	if (!read_terms(reading, (struct span){ item->terms, item->terms_length }))
		return false;
	spec->config = reading->words[0];
	spec->config1 = reading->words[1];
	spec->config2 = reading->words[2];
	spec->config3 = reading->words[3];
	return true;
}

bool terms_read(struct parser *parser, const struct item *item, const struct pmu *pmu,
		struct event_spec *spec)
{
	struct reading reading = { .parser = parser, .item = item, .pmu = pmu, .spec = spec };

	return read_into(&reading);
}

bool terms_apply(struct parser *parser, const struct item *item, struct event_spec *spec)
{
	struct reading reading = { .parser = parser, .item = item, .spec = spec };

	return item->terms == NULL || read_into(&reading);
}
