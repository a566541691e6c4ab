/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "event/grammar-parser.h"
#include "event/kind.h"
#include "event/pmu.h"

/* The retprobe bit of the uprobe and kprobe PMUs, for when format/retprobe cannot be read. */
#define RETPROBE_BIT 1

const char *probe_begin(struct probe_place *probe, const struct item *item)
{
	const struct kind *kind = kind_of(probe->kind);
	size_t length = strlen(kind->prefix);

	probe->is_return = strncmp(item->name, kind->prefix, length) != 0;
	return item->start + (probe->is_return ? strlen(kind->return_prefix) : length);
}

bool parser_probe_symbol(struct parser *parser, const struct item *item, struct probe_place *probe,
			 const char *end)
{
	enum event_kind kind = probe->kind;
	struct span whole = item_span(item, probe->symbol.at, end);
	const char *plus = memchr(whole.at, '+', whole.length);

	probe->symbol.length = plus != NULL ? (size_t)(plus - whole.at) : whole.length;
	if (probe->symbol.length == 0) {
		parser_refuse(parser, item, probe->symbol, kind,
			      "a symbol or 0xOFFSET is missing here");
		return false;
	}
	probe->is_address = probe->symbol.at[0] >= '0' && probe->symbol.at[0] <= '9';
	if (probe->is_address &&
	    !parser_number(probe->symbol.at, probe->symbol.length, &probe->address)) {
		parser_refuse(parser, item, probe->symbol, kind,
			      "this is neither a symbol nor a number");
		return false;
	}
	if (plus == NULL)
		return true;
	probe->offset = (struct span){ plus + 1, whole.length - probe->symbol.length - 1 };
	if (!parser_number(probe->offset.at, probe->offset.length, &probe->offset_value)) {
		parser_refuse(parser, item, probe->offset, kind, "a number is missing after the +");
		return false;
	}
	if (probe->is_return && probe->offset_value != 0) {
		parser_refuse(parser, item, probe->offset, kind,
			      "a function returns to one place only: no +OFFSET");
		return false;
	}
	return true;
}

struct event_spec *parser_add_probe(struct parser *parser, const struct item *item,
				    const struct probe_place *probe, const char *pmu_name)
{
	const struct pmus *pmus = parser->catalog->pmus;
	const struct pmu *pmu = pmus != NULL ? pmus_find(pmus, pmu_name) : NULL;
	struct event_spec *spec = parser_add(parser, probe->kind, item->name);
	struct pmu_format format;
	uint64_t words[PMU_WORDS] = { 0 };

	/* Without this PMU perf_event_open returns ENOENT, and the kind's causes explain it. */
	spec->type = pmu != NULL ? pmu->type : EVENT_TYPE_NONE;
	if (!probe->is_return)
		return spec;
	spec->config = RETPROBE_BIT;
	if (pmu != NULL && pmu_format(pmus, pmu, "retprobe", &format) == 0 &&
	    pmu_format_apply(&format, 1, words) == 0)
		spec->config = words[0];
	return spec;
}

bool probe_has_no_pmu(const struct event_spec *spec)
{
	return spec->type == EVENT_TYPE_NONE || (spec->path == NULL && spec->config2 == 0);
}
