/* SPDX-License-Identifier: MIT */
/* kernel-id - the build-id of the running kernel. */
#ifndef SOURCE_KERNEL_ID_H
#define SOURCE_KERNEL_ID_H

#include "base/build-id.h"

#define KERNEL_ID_PATH "/sys/kernel/notes"

/* The one among the ELF notes in this file; of size 0 when there is none. */
struct build_id kernel_id(const char *path);

#endif
