/* SPDX-License-Identifier: MIT */
/*
 * Tracepoints: "sched:sched_switch", "sched:*".
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "event/grammar-parser.h"
#include "event/kind.h"
#include "event/tracefs.h"

/* --- -e ------------------------------------------------------------------------------------- */

struct expansion {
	struct parser *parser;
	const struct item *item;
	size_t matches;
};

static int add_tracepoint(void *ctx, const char *system, const char *name)
{
	struct expansion *expansion = ctx;
	struct parser *parser = expansion->parser;
	struct event_spec found = { .kind = EVENT_TRACEPOINT, .type = PERF_TYPE_TRACEPOINT };
	long id = tracefs_id(parser->catalog->tracefs, system, name);

	if (id < 0)
		return 0;

	char *full = xasprintf("%s:%s", system, name);
	found.config = (uint64_t)id;
	struct event_spec *spec = parser_add_fixed(parser, expansion->item, &found, full);
	if (expansion->item->terms != NULL)
		spec->origin = xstrdup(full);
	free(full);
	parser_finish(parser, expansion->item, spec);
	expansion->matches++;
	/* Wrong terms leave a fault row, config 0, and apply to all matches: stop. */
	return parser->list->specs[parser->list->count - 1].config == 0;
}

static void no_tracefs(struct parser *parser, const struct item *item)
{
	parser_fault(parser, item->start, item->length, "%s",
		     tracefs_why(parser->catalog->tracefs_errno));
}

/* The name as perf probe and uprobes write it, where the part before the colon says so. */
static char *as_probe(const char *name)
{
	if (name[0] == '/')
		return xasprintf("uprobe:%s", name);
	if (strncmp(name, "probe:", 6) == 0)
		return xasprintf("kprobe:%s", name + 6);
	return NULL;
}

static void no_such_tracepoint(struct parser *parser, const struct item *item)
{
	size_t length = strlen(item->name);
	char *probe = as_probe(item->name);

	if (probe != NULL) {
		parser_fault(parser, item->start, length,
			     "this kernel has no such tracepoint, and a probe is named otherwise");
		parser_nearest(parser, probe);
	} else if (item->name[0] == ':' || item->name[length - 1] == ':') {
		parser_fault(parser, item->start, length,
			     "a tracepoint is SYSTEM:NAME, or SYSTEM:*");
	} else {
		parser_fault_nearest(parser, item,
				     strpbrk(item->name, "*?[") != NULL ?
					     "no tracepoint matches" :
					     "this kernel has no such tracepoint");
	}
	free(probe);
	parser_fault_row(parser, item, EVENT_TRACEPOINT);
}

static void parse_tracepoint(struct parser *parser, const struct item *item)
{
	if (parser->catalog->tracefs == NULL) {
		no_tracefs(parser, item);
		parser_fault_row(parser, item, EVENT_TRACEPOINT);
		return;
	}

	struct expansion expansion = { parser, item, 0 };
	char *colon = strchr(item->name, ':');
	*colon = '\0';
	tracefs_each(parser->catalog->tracefs, item->name, colon + 1, add_tracepoint, &expansion);
	*colon = ':';
	if (expansion.matches == 0)
		no_such_tracepoint(parser, item);
}

static bool parse(struct parser *parser, const struct item *item)
{
	if (strchr(item->name, ':') == NULL)
		return false;
	parse_tracepoint(parser, item);
	return true;
}

/* --- --list --------------------------------------------------------------------------------- */

struct visit {
	catalog_visit *visit;
	void *ctx;
};

static int visit_one(void *ctx, const char *system, const char *name)
{
	struct visit *visit = ctx;
	char *full = xasprintf("%s:%s", system, name);

	visit->visit(visit->ctx, full, NULL);
	free(full);
	return 0;
}

static void each(const struct catalog *catalog, catalog_visit *visit, void *ctx)
{
	struct visit all = { visit, ctx };

	if (catalog->tracefs != NULL)
		tracefs_each(catalog->tracefs, "*", "*", visit_one, &all);
}

