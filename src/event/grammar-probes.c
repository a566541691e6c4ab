/* SPDX-License-Identifier: MIT */
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "event/grammar-parser.h"
#include "event/uprobe.h"

/* What the uprobe and kprobe PMUs call their bit 0 when format/retprobe cannot be read. */
#define RETPROBE_BIT 1

static struct span span_to(const struct item *item, const char *from, const char *to)
{
	const char *end = item->start + item->length;

	return (struct span){ from, (size_t)((to != NULL ? to : end) - from) };
}

static const char *find(const struct item *item, const char *from, char c)
{
	return memchr(from, c, (size_t)(item->start + item->length - from));
}

static void refuse(struct parser *parser, const struct item *item, struct span at,
		   enum event_kind kind, const char *reason)
{
	parser_fault(parser, at.at, at.length > 0 ? at.length : 1, "%s", reason);
	parser_fault_row(parser, item, kind);
}

/* Modifiers behind a colon, or none; the item's name ends before them. */
static bool take_modifiers(struct parser *parser, struct item *item, const char *colon,
			   enum event_kind kind)
{
	if (colon == NULL)
		return true;

	struct span letters = span_to(item, colon + 1, NULL);
	item->modifiers = letters.at;
	item->modifiers_length = letters.length;
	item->name[colon - item->start] = '\0';
	if (modifiers_check(parser, letters.at, letters.length))
		return true;
	parser_fault_row(parser, item, kind);
	return false;
}

/* --- breakpoints: mem:ADDR[/LEN][:rwx][:MODIFIERS] ------------------------------------------- */

bool is_breakpoint(const char *at)
{
	return strncmp(at, "mem:", 4) == 0;
}

/* "rw", "x" in any order, each once: false when it is something else. */
static bool parse_access(struct span at, uint32_t *type)
{
	*type = 0;
	for (size_t i = 0; i < at.length; i++) {
		uint32_t bit = at.at[i] == 'r' ? HW_BREAKPOINT_R :
			       at.at[i] == 'w' ? HW_BREAKPOINT_W :
			       at.at[i] == 'x' ? HW_BREAKPOINT_X :
						 0;

		if (bit == 0 || (*type & bit) != 0)
			return false;
		*type |= bit;
	}
	return at.length > 0;
}

struct breakpoint {
	uint64_t address, length;
	uint32_t type;
};

static bool parse_place(struct parser *parser, const struct item *item,
			struct breakpoint *breakpoint, const char **end)
{
	const char *at = item->start + strlen("mem:");
	const char *colon = find(item, at, ':'), *slash = find(item, at, '/');

	if (slash != NULL && colon != NULL && slash > colon)
		slash = NULL;

	struct span address = span_to(item, at, slash != NULL ? slash : colon);
	if (!parser_number(address.at, address.length, &breakpoint->address)) {
		refuse(parser, item, address, EVENT_BREAKPOINT,
		       "an address is missing here: mem:0xADDRESS[/LENGTH][:rwx]");
		return false;
	}
	if (slash != NULL) {
		struct span length = span_to(item, slash + 1, colon);

		if (!parser_number(length.at, length.length, &breakpoint->length) ||
		    breakpoint->length == 0) {
			refuse(parser, item, length, EVENT_BREAKPOINT,
			       "a length in bytes is missing here: 1, 2, 4 or 8");
			return false;
		}
	}
	*end = colon;
	return true;
}

/* ":rwx" of `colon`, which then is that of the modifiers: false and a fault. */
static bool take_access(struct parser *parser, const struct item *item, const char **colon,
			uint32_t *type)
{
	const char *next = find(item, *colon + 1, ':');
	struct span access = span_to(item, *colon + 1, next);
	uint32_t given;

	if (parse_access(access, &given)) {
		*type = given;
		*colon = next;
		return true;
	}
	/* perf's rule: what is no access is modifiers already, and behind them comes nothing. */
	if (next == NULL && strspn(access.at, "rwx") < access.length)
		return true;
	if (next == NULL && access.length == 0)
		return true;
	refuse(parser, item, access, EVENT_BREAKPOINT,
	       "an access is r, w, x or several of them, each once");
	return false;
}

