/* SPDX-License-Identifier: MIT */
#include "cli/filters.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/xalloc.h"
#include "capture/format-text.h"
#include "cli/fault.h"
#include "event/fieldfilter.h"
#include "event/kind.h"
#include "event/why.h"

/* -e '*:*' has thousands of events that all lack the field. */
#define FAULTS_SHOWN 3

/* --- faults --------------------------------------------------------------------------------- */

/* Print the text, a caret under the fault, the reason, and the event's fields. */
static void print_fault(const char *text, const struct event_spec *spec,
			const struct fieldfilter_fault *fault, const struct fields *fields)
{
	fault_print("--filter", text, fault->column, fault->length, fault->reason, fault->nearest);
	if (!fault->is_field_unknown)
		return;

	struct strbuf list;
	strbuf_init(&list);
	fields_print(fields, &list);
	fprintf(stderr, "  fields of %s: %s\n", spec->name, list.text);
	strbuf_fini(&list);
}

static void refuse(struct event_spec *spec, char *reason)
{
	free(spec->fault);
	spec->fault = reason;
}

/* --- fields --------------------------------------------------------------------------------- */

/* Before Linux 5.18 there was no .ustring, and a plain comparison read user memory. */
static bool has_ustring(void)
{
	struct utsname system;
	int major = 0, minor = 0;

	uname(&system);
	return sscanf(system.release, "%d.%d", &major, &minor) == 2 &&
	       (major > 5 || (major == 5 && minor >= 18));
}

/* The fields to filter by: 0, or -1 with spec->fault. */
static int find_fields(struct event_spec *spec, const struct access *access, struct fields *fields)
{
	enum kind_fields has = kind_of(spec->kind)->fields;

	if (has == KIND_FIELDS_PROBE) {
		fields_of_probe(fields);
		return 0;
	}
	if (has == KIND_FIELDS_NONE) {
		refuse(spec,
		       xasprintf("--filter: a %s event has no fields; tracepoints and probes do",
				 event_kind_name(spec->kind)));
		return -1;
	}

	size_t len;
	char *format = format_text_read(access, spec, NULL, &len);
	if (format == NULL) {
		refuse(spec, xasprintf("--filter: no format of %s to check it against: %s",
				       spec->name, why_name(errno)));
		return -1;
	}
	fields_parse(fields, format,
		     strncmp(event_origin(spec), "syscalls:", 9) == 0 && has_ustring());
	free(format);
	return 0;
}

/* --- one event ------------------------------------------------------------------------------ */

static void add_filter(struct event_spec *spec, const char *text)
{
	char *both = fieldfilter_join(spec->filter, text);

	free(spec->filter);
	spec->filter = both;
	if (strlen(both) > FIELDFILTER_MAX)
		refuse(spec, xasprintf("--filter: %zu bytes together, the kernel takes %d",
				       strlen(both), FIELDFILTER_MAX));
}

/* Whether all its filters are valid; `is_shown`: print faults to stderr. */
static bool apply(const struct options *options, size_t number, struct event_spec *spec,
		  const struct access *access, bool is_shown)
{
	struct fields fields;

	if (find_fields(spec, access, &fields) != 0) {
		if (is_shown)
			fprintf(stderr, "perftop-ng: %s: %s\n", spec->name, spec->fault);
		return false;
	}
	for (size_t i = 0; i < options->nfilters && spec->fault == NULL; i++) {
		const struct options_filter *filter = &options->filters[i];
		struct fieldfilter_fault fault;

		if (filter->event != number)
			continue;
		if (fieldfilter_check(filter->text, &fields, &fault)) {
			add_filter(spec, filter->text);
			continue;
		}
		if (is_shown)
			print_fault(filter->text, spec, &fault, &fields);
		refuse(spec,
		       xasprintf("--filter: at byte %zu: %s", fault.column + 1, fault.reason));
	}
	fields_fini(&fields);
	return spec->fault == NULL;
}

static bool has_filter(const struct options *options, size_t number)
{
	for (size_t i = 0; i < options->nfilters; i++) {
		if (options->filters[i].event == number)
			return true;
	}
	return false;
}

void filters_apply(const struct options *options, size_t number, struct event_list *list,
		   size_t first, const struct access *access)
{
	size_t faults = 0;

	if (!has_filter(options, number))
		return;
	for (size_t i = first; i < list->count; i++) {
		/* Skip events with a fault: it has been reported. */
		if (list->specs[i].fault == NULL &&
		    !apply(options, number, &list->specs[i], access, faults < FAULTS_SHOWN))
			faults++;
	}
	if (faults > FAULTS_SHOWN)
		fprintf(stderr, "perftop-ng: --filter: and %zu more of %s\n", faults - FAULTS_SHOWN,
			options->events[number]);
}
