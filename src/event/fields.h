/* SPDX-License-Identifier: MIT */
/*
 * fields - the names and types of a tracepoint's fields, as far as filters need them.
 *
 * Read from the `field:` lines of its format file, plus the kernel's generic filter
 * fields (CPU, COMM).  libtraceevent is not used: it is confined to decode/, and no
 * record is decoded here.
 */
#ifndef EVENT_FIELDS_H
#define EVENT_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

/* How the kernel compares it (filter_assign_type() in kernel/trace/trace_events_filter.c). */
enum field_type {
	FIELD_NUMBER,
	FIELD_STRING,
	FIELD_USER_STRING, /* char * of a system call, in user memory: needs .ustring */
	FIELD_CPUMASK,
	FIELD_ARRAY, /* of a size that the kernel cannot compare: a filter would never match */
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
 * Parse the text of a format file; malformed lines are skipped.  `is_syscall`: of an event of the
 * system syscalls, whose pointers are to user memory.
 */
void fields_parse(struct fields *fields, const char *format, bool is_syscall);

/* Set the fields of a kprobe or uprobe of perf's own PMUs. */
void fields_of_probe(struct fields *fields);

/* Free the fields, not the struct. */
void fields_fini(struct fields *fields);

/* The field of this name, or NULL. */
const struct field *fields_find(const struct fields *fields, const char *name, size_t len);

/* Append "prev_comm (string), prev_pid, ...", the event's own fields first. */
void fields_print(const struct fields *fields, struct strbuf *out);

#endif