void parse_breakpoint(struct parser *parser, struct item *item)
{
	struct breakpoint breakpoint = { .type = HW_BREAKPOINT_RW };
	const char *colon;

	if (!parse_place(parser, item, &breakpoint, &colon) ||
	    (colon != NULL && !take_access(parser, item, &colon, &breakpoint.type)) ||
	    !take_modifiers(parser, item, colon, EVENT_BREAKPOINT))
		return;
	/* perf's lengths: code is as long as a long says, data 4. */
	if (breakpoint.length == 0)
		breakpoint.length = breakpoint.type & HW_BREAKPOINT_X ? sizeof(long) :
									HW_BREAKPOINT_LEN_4;

	struct event_spec *spec = parser_add(parser, EVENT_BREAKPOINT, item->name);
	spec->type = PERF_TYPE_BREAKPOINT;
	spec->bp_type = breakpoint.type;
	spec->config1 = breakpoint.address;
	spec->config2 = breakpoint.length;
	modifiers_apply(parser, item, spec);
}

/* --- probes: uprobe:PATH:SYMBOL[+OFFSET], kprobe:SYMBOL[+OFFSET] ----------------------------- */

static const struct {
	const char *prefix, *pmu;
	enum event_kind kind;
	bool is_return;
} families[] = {
	{ "uprobe:", "uprobe", EVENT_UPROBE, false },
	{ "uretprobe:", "uprobe", EVENT_UPROBE, true },
	{ "kprobe:", "kprobe", EVENT_KPROBE, false },
	{ "kretprobe:", "kprobe", EVENT_KPROBE, true },
};

#define FAMILIES (sizeof(families) / sizeof(families[0]))

static size_t family_of(const char *at)
{
	size_t i = 0;

	while (i < FAMILIES && strncmp(at, families[i].prefix, strlen(families[i].prefix)) != 0)
		i++;
	return i;
}

bool is_probe(const char *at)
{
	return family_of(at) < FAMILIES;
}

struct probe {
	size_t family;
	struct span path, symbol, offset; /* path and offset may be empty */
	uint64_t offset_value;
	bool is_address; /* the symbol is a number */
	uint64_t address;
};

/* Cut SYMBOL+OFFSET in two. */
static bool parse_symbol(struct parser *parser, const struct item *item, struct probe *probe,
			 const char *end)
{
	enum event_kind kind = families[probe->family].kind;
	struct span whole = span_to(item, probe->symbol.at, end);
	const char *plus = memchr(whole.at, '+', whole.length);

	probe->symbol.length = plus != NULL ? (size_t)(plus - whole.at) : whole.length;
	if (probe->symbol.length == 0) {
		refuse(parser, item, probe->symbol, kind, "a symbol or 0xOFFSET is missing here");
		return false;
	}
	probe->is_address = probe->symbol.at[0] >= '0' && probe->symbol.at[0] <= '9';
	if (probe->is_address &&
	    !parser_number(probe->symbol.at, probe->symbol.length, &probe->address)) {
		refuse(parser, item, probe->symbol, kind, "this is neither a symbol nor a number");
		return false;
	}
	if (plus == NULL)
		return true;
	probe->offset = (struct span){ plus + 1, whole.length - probe->symbol.length - 1 };
	if (!parser_number(probe->offset.at, probe->offset.length, &probe->offset_value)) {
		refuse(parser, item, probe->offset, kind, "a number is missing behind the +");
		return false;
	}
	if (families[probe->family].is_return && probe->offset_value != 0) {
		refuse(parser, item, probe->offset, kind,
		       "a function returns to one place only: no +OFFSET");
		return false;
	}
	return true;
}

