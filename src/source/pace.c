/* SPDX-License-Identifier: MIT */
#include "source/pace.h"

#include "base/sys.h"

void pace_set(struct pace *pace, uint64_t now_ns)
{
	pace->now_ns = now_ns;
	pace->at_ns = sys_monotonic_ns();
}

void pace_pause(struct pace *pace, bool is_paused)
{
	if (pace->is_paused && !is_paused)
		pace_set(pace, pace->passed_ns > pace->now_ns ? pace->passed_ns : pace->now_ns);
	pace->is_paused = is_paused;
}

void pace_move(struct pace *pace, uint64_t target_ns)
{
	pace->is_moving = true;
	pace->target_ns = target_ns;
	pace->goes_back = target_ns <= pace->passed_ns + PACE_SLACK_NS;
}

void pace_stay(struct pace *pace)
{
	pace->is_moving = false;
	pace->goes_back = false;
}

void pace_again(struct pace *pace)
{
	pace->passed_ns = 0;
	pace->goes_back = false;
}

bool pace_passes_by(const struct pace *pace, uint64_t end_ns)
{
	return pace->is_moving && end_ns + PACE_SLACK_NS < pace->target_ns;
}

int pace_msec(const struct pace *pace, uint64_t end_ns)
{
	if (pace->is_moving)
		return 0;
	if (pace->is_paused)
		return -1;
	if (pace->speed <= 0 || end_ns <= pace->now_ns)
		return 0;

	double due = (double)(end_ns - pace->now_ns) / pace->speed;
	double left = due - (double)(sys_monotonic_ns() - pace->at_ns);

	if (left <= 0)
		return 0;
	return left > 1e9 ? 1000 : (int)(left / 1e6) + 1;
}
