/* SPDX-License-Identifier: MIT */
/*
 * fake-kernel - an access that opens no event and returns texts as the kernel's files.
 */
#ifndef FAKE_KERNEL_H
#define FAKE_KERNEL_H

#include "capture/access.h"
#include "tap.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A tracepoint's format, of sys:tested: a sample of 12 bytes with its answer in the last four. */
#define FAKE_ID 77
#define FAKE_FORMAT                                                            \
	"name: tested\nID: 77\nformat:\n"                                      \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\n\tfield:int answer;\toffset:8;\tsize:4;\tsigned:1;\n\n"             \
	"print fmt: \"answer=%d\", REC->answer\n"

struct fake_kernel {
	const char *format, *kallsyms; /* NULL: refused, with `error` */
	const char *maps;	       /* of every process; NULL: refused */
	int error;
	unsigned int formats, symbols; /* how often each was asked for */
	char asked[64];		       /* the last format: "system/name" */
};

static inline int fake_file(const char *text, int error)
{
	if (text == NULL) {
		errno = error;
		return -1;
	}

	int fd = memfd_create("kernel", MFD_CLOEXEC);
	if (fd < 0 || write(fd, text, strlen(text)) < 0 || lseek(fd, 0, SEEK_SET) < 0)
		bail("memfd: %s", strerror(errno));
	return fd;
}

static inline int fake_open_event(void *ctx, const struct perf_event_attr *attr, const char *text,
				  pid_t pid, int cpu, int leader, unsigned long flags)
{
	(void)attr;
	(void)text;
	(void)pid;
	(void)cpu;
	(void)leader;
	(void)flags;
	errno = ((const struct fake_kernel *)ctx)->error;
	return -1;
}

static inline void fake_close_event(void *ctx, int fd)
{
	(void)ctx;
	close(fd);
}

static inline struct ring *fake_map_ring(void *ctx, int fd, size_t data_pages)
{
	(void)fd;
	(void)data_pages;
	errno = ((const struct fake_kernel *)ctx)->error;
	return NULL;
}

static inline int fake_open_tracefs(void *ctx, enum tracefs_file file, const char *system,
				    const char *name)
{
	struct fake_kernel *kernel = ctx;

	kernel->formats += file == TRACEFS_FORMAT;
	snprintf(kernel->asked, sizeof(kernel->asked), "%s/%s", system, name);
	return fake_file(kernel->format, kernel->error);
}

static inline int fake_open_kallsyms(void *ctx)
{
	struct fake_kernel *kernel = ctx;

	kernel->symbols++;
	return fake_file(kernel->kallsyms, kernel->error);
}

static inline int fake_open_maps(void *ctx, pid_t pid)
{
	const struct fake_kernel *kernel = ctx;

	(void)pid;
	return fake_file(kernel->maps, kernel->error);
}

/* Borrows the kernel. */
static inline struct access fake_access(struct fake_kernel *kernel)
{
	return (struct access){
		.ctx = kernel,
		.open_event = fake_open_event,
		.close_event = fake_close_event,
		.map_ring = fake_map_ring,
		.open_tracefs = fake_open_tracefs,
		.open_kallsyms = fake_open_kallsyms,
		.open_maps = fake_open_maps,
	};
}

#endif