static struct event_spec *add_probe(struct parser *parser, const struct item *item,
				    const struct probe *probe)
{
	const struct pmus *pmus = parser->catalog->pmus;
	const struct pmu *pmu = pmus != NULL ? pmus_find(pmus, families[probe->family].pmu) : NULL;
	struct event_spec *spec = parser_add(parser, families[probe->family].kind, item->name);
	struct pmu_format format;
	uint64_t words[PMU_WORDS] = { 0 };

	/* A kernel without this PMU says ENOENT when it is opened, and why.c what that means. */
	spec->type = pmu != NULL ? pmu->type : EVENT_TYPE_NONE;
	if (!families[probe->family].is_return)
		return spec;
	spec->config = RETPROBE_BIT;
	if (pmu != NULL && pmu_format(pmus, pmu, "retprobe", &format) == 0 &&
	    pmu_format_apply(&format, 1, words) == 0)
		spec->config = words[0];
	return spec;
}

static void refuse_uprobe(struct parser *parser, const struct item *item, const struct probe *probe,
			  const struct uprobe_fault *fault)
{
	struct span at = fault->part == UPROBE_FAULT_FILE ? probe->path : probe->symbol;

	parser_fault(parser, at.at, at.length, "%s", fault->reason);
	parser_nearest(parser, fault->nearest[0] != '\0' ? fault->nearest : NULL);
	parser_fault_row(parser, item, EVENT_UPROBE);
}

/* Where in which file: the file's real path, which the caller frees, or NULL and a fault. */
static char *resolve(const struct probe *probe, uint64_t *offset, struct uprobe_fault *fault)
{
	char *typed = xstrndup(probe->path.at, probe->path.length);
	char *path = uprobe_file(typed, fault);

	free(typed);
	if (path == NULL)
		return NULL;
	*offset = probe->address;
	if (!probe->is_address) {
		char *symbol = xstrndup(probe->symbol.at, probe->symbol.length);

		if (uprobe_offset(path, symbol, offset, fault) != 0) {
			free(path);
			path = NULL;
		}
		free(symbol);
	}
	*offset += probe->offset_value;
	return path;
}

static void parse_uprobe(struct parser *parser, struct item *item, struct probe *probe)
{
	const char *at = item->start + strlen(families[probe->family].prefix);
	const char *colon = find(item, at, ':');
	struct uprobe_fault fault;
	uint64_t offset;

	probe->path = span_to(item, at, colon);
	if (colon == NULL || probe->path.length == 0) {
		refuse(parser, item, probe->path, EVENT_UPROBE,
		       "a file and a symbol of it are wanted: uprobe:PATH:SYMBOL[+OFFSET]");
		return;
	}
	probe->symbol.at = colon + 1;
	colon = find(item, colon + 1, ':');
	if (!parse_symbol(parser, item, probe, colon) ||
	    !take_modifiers(parser, item, colon, EVENT_UPROBE))
		return;

	char *path = resolve(probe, &offset, &fault);
	if (path == NULL) {
		refuse_uprobe(parser, item, probe, &fault);
		return;
	}
	struct event_spec *spec = add_probe(parser, item, probe);
	spec->path = path;
	spec->config2 = offset;
	modifiers_apply(parser, item, spec);
}

static void parse_kprobe(struct parser *parser, struct item *item, struct probe *probe)
{
	probe->symbol.at = item->start + strlen(families[probe->family].prefix);

	const char *colon = find(item, probe->symbol.at, ':');
	if (!parse_symbol(parser, item, probe, colon) ||
	    !take_modifiers(parser, item, colon, EVENT_KPROBE))
		return;

	struct event_spec *spec = add_probe(parser, item, probe);
	if (!probe->is_address)
		spec->path = xstrndup(probe->symbol.at, probe->symbol.length);
	spec->config2 = probe->address + probe->offset_value;
	modifiers_apply(parser, item, spec);
}

void parse_probe(struct parser *parser, struct item *item)
{
	struct probe probe = { .family = family_of(item->start) };

	if (families[probe.family].kind == EVENT_UPROBE)
		parse_uprobe(parser, item, &probe);
	else
		parse_kprobe(parser, item, &probe);
}
