/* SPDX-License-Identifier: MIT */
/*
 * list - --list: the events that can be watched here.
 *
 * As text a line each of what opens; what does not is summed up on stderr.  Verbose, what does not
 * open has its line, too, with the reason, and each event its fields.  JSON is one object with
 * all that have a name.
 */
#ifndef CLI_LIST_H
#define CLI_LIST_H

#include <stdbool.h>

struct list_options {
	const char *pattern; /* see list-match.h; NULL: all */
	bool is_json;
	bool is_verbose;
};

/* Print it: the exit status, a failure when no event matches that opens. */
int list_print(const struct list_options *options);

#endif
