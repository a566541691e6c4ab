/* SPDX-License-Identifier: MIT */
/*
 * list - --list: the events that can be watched here, a line each.
 */
#ifndef CLI_LIST_H
#define CLI_LIST_H

/* Print what matches the glob (NULL: all): the exit status. */
int list_print(const char *glob);

#endif
