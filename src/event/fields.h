/* SPDX-License-Identifier: MIT */
/*
 * fields - the names and types of a tracepoint's fields, as far as a filter minds.
 *
 * Read from the `field:` lines of its format file; what the kernel's filters know
 * besides (CPU, COMM) is added.  libtraceevent knows far more, but lives in
 * decode/, and nothing here looks at a record.
 */
#ifndef EVENT_FIELDS_H
#define EVENT_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

/* What the kernel compares it as (filter_assign_type() in kernel/trace/trace_events_filter.c). */
enum field_type {
	FIELD_NUMBER,
	FIELD_STRING,
	FIELD_USER_STRING, /* char * of a system call: the kernel must be told to look in user memory */
	FIELD_CPUMASK,
	FIELD_ARRAY, /* of no size that the kernel compares: a filter on it would never match */
};

struct field {
	char *name;
	enum field_type type;
	bool is_signed;
	bool is_common; /* every event has it */
};

struct fields {
	struct field *all;
	size_t count;
};

/*
 * From the text of a format file; lines that make no sense are passed over.  `is_syscall`: of an
 * event of the system syscalls, whose pointers lead to user memory.
 */
void fields_parse(struct fields *fields, const char *format, bool is_syscall);

/* Those that a kprobe or uprobe of perf's own PMUs has. */
void fields_of_probe(struct fields *fields);

/* Free what it holds. */
void fields_fini(struct fields *fields);

/* The field of this name, or NULL. */
const struct field *fields_find(const struct fields *fields, const char *name, size_t len);

/* "prev_comm (string), prev_pid, ...", the event's own first. */
void fields_print(const struct fields *fields, struct strbuf *out);

#endif
