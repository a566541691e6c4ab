/* SPDX-License-Identifier: MIT */
/*
 * Uprobes: "uprobe:PATH:SYMBOL[+OFF]", calls of a program's function; "uretprobe:", its returns.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "event/grammar-parser.h"
#include "event/kind.h"
#include "event/probe.h"
#include "event/uprobe.h"

/* --- -e ------------------------------------------------------------------------------------- */

struct uprobe_place {
	struct span path;
	struct probe_place place;
};

static void refuse_uprobe(struct parser *parser, const struct item *item,
			  const struct uprobe_place *probe, const struct uprobe_fault *fault)
{
	struct span at = fault->part == UPROBE_FAULT_FILE ? probe->path : probe->place.symbol;

	parser_fault(parser, at.at, at.length, "%s", fault->reason);
	parser_nearest(parser, fault->nearest[0] != '\0' ? fault->nearest : NULL);
	parser_fault_row(parser, item, EVENT_UPROBE);
}

/* Set *offset and return the file's real path, which the caller frees, or NULL and a fault. */
static char *resolve(const struct uprobe_place *probe, uint64_t *offset, struct uprobe_fault *fault)
{
	char *typed = xstrndup(probe->path.at, probe->path.length);
	char *path = uprobe_file(typed, fault);

	free(typed);
	if (path == NULL)
		return NULL;
	*offset = probe->place.address;
	if (!probe->place.is_address) {
		char *symbol = xstrndup(probe->place.symbol.at, probe->place.symbol.length);

		if (uprobe_offset(path, symbol, offset, fault) != 0) {
			free(path);
			path = NULL;
		}
		free(symbol);
	}
	*offset += probe->place.offset_value;
	return path;
}

static void parse_uprobe(struct parser *parser, struct item *item)
{
	struct uprobe_place probe = { .place.kind = EVENT_UPROBE };
	const char *at = probe_begin(&probe.place, item);
	const char *colon = item_find(item, at, ':');
	struct uprobe_fault fault;
	uint64_t offset;

	probe.path = item_span(item, at, colon);
	if (colon == NULL || probe.path.length == 0) {
		parser_refuse(parser, item, probe.path, EVENT_UPROBE,
			      "a file and a symbol of it are wanted: uprobe:PATH:SYMBOL[+OFFSET]");
		return;
	}
	probe.place.symbol.at = colon + 1;
	colon = item_find(item, colon + 1, ':');
	if (!parser_probe_symbol(parser, item, &probe.place, colon) ||
	    !parser_take_modifiers(parser, item, colon, EVENT_UPROBE))
		return;

	char *path = resolve(&probe, &offset, &fault);
	if (path == NULL) {
		refuse_uprobe(parser, item, &probe, &fault);
		return;
	}
	struct event_spec *spec = parser_add_probe(parser, item, &probe.place, "uprobe");
	spec->path = path;
	spec->config2 = offset;
	modifiers_apply(parser, item, spec);
}

/* --- --doctor: on a function of ours that is never called ------------------------------------- */

static void __attribute__((noinline, used)) watched_function(void)
{
	__asm__ volatile("");
}

/* The file offset of `address` in our executable; a line is "55d0-55e0 r-xp 00002000 ...". */
static int64_t file_offset(uintptr_t address)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	unsigned long start, end, offset;
	int64_t found = -1;
	char line[512];

	if (maps == NULL)
		return -1;
	while (found < 0 && fgets(line, sizeof(line), maps) != NULL) {
		if (sscanf(line, "%lx-%lx %*s %lx", &start, &end, &offset) == 3 &&
		    address >= start && address < end)
			found = (int64_t)(address - start + offset);
	}
	fclose(maps);
	return found;
}

static int ask(const struct catalog *catalog, struct perf_event_attr *attr, const char **text)
{
	static char path[4096];
	int64_t offset = file_offset((uintptr_t)watched_function);
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);

	(void)catalog;
	if (len < 0 || offset < 0)
		return ENOENT;
	path[len] = '\0';
	*text = path;
	attr->config2 = (uint64_t)offset;
	return probe_device_type("uprobe", attr);
}

/* --- opening -------------------------------------------------------------------------------- */

static const char *path_of(const struct event_spec *spec)
{
	return spec->path != NULL ? spec->path : "the file";
}

static char *refused_place(const struct event_spec *spec, const struct why_place *place)
{
	struct stat info;

	(void)place;
	if (stat(path_of(spec), &info) != 0)
		return xasprintf("%s: %s", path_of(spec), strerror(errno));
	if (!S_ISREG(info.st_mode))
		return xasprintf("%s is no file that can be run", spec->path);
	if (spec->config2 >= (unsigned long long)info.st_size)
		return xasprintf("offset 0x%llx is beyond the end of %s, which has 0x%llx bytes",
				 (unsigned long long)spec->config2, spec->path,
				 (unsigned long long)info.st_size);
	return xasprintf("no probe can be placed at offset 0x%llx of %s",
			 (unsigned long long)spec->config2, spec->path);
}

static char *gone(const struct event_spec *spec, const struct why_place *place)
{
	(void)place;
	if (probe_has_no_pmu(spec))
		return xstrdup("this kernel has no uprobes (built without CONFIG_UPROBE_EVENTS)");
	return xasprintf("%s is no longer there", path_of(spec));
}

static char *not_a_disk(const struct event_spec *spec, const struct why_place *place)
{
	(void)place;
	return xasprintf("%s is on a filesystem that cannot be probed (procfs, sysfs)",
			 path_of(spec));
}

static char *not_root(const struct event_spec *spec, const struct why_place *place)
{
	(void)spec;
	return why_for_root(place, "probes in programs", "CAP_SYS_ADMIN");
}

static const struct why_cause causes[] = {
	{ EACCES, .make = not_root },	   { EPERM, .make = not_root },
	{ EINVAL, .make = refused_place }, { ENOENT, .make = gone },
	{ EIO, .make = not_a_disk },	   { 0 },
};

const struct kind *kind_uprobe(void)
{
	static const struct kind kind = {
		.type = EVENT_TYPE_NONE,
		.fields = KIND_FIELDS_PROBE,
		.is_probe = true,
		.prefix = "uprobe:",
		.return_prefix = "uretprobe:",
		.parse_whole = parse_uprobe,
		.form = "uprobe:PATH:SYMBOL[+OFF]",
		.form_text = "calls of a program's function; uretprobe: its returns",
		.causes = causes,
		.probe = { "uprobe", "uprobe on a function of ours",
			   "this kernel was built without uprobes (CONFIG_UPROBE_EVENTS)",
			   .ask = ask },
	};

	return &kind;
}
