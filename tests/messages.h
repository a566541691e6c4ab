/* SPDX-License-Identifier: MIT */
/*
 * messages - what the program says of errors and reasons stands word for word in tests/messages.txt
 * alone (screens and output are files of their own): a line a message, its key, a tab, its text.  * stands for anything in what differs from machine to machine.
 * UPDATE=1 rewrites the lines that do not match and adds those that are missing.
 *
 * Tests elsewhere check behaviour: an exit status, a place, an error's code, the nearest name.
 */
#ifndef MESSAGES_H
#define MESSAGES_H

#include <stdbool.h>

/*
 * Checks that `got` is the message of a key, which is made like printf's text and names the check,
 * too; bytes that are not printed stand in both as \xHH, a newline within as \n.  NULL matches nothing.
 */
#define is_message(got, ...) messages_check((got), __FILE__, __LINE__, __VA_ARGS__)

bool messages_check(const char *got, const char *file, int line, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

#endif
