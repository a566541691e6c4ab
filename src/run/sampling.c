/* SPDX-License-Identifier: MIT */
#include "run/sampling.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/sys.h"

/* Samples a second per event and CPU: at a microsecond each, 0.1 % of a CPU. */
#define FREQ_DEFAULT 1000
/* A clock samples idle CPUs, too; 199 is not in step with the timer tick, and enough for shares. */
#define CLOCK_FREQ_DEFAULT 199
/* Of a CPU, in percent: what one would hardly notice. */
#define OVERHEAD_DEFAULT  2
#define MAX_STACK_FILE	  "/proc/sys/kernel/perf_event_max_stack"
#define MAX_STACK_DEFAULT 127 /* PERF_MAX_STACK_DEPTH of the kernel */

static uint64_t max_freq(void)
{
	long long max = 0;

	if (sys_read_int("/proc/sys/kernel/perf_event_max_sample_rate", &max) != 0 || max <= 0)
		return FREQ_DEFAULT;
	return (uint64_t)max;
}

static size_t ring_pages(const struct options *options)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	if (options->mmap_bytes != 0)
		return options->mmap_bytes < page ? 1 : options->mmap_bytes / page;
	return options->mmap_pages;
}

/* The kernel would refuse each event with EINVAL. */
static int check_freq(uint64_t freq, uint64_t max)
{
	if (freq <= max)
		return 0;
	fprintf(stderr,
		"perftop-ng: -F %llu is above kernel.perf_event_max_sample_rate, %llu: -F max, or "
		"sudo sysctl kernel.perf_event_max_sample_rate=%llu\n",
		(unsigned long long)freq, (unsigned long long)max, (unsigned long long)freq);
	return EXIT_FAILURE;
}

static int choose_rates(const struct options *options, struct evset_config *config)
{
	uint64_t max = max_freq();

	/* The kernel lowers its limit when interrupts take long: clamp our defaults to it. */
	config->clock_rate = CLOCK_FREQ_DEFAULT < max ? CLOCK_FREQ_DEFAULT : max;
	if (options->period != 0 || options->is_verified) {
		config->sampling = ATTR_PERIOD;
		config->rate = options->period != 0 ? options->period : 1;
	} else if (options->is_count_only) {
		config->sampling = ATTR_COUNT;
	} else if (options->freq != 0 || options->is_freq_max) {
		config->sampling = ATTR_FREQ;
		config->rate = options->is_freq_max ? max : options->freq;
		config->clock_rate = config->rate;
	} else {
		config->sampling = ATTR_PACED;
		config->rate = FREQ_DEFAULT < max ? FREQ_DEFAULT : max;
	}
	return check_freq(options->freq, max);
}

/* The kernel would refuse each event with EOVERFLOW. */
static int check_max_stack(uint64_t max_stack)
{
	long long max;

	if (sys_read_int(MAX_STACK_FILE, &max) != 0 || max <= 0)
		max = MAX_STACK_DEFAULT;
	if (max > UINT16_MAX) /* of the attr's field */
		max = UINT16_MAX;
	if (max_stack <= (uint64_t)max)
		return 0;
	fprintf(stderr,
		"perftop-ng: --max-stack %llu is above kernel.perf_event_max_stack, %lld: "
		"--max-stack %lld\n",
		(unsigned long long)max_stack, max, max);
	return EXIT_FAILURE;
}

int sampling_choose(const struct options *options, struct evset_config *config)
{
	config->pages = ring_pages(options);
	config->is_forced = options->is_forced;
	config->is_verified = options->is_verified;
	config->is_governed = options->overhead_pct > 0 && !options->is_verified;
	config->has_chains = options->has_chains;
	/* Batch prints no fields, but in --verify's note; a recording keeps them for whoever reads it. */
	config->has_fields = options->mode != MODE_BATCH || options->is_verified ||
			     options->record != NULL;
	config->max_stack = (uint16_t)options->max_stack;
	return choose_rates(options, config) != 0 ? EXIT_FAILURE :
						    check_max_stack(options->max_stack);
}

double sampling_budget(const struct options *options)
{
	return (options->overhead_pct > 0 ? options->overhead_pct : OVERHEAD_DEFAULT) / 100;
}
