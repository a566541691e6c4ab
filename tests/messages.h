/* SPDX-License-Identifier: MIT */
/*
 * messages - the text of the program's errors and reasons is in tests/messages.txt alone (screens
 * and output have separate files): a line a message, its key, a tab, its text.  A * matches
 * anything that differs from machine to machine.  UPDATE=1 rewrites the lines that do not match and
 * adds those that are missing.
 *
 * Tests elsewhere check behaviour: an exit status, a place, an error's code, the nearest name.
 */
#ifndef MESSAGES_H
#define MESSAGES_H

#include <stdbool.h>

/*
 * Checks that `got` is the message of a key, which is made like printf's text and names the check,
 * too; unprintable bytes are \xHH in both, a newline within is \n.  NULL matches nothing.
 */
#define is_message(got, ...) messages_check((got), __FILE__, __LINE__, __VA_ARGS__)

bool messages_check(const char *got, const char *file, int line, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

#endif
