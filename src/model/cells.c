/* SPDX-License-Identifier: MIT */
#include "model/cells.h"

void cell_count(struct cell *cell, const struct count *count, uint64_t read_ns)
{
	/* A mark that waited in the queue can be older than counts that came without a mark. */
	if (!count->is_open || read_ns < cell->read_ns)
		return;
	if (count->is_unread) {
		cell->read_ns = read_ns;
		return;
	}
	if (count->generation != cell->last.generation) {
		/* Reopened within the interval: its rate is measured from that time on. */
		if (count->generation > 1 && read_ns - count->enabled_ns > cell->tick_read_ns)
			cell->tick_read_ns = read_ns - count->enabled_ns;
		cell->last = (struct count){ .generation = count->generation };
	}

	cell->now.total += count->value - cell->last.value;
	cell->now.lost += count->lost - cell->last.lost;
	cell->now.enabled_ns += count->enabled_ns - cell->last.enabled_ns;
	cell->now.running_ns += count->running_ns - cell->last.running_ns;
	cell->last = *count;
	cell->read_ns = read_ns;
}

void cell_settle_weight(struct cell *cell)
{
	cell->now.weight = cell->weighed;
	cell->now.late = cell->late;
}

void cell_settle(struct cell *cell)
{
	const struct sample_count *sample = &cell->sample;

	if (sample->id != 0 && sample->id == cell->last.id && sample->value > cell->last.value) {
		cell->now.total += sample->value - cell->last.value;
		cell->last.value = sample->value;
	}
	cell->now.sampled = cell->decoded;
	cell_settle_weight(cell);
}

uint64_t cell_growth(const struct cell *cell, const struct sample_count *sample)
{
	if (sample->id != cell->sample.id)
		return sample->value;
	/* A count decreases only in a damaged file. */
	return sample->value > cell->sample.value ? sample->value - cell->sample.value : 0;
}

/* Samples lost since the last one of the same fd. */
static uint64_t lost_between(const struct cell *cell, const struct sample_count *sample)
{
	uint64_t before = sample->id == cell->sample.id ? cell->sample.lost : 0;

	return sample->lost > before ? sample->lost - before : 0;
}

struct weight cell_weigh(struct cell *cell, const struct sample_count *sample, uint64_t period,
			 bool is_next)
{
	uint64_t closed_id = is_next ? cell->last.id : cell->closed_id;
	uint64_t closed = is_next ? cell->last.value : cell->closed_value;
	/* Lost samples represent equal parts of the growth. */
	uint64_t total = cell_growth(cell, sample) / (1 + lost_between(cell, sample));
	struct weight weight;

	if (period != 0 && total > period)
		total = period;
	weight.total = weight.interval = total;
	if (sample->id == closed_id && sample->value < closed + total)
		weight.interval = sample->value > closed ? sample->value - closed : 0;
	if (sample->id != cell->sample.id || sample->value > cell->sample.value)
		cell->sample = *sample;
	return weight;
}

void cell_throttle(struct cell *cell, uint64_t time_ns)
{
	cell->now.throttles++;
	if (cell->throttled_since_ns == 0)
		cell->throttled_since_ns = time_ns;
}

void cell_unthrottle(struct cell *cell, uint64_t time_ns)
{
	if (cell->throttled_since_ns != 0 && time_ns > cell->throttled_since_ns)
		cell->now.throttled_ns += time_ns - cell->throttled_since_ns;
	cell->throttled_since_ns = 0;
}

/* The kernel unthrottles at the next timer tick: at most 10 ms, with CONFIG_HZ=100. */
#define LONGEST_TICK_NS 10000000ull

void cell_sample_throttled(struct cell *cell, uint64_t time_ns)
{
	/* The length of this throttling is unknown: do not count it. */
	if (time_ns > cell->throttled_since_ns + LONGEST_TICK_NS)
		cell->throttled_since_ns = 0;
}

uint64_t cell_throttled_ns(const struct cell *cell, uint64_t now_ns)
{
	uint64_t still = cell->throttled_since_ns != 0 && now_ns > cell->throttled_since_ns ?
				 now_ns - cell->throttled_since_ns :
				 0;

	return cell->now.throttled_ns + still;
}

uint64_t cell_throttled_now_ns(const struct cell *cell, uint64_t now_ns)
{
	uint64_t throttled = cell_throttled_ns(cell, now_ns);

	/* At the last tick an end that had not been decoded yet was not known. */
	return throttled > cell->tick_throttled_ns ? throttled - cell->tick_throttled_ns : 0;
}

uint64_t cell_delta(const struct cell *cell)
{
	return cell->now.total - cell->tick.total;
}

uint64_t cell_weight(const struct cell *cell)
{
	return cell->now.weight - cell->now.late - (cell->tick.weight - cell->tick.late);
}

uint64_t cell_samples(const struct cell *cell)
{
	return cell->now.sampled - cell->tick.sampled;
}

double cell_interval(const struct cell *cell)
{
	if (cell->tick_read_ns == 0 || cell->read_ns <= cell->tick_read_ns)
		return 0;
	return (double)(cell->read_ns - cell->tick_read_ns) / 1e9;
}

double cell_rate(const struct cell *cell)
{
	double seconds = cell_interval(cell);

	if (seconds <= 0)
		return -1;

	return (double)cell_delta(cell) / seconds;
}

void cell_close_interval(struct cell *cell, uint64_t now_ns)
{
	cell->tick_throttled_ns = cell_throttled_ns(cell, now_ns);
	cell->tick = cell->now;
	cell->closed_id = cell->last.id;
	cell->closed_value = cell->last.value;
	cell->tick_read_ns = cell->read_ns;
}
