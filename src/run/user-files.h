/* SPDX-License-Identifier: MIT */
/*
 * user-files - where the user's own files are: $XDG_CONFIG_HOME/perftop-ng, or ~/.config/perftop-ng.
 */
#ifndef RUN_USER_FILES_H
#define RUN_USER_FILES_H

/*
 * The path of `name` in that folder, allocated; NULL: no home is known.  Variables that are not absolute
 * paths count for nothing.  Any thread, as long as none sets variables.
 */
char *user_files_path(const char *name);

#endif
