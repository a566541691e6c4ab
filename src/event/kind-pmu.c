/* SPDX-License-Identifier: MIT */
/*
 * Events of a PMU, by its terms or by the names that sysfs gives them: "msr/tsc/", "tsc".
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "base/xalloc.h"
#include "event/grammar-parser.h"
#include "event/kind.h"
#include "event/pmu.h"
#include "event/probe.h"

/* --- -e ------------------------------------------------------------------------------------- */

static bool add_pmu_event(struct parser *parser, const struct item *item, const struct pmu *pmu)
{
	char *name = xasprintf("%s/%.*s/", pmu->name, (int)item->terms_length, item->terms);
	struct event_spec *spec = parser_add(parser, EVENT_PMU, name);

	free(name);
	spec->type = pmu->type;
	spec->is_uncore = pmu->is_uncore;
	event_spec_bind(spec, &pmu->cpus);
	if (!terms_read(parser, item, pmu, spec)) {
		event_spec_fini(spec);
		parser->list->count--;
		parser_fault_row(parser, item, EVENT_PMU);
		return false;
	}
	modifiers_apply(parser, item, spec);
	return true;
}

/* These PMUs take a pointer to a string: a number from the user would be dereferenced. */
static bool is_string_pmu(const char *name)
{
	return strcmp(name, "uprobe") == 0 || strcmp(name, "kprobe") == 0;
}

static void no_pmu(struct parser *parser, const struct item *item)
{
	const struct pmus *pmus = parser->catalog->pmus;
	struct suggest suggest;

	suggest_init(&suggest, item->name);
	for (size_t i = 0; pmus != NULL && i < pmus_count(pmus); i++)
		suggest_offer(&suggest, pmus_at(pmus, i)->name);
	parser_fault(parser, item->start, strlen(item->name),
		     "this machine has no PMU of this name%s",
		     suggest_best(&suggest) != NULL ? "" : "; --list pmu shows what there is");
	parser_nearest(parser, suggest_best(&suggest));
	parser_fault_row(parser, item, EVENT_PMU);
}

static void parse_terms(struct parser *parser, const struct item *item)
{
	const struct pmus *pmus = parser->catalog->pmus;
	size_t matches = 0;

	if (is_string_pmu(item->name)) {
		parser_fault(parser, item->start, item->length, "a probe is written %s:%s",
			     item->name,
			     item->name[0] == 'u' ? "PATH:SYMBOL[+OFF]" : "SYMBOL[+OFF]");
		parser_fault_row(parser, item, EVENT_PMU);
		return;
	}
	for (size_t i = 0; pmus != NULL && i < pmus_count(pmus); i++) {
		const struct pmu *pmu = pmus_at(pmus, i);

		if (!pmu_is_meant(pmu->name, item->name) || is_string_pmu(pmu->name))
			continue;
		matches++;
		/* A fault in one instance applies to all: report it once. */
		if (!add_pmu_event(parser, item, pmu))
			return;
	}
	if (matches == 0)
		no_pmu(parser, item);
}

static size_t parse_bare(struct parser *parser, const struct item *item)
{
	const struct pmus *pmus = parser->catalog->pmus;
	size_t matches = 0;

	for (size_t i = 0; pmus != NULL && i < pmus_count(pmus); i++) {
		const struct pmu *pmu = pmus_at(pmus, i);
		struct pmu_alias alias;

		if (pmu_alias(pmus, pmu, item->name, &alias) != 0)
			continue;
		pmu_alias_fini(&alias);

		/* The event's name becomes the only term. */
		struct item full = *item;
		full.terms = item->start;
		full.terms_length = strlen(item->name);
		matches++;
		if (!add_pmu_event(parser, &full, pmu))
			break;
	}
	return matches;
}

static bool parse(struct parser *parser, const struct item *item)
{
	if (strchr(item->name, ':') != NULL)
		return false;
	if (item->terms == NULL)
		return parse_bare(parser, item) > 0;
	parse_terms(parser, item);
	return true;
}

static bool has_name(const struct catalog *catalog, const char *name)
{
	const struct pmus *pmus = catalog->pmus;

	for (size_t i = 0; pmus != NULL && i < pmus_count(pmus); i++) {
		struct pmu_alias alias;

		if (pmu_alias(pmus, pmus_at(pmus, i), name, &alias) == 0) {
			pmu_alias_fini(&alias);
			return true;
		}
	}
	return false;
}

/* --- --list --------------------------------------------------------------------------------- */

struct visit {
	catalog_visit *visit;
	void *ctx;
	const struct pmu *pmu; /* whose events they are */
};

static void visit_one(void *ctx, const char *name)
{
	struct visit *visit = ctx;
	char *full = xasprintf("%s/%s/", visit->pmu->name, name);

	visit->visit(visit->ctx, full, NULL);
	free(full);
}

static void each(const struct catalog *catalog, catalog_visit *visit, void *ctx)
{
	struct visit all = { visit, ctx, NULL };

	for (size_t i = 0; catalog->pmus != NULL && i < pmus_count(catalog->pmus); i++) {
		all.pmu = pmus_at(catalog->pmus, i);
		pmu_each_event(catalog->pmus, all.pmu, visit_one, &all);
	}
}

static void describe(const struct catalog *catalog, const char *name, struct strbuf *out)
{
	size_t len = strcspn(name, "/");
	char *pmu_name = xstrndup(name, len);
	const struct pmu *pmu = catalog->pmus != NULL ? pmus_find(catalog->pmus, pmu_name) : NULL;
	struct pmu_alias alias;

	free(pmu_name);
	if (pmu == NULL || name[len] == '\0')
		return;

	char *event = xstrndup(name + len + 1, strcspn(name + len + 1, "/"));
	if (pmu_alias(catalog->pmus, pmu, event, &alias) == 0) {
		strbuf_puts(out, alias.terms);
		if (alias.unit != NULL)
			strbuf_printf(out, ", in %s", alias.unit);
		pmu_alias_fini(&alias);
	}
	free(event);
}

/* --- opening -------------------------------------------------------------------------------- */

static int ask(const struct catalog *catalog, struct perf_event_attr *attr, const char **text)
{
	(void)catalog;
	(void)text;
	return probe_device_type("msr", attr); /* config 0 is the time stamp counter */
}

static char *refused_terms(const struct event_spec *spec, const struct why_place *place)
{
	if (spec->is_uncore && place->pid >= 0)
		return xstrdup("this PMU counts for the whole machine, not for a task: -a");
	if (spec->modifiers.text[0] != '\0')
		return xasprintf("this PMU does not support the modifiers ':%s': leave them out",
				 spec->modifiers.text);
	return xstrdup("this PMU has no event with these terms");
}

static const struct why_cause causes[] = { { EINVAL, .make = refused_terms }, { 0 } };

const struct kind *kind_pmu(void)
{
	static const struct kind kind = {
		.type = EVENT_TYPE_NONE,
		.is_on_counter = true,
		.parse = parse,
		.has_name = has_name,
		.each = each,
		.describe = describe,
		.form = "PMU/TERM=N,.../",
		.form_text = "an event of a PMU, by the terms of its format",
		.causes = causes,
		.probe = { "msr", "msr/tsc/", "this machine has no such PMU; it is x86's",
			   .ask = ask },
	};

	return &kind;
}
