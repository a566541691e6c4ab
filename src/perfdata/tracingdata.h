/* SPDX-License-Identifier: MIT */
/*
 * tracingdata - the tracepoint formats in a perf.data file's tracing data.
 *
 *     17 08 44 "tracing" version\0  endian(1) long(1) page(4)
 *     "header_page\0" size(8) bytes   "header_event\0" size(8) bytes
 *     count(4) { size(8) bytes }                  ftrace's own events
 *     count(4) { system\0 count(4) { size(8) bytes } }
 *     kallsyms, printk formats, command lines     not read
 */
#ifndef PERFDATA_TRACINGDATA_H
#define PERFDATA_TRACINGDATA_H

#include <stdbool.h>
#include <stddef.h>

#include "perfdata/fieldformat.h"

/* Add all formats of all systems: false when the bytes end early or are malformed. */
bool tracingdata_parse(const unsigned char *bytes, size_t len, struct fieldformats *formats);

#endif
