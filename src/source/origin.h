/* SPDX-License-Identifier: MIT */
/* origin - where a recording is from, in its head: the machine, its processor and kernel, the command. */
#ifndef SOURCE_ORIGIN_H
#define SOURCE_ORIGIN_H

struct perfdata_writer;

/* A writer of this file, as perfdata_writer_open(), with this command; NULL and errno. */
struct perfdata_writer *origin_open(const char *path, char *const *argv);

#endif