/* Called with a field's declaration, "char comm[16]", and where in it the name begins. */
typedef void visit_field(struct strbuf *out, const char *line, size_t len, size_t start);

/* Skip the fields that every tracepoint has. */
static void split_field(const char *line, size_t len, visit_field *visit, struct strbuf *out)
{
	size_t end = len;

	if (end > 0 && line[end - 1] == ']') {
		while (end > 0 && line[end - 1] != '[')
			end--;
		end -= end > 0;
	}

	size_t start = end;
	while (start > 0 && line[start - 1] != ' ' && line[start - 1] != '*')
		start--;
	if (strncmp(line + start, "common_", 7) != 0)
		visit(out, line, len, start);
}

static void each_field(const struct catalog *catalog, const char *name, visit_field *visit,
		       struct strbuf *out)
{
	size_t len = event_system_length(name);

	if (catalog->tracefs == NULL || name[len] == '\0')
		return;

	char *system = xstrndup(name, len);
	char *text = tracefs_format(catalog->tracefs, system, name + len + 1, &len);
	free(system);
	const char *at = text != NULL ? strstr(text, "\tfield:") : NULL;
	while (at != NULL) {
		at += strlen("\tfield:");
		split_field(at, strcspn(at, ";"), visit, out);
		at = strstr(at, "\tfield:");
	}
	free(text);
}

static void add_name(struct strbuf *out, const char *line, size_t len, size_t start)
{
	size_t size = strcspn(line + start, "[;");

	if (out->len > 0)
		strbuf_putc(out, ' ');
	strbuf_add(out, line + start, size < len - start ? size : len - start);
}

static void describe(const struct catalog *catalog, const char *name, struct strbuf *out)
{
	each_field(catalog, name, add_name, out);
}

static void add_declaration(struct strbuf *out, const char *line, size_t len, size_t start)
{
	(void)start;
	strbuf_add(out, line, len);
	strbuf_putc(out, '\n');
}

static void declare(const struct catalog *catalog, const char *name, struct strbuf *out)
{
	each_field(catalog, name, add_declaration, out);
}

/* --- opening -------------------------------------------------------------------------------- */

/* Only these pass on the task's registers (kernel: perf_syscall_enter()), others those of the code that calls them. */
static bool fires_in_user_mode(const struct event_spec *spec)
{
	return strncmp(event_origin(spec), "syscalls:", 9) == 0;
}

static int ask(const struct catalog *catalog, struct perf_event_attr *attr, const char **text)
{
	(void)text;
	if (catalog->tracefs == NULL)
		return catalog->tracefs_errno;

	long id = tracefs_id(catalog->tracefs, "sched", "sched_switch");
	if (id < 0)
		return errno;
	attr->type = PERF_TYPE_TRACEPOINT;
	attr->config = (uint64_t)id;
	return 0;
}

static char *refused_id(const struct event_spec *spec, const struct why_place *place)
{
	(void)place;
	if (spec->name[0] == '0' + PERF_TYPE_TRACEPOINT)
		return xasprintf("no tracepoint has the id %llu: --list tracepoint has their names",
				 (unsigned long long)spec->config);
	return xasprintf(
		"the kernel does not take this tracepoint's id %llu with these options; was "
		"its module just unloaded?",
		(unsigned long long)spec->config);
}

static const struct why_cause causes[] = { { EINVAL, .make = refused_id }, { 0 } };

const struct kind *kind_tracepoint(void)
{
	static const struct kind kind = {
		.type = PERF_TYPE_TRACEPOINT,
		.fields = KIND_FIELDS_FORMAT,
		.parse = parse,
		.each = each,
		.describe = describe,
		.declare = declare,
		.fires_in_user_mode = fires_in_user_mode,
		.causes = causes,
		.probe = { "tracepoint", "sched:sched_switch",
			   "tracefs is not mounted: see tracefs", .ask = ask },
	};

	return &kind;
}
