/* SPDX-License-Identifier: MIT */
#include "source/resolver.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "base/sys.h"
#include "base/topology.h"
#include "base/xalloc.h"
#include "capture/format-text.h"
#include "decode/format.h"
#include "decode/ksymbols.h"
#include "source/code-names.h"
#include "source/proc-maps.h"
#include "source/procfs.h"

struct resolver {
	const struct evset *set;
	const struct access *access;
	struct formats *formats;
	struct ksymbols *ksymbols;
	struct proc_maps *proc_maps;
	struct code_names *code_names;
	struct procfs *procfs; /* NULL: its thread could not start */
	bool has_noted;
};

struct resolver *resolver_new(const struct evset *set, const struct access *access)
{
	struct resolver *resolver = xcalloc(1, sizeof(*resolver));

	resolver->set = set;
	resolver->access = access;
	resolver->formats = formats_new();
	resolver->ksymbols = ksymbols_new(access);
	resolver->proc_maps = proc_maps_new(access);
	resolver->code_names = code_names_new_live(&(struct code_files){ NULL, CODE_FILES_DEBUG });
	resolver->procfs = procfs_new("/proc");
	return resolver;
}

void resolver_free(struct resolver *resolver)
{
	if (resolver == NULL)
		return;

	formats_free(resolver->formats);
	ksymbols_free(resolver->ksymbols);
	proc_maps_free(resolver->proc_maps);
	code_names_free(resolver->code_names);
	procfs_free(resolver->procfs);
	free(resolver);
}

static const char *symbol(void *ctx, uint64_t address, const char **module)
{
	struct resolver *resolver = ctx;

	return ksymbols_find(resolver->ksymbols, address, module);
}

static void mappings(void *ctx, struct process_maps *processes, size_t count)
{
	struct resolver *resolver = ctx;

	proc_maps_read(resolver->proc_maps, processes, count);
}

static void code(void *ctx, struct code_name *places, size_t count)
{
	struct resolver *resolver = ctx;

	code_names_find(resolver->code_names, places, count);
}

/* Load the format of a tracepoint, at its first sample that is shown: whether it is known. */
static bool know_format(struct resolver *resolver, const struct event_spec *spec)
{
	if (formats_knows(resolver->formats, spec->config))
		return true;

	char *system;
	size_t len;
	char *text = format_text_read(resolver->access, spec, &system, &len);

	if (text != NULL)
		formats_add(resolver->formats, system, text, len);
	free(text);
	free(system);
	return formats_knows(resolver->formats, spec->config);
}

static bool fields(void *ctx, uint32_t event, const unsigned char *raw, size_t size, char *out,
		   size_t room)
{
	struct resolver *resolver = ctx;
	const struct event_spec *spec = &evset_event(resolver->set, event)->spec;
	struct strbuf text;

	if (!event_has_format(spec) || resolver->formats == NULL || !know_format(resolver, spec))
		return false;

	strbuf_init(&text);
	bool has_text = formats_print(resolver->formats, spec->config, 0, raw, size, &text);
	snprintf(out, room, "%s", text.text);
	strbuf_fini(&text);
	return has_text;
}

uint32_t resolver_wakes_at(struct resolver *resolver, uint32_t event)
{
	const struct evset_event *at = evset_event(resolver->set, event);

	if (at->spec.kind != EVENT_TRACEPOINT || !event_is_wakeup(event_origin(&at->spec)) ||
	    !(at->attr.sample_type & PERF_SAMPLE_RAW) || resolver->formats == NULL ||
	    !know_format(resolver, &at->spec))
		return 0;
	return formats_offset(resolver->formats, at->spec.config, EVENT_WOKEN_FIELD,
			      sizeof(int32_t));
}

static bool comm(void *ctx, int32_t tid, char *out, size_t room)
{
	char path[32];

	(void)ctx;
	snprintf(path, sizeof(path), "/proc/%d/comm", (int)tid);
	return sys_read_line(path, out, room);
}

static bool facts(void *ctx, int32_t tid, const char *name, struct task_facts *out)
{
	struct resolver *resolver = ctx;

	return resolver->procfs != NULL && procfs_find(resolver->procfs, tid, name, out);
}

static void places(void *ctx, const int *cpus, size_t count, struct cpu_place *out)
{
	(void)ctx;
	topology_read("/sys", cpus, count, out);
}

struct model_resolver resolver_hooks(struct resolver *resolver)
{
	return (struct model_resolver){ .ctx = resolver,
					.symbol = symbol,
					.mappings = mappings,
					.code = code,
					.fields = fields,
					.comm = comm,
					.facts = facts,
					.places = places };
}

void resolver_settle(struct resolver *resolver)
{
	ksymbols_wait(resolver->ksymbols);
	proc_maps_settle(resolver->proc_maps);
	code_names_settle(resolver->code_names);
}

const char *resolver_note(struct resolver *resolver)
{
	const char *note = resolver->has_noted ? NULL : ksymbols_complaint(resolver->ksymbols);

	resolver->has_noted |= note != NULL;
	return note;
}
