/* SPDX-License-Identifier: MIT */
/* kernel-id - the build-id of the running kernel, and where its code begins. */
#ifndef SOURCE_KERNEL_ID_H
#define SOURCE_KERNEL_ID_H

#include "base/build-id.h"

struct access;

#define KERNEL_ID_PATH "/sys/kernel/notes"

/* The one among the ELF notes in this file; of size 0 when there is none. */
struct build_id kernel_id(const char *path);

/* The address of _text in /proc/kallsyms; 0 when it is hidden. */
unsigned long long kernel_text_address(const struct access *access);

#endif
