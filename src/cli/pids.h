/* SPDX-License-Identifier: MIT */
/*
 * pids - a list of process or thread ids, as it is typed: "812,813".
 */
#ifndef CLI_PIDS_H
#define CLI_PIDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Append the ids of `text` that are not yet among them to the *count ones of *pids (reallocated).  False if it is no
 * such list.
 */
bool pids_parse(const char *text, int32_t **pids, size_t *count);

#endif
