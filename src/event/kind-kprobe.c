/* SPDX-License-Identifier: MIT */
/*
 * Kprobes: "kprobe:SYMBOL[+OFF]", calls of a kernel function; "kretprobe:", its returns.
 */
#include <errno.h>

#include "base/xalloc.h"
#include "event/grammar-parser.h"
#include "event/kind.h"
#include "event/probe.h"

static void parse_kprobe(struct parser *parser, struct item *item)
{
	struct probe_place probe = { .kind = EVENT_KPROBE };

	probe.symbol.at = probe_begin(&probe, item);

	const char *colon = item_find(item, probe.symbol.at, ':');

	if (!parser_probe_symbol(parser, item, &probe, colon) ||
	    !parser_take_modifiers(parser, item, colon, EVENT_KPROBE))
		return;

	struct event_spec *spec = parser_add_probe(parser, item, &probe, "kprobe");
	if (!probe.is_address)
		spec->path = xstrndup(probe.symbol.at, probe.symbol.length);
	spec->config2 = probe.address + probe.offset_value;
	modifiers_apply(parser, item, spec);
}

static bool never(const struct event_spec *spec)
{
	(void)spec;
	return false;
}

/* do_exit: exists on every kernel with kprobes, and is called only once per task. */
static int ask(const struct catalog *catalog, struct perf_event_attr *attr, const char **text)
{
	(void)catalog;
	*text = "do_exit";
	return probe_device_type("kprobe", attr);
}

static char *no_function(const struct event_spec *spec, const struct why_place *place)
{
	(void)place;
	if (probe_has_no_pmu(spec))
		return xstrdup("this kernel has no kprobes (built without CONFIG_KPROBES or "
			       "CONFIG_KPROBE_EVENTS): use a tracepoint");
	return xasprintf("the kernel has no function %s that can be probed",
			 spec->path != NULL ? spec->path : "there");
}

static char *not_root(const struct event_spec *spec, const struct why_place *place)
{
	(void)spec;
	return why_for_root(place, "probes in the kernel", "CAP_PERFMON");
}

static const struct why_cause causes[] = {
	{ EACCES, .make = not_root },
	{ EPERM, .make = not_root },
	{ EINVAL,
	  .text = "the kernel allows no probe here (kprobes/blacklist in debugfs), or the offset is "
		  "outside of the function" },
	{ ENOENT, .make = no_function },
	{ 0 },
};

const struct kind *kind_kprobe(void)
{
	static const struct kind kind = {
		.type = EVENT_TYPE_NONE,
		.fields = KIND_FIELDS_PROBE,
		.is_probe = true,
		.prefix = "kprobe:",
		.return_prefix = "kretprobe:",
		.parse_whole = parse_kprobe,
		.form = "kprobe:SYMBOL[+OFF]",
		.form_text = "calls of a kernel function; kretprobe: its returns",
		.fires_in_user_mode = never,
		.causes = causes,
		.probe = { "kprobe", "kprobe:do_exit",
			   "this kernel was built without kprobes (CONFIG_KPROBES, CONFIG_KPROBE_EVENTS)",
			   .ask = ask },
	};

	return &kind;
}
