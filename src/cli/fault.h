/* SPDX-License-Identifier: MIT */
/*
 * fault - what is wrong with an option's text, shown with a caret under it.
 */
#ifndef CLI_FAULT_H
#define CLI_FAULT_H

#include <stddef.h>

/*
 * Print to stderr: the option with its text, of which a long one is cut to what is around the
 * fault, a caret under the `length` bytes at `column`, the reason, and the nearest name unless that
 * is "".
 */
void fault_print(const char *option, const char *text, size_t column, size_t length,
		 const char *reason, const char *nearest);

#endif
