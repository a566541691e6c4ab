/* SPDX-License-Identifier: MIT */
/*
 * pace - when each interval of a replay is due: at the speed of its clock, while that is not paused, or
 * at once on the way to another time.
 *
 * Times are the file's, in ns, but for what sys_monotonic_ns() says.  One thread.
 */
#ifndef SOURCE_PACE_H
#define SOURCE_PACE_H

#include <stdbool.h>
#include <stdint.h>

/* A time to go to comes from a double since 1970, exact to 400 ns. */
#define PACE_SLACK_NS 1000

struct pace {
	double speed; /* the file's seconds per second; 0: without waiting */
	bool is_paused;
	bool is_moving; /* to the interval that has the time target_ns */
	bool goes_back; /* that ended already: the file is to be read again from its start */
	uint64_t target_ns;
	uint64_t passed_ns;	/* end of the last interval; 0: none yet */
	uint64_t now_ns, at_ns; /* at_ns of sys_monotonic_ns() the file's time was now_ns */
};

/* Time runs from `now_ns` on: at the start, at another time once a move has led there, behind a gap. */
void pace_set(struct pace *pace, uint64_t now_ns);

/* Stop, or go on from the end of the last interval, or of a gap. */
void pace_pause(struct pace *pace, bool is_paused);

/* Go to the interval that has the time `target_ns`; a later move replaces it. */
void pace_move(struct pace *pace, uint64_t target_ns);

/* Drop a move that has not arrived. */
void pace_stay(struct pace *pace);

/* The file is read from its start again. */
void pace_again(struct pace *pace);

/* Whether the interval that ends at `end_ns` is before the one that a move leads to. */
bool pace_passes_by(const struct pace *pace, uint64_t end_ns);

/* How long to wait for its end, at most a second; -1: until there is a command; 0: it is due. */
int pace_msec(const struct pace *pace, uint64_t end_ns);

#endif
