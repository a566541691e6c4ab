/* SPDX-License-Identifier: MIT */
/*
 * protocol - the requests of main (a user without rights) to the opener, and the answers.
 *
 * One request and one answer at a time, both of fixed size, each a packet of a
 * SOCK_SEQPACKET pair; an answer's fd is passed with it.  Both ends are the same
 * program, forked, so the structs have the same layout.
 *
 *     OPEN     -> error, handle, fd     an event; the opener keeps a duplicate, known by its handle
 *     CLOSE    -> (no answer)           close that duplicate when idle
 *     MAP      -> error                 map its ring with the opener's rights, and hold it mapped
 *     UNMAP    -> (no answer)           main has mapped it too
 *     FILE     -> error, fd             one of the kernel's files, or a folder to list
 *     END      -> error                 SIGTERM or SIGKILL to the command after `--`
 *     SEAL     -> error                 all events were opened or tried: from now on no other probe
 *                                       or breakpoint, and no right that the events do not need
 */
#ifndef OPENER_PROTOCOL_H
#define OPENER_PROTOCOL_H

#include <linux/perf_event.h>
#include <stdint.h>

#include "event/tracefs.h"

enum opener_kind {
	OPENER_OPEN,
	OPENER_CLOSE,
	OPENER_MAP,
	OPENER_UNMAP,
	OPENER_FILE,
	OPENER_END,
	OPENER_SEAL,
	OPENER_KINDS,
};

/* Also enum tracefs_file.  Main can list the folders, but open nothing in them. */
enum opener_file {
	OPENER_KALLSYMS = TRACEFS_FILES, /* with addresses */
	OPENER_MAPS,			 /* of a process: /proc/PID/maps */
};

#define OPENER_TEXT 256 /* bytes, NUL included: a path or a symbol */
#define OPENER_NAME \
	128 /* bytes, NUL included; the longest name of a tracepoint in Linux 6.18 has 54 */
#define OPENER_NO_HANDLE UINT32_MAX
#define OPENER_NO_TEXT	 0u
#define OPENER_HAS_TEXT	 1u

struct opener_request {
	uint32_t kind;	 /* enum opener_kind */
	uint32_t handle; /* CLOSE, MAP; OPEN: its group's leader, or OPENER_NO_HANDLE */
	uint64_t pages;	 /* MAP: data pages */
	uint64_t flags;	 /* OPEN: PERF_FLAG_PID_CGROUP (pid unused, the folder's fd is sent), or 0;
			   END: the signal */
	int32_t pid;	 /* OPEN; FILE: of OPENER_MAPS */
	int32_t cpu;	 /* OPEN */
	uint32_t has_text;	     /* OPEN: text is what attr.config1 points to */
	uint32_t file;		     /* FILE: enum tracefs_file, enum opener_file */
	char system[OPENER_NAME];    /* FILE */
	char name[OPENER_NAME];	     /* FILE */
	char text[OPENER_TEXT];	     /* OPEN */
	struct perf_event_attr attr; /* OPEN */
};

struct opener_answer {
	int32_t error;	 /* 0, or an errno */
	uint32_t handle; /* OPEN */
};

#endif
