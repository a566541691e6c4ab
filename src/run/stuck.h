/* SPDX-License-Identifier: MIT */
/*
 * stuck - why a thread of this process does not go on, for a message.
 */
#ifndef RUN_STUCK_H
#define RUN_STUCK_H

/*
 * What holds up a thread with this name, as "perftop-reader is stopped by a debugger"; NULL when there is
 * none, or it is exiting.  The caller frees.
 */
char *stuck_thread(const char *name);

#endif
