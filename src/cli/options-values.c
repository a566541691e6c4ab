/* SPDX-License-Identifier: MIT */
#include "cli/options-inside.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sys.h"
#include "base/xalloc.h"
#include "cli/pids.h"

int options_usage(const char *format, ...)
{
	va_list args;

	fputs("perftop-ng: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputs("; --help lists the options\n", stderr);
	return EXIT_USAGE;
}

static void *member(struct options *options, const struct option_entry *entry)
{
	return (char *)options + entry->at;
}

int option_set_text(struct options *options, const struct option_entry *entry, const char *text)
{
	*(const char **)member(options, entry) = text;
	return 0;
}

int option_set_flag(struct options *options, const struct option_entry *entry, const char *text)
{
	(void)text;
	*(bool *)member(options, entry) = true;
	return 0;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool parse_u64(const char *text, uint64_t low, uint64_t *value)
{
	char *end;

	/* strtoull would also take blanks and a sign. */
	if (!is_digit(text[0]))
		return false;
	errno = 0;
	*value = strtoull(text, &end, 10);
	return errno == 0 && *end == '\0' && *value >= low;
}

int option_set_number(struct options *options, const struct option_entry *entry, const char *text)
{
	if (parse_u64(text, (uint64_t)entry->low, member(options, entry)))
		return 0;
	return options_usage("--%s takes a whole number from %.0f up, not '%s'", entry->name,
			     entry->low, text);
}

/* Sets a double; `what` names it in messages. */
static int set_decimal(struct options *options, const struct option_entry *entry, const char *text,
		       const char *what)
{
	double *value = member(options, entry);
	char *end;

	errno = 0;
	*value = strtod(text, &end);
	/* NaN fails both comparisons. */
	if (errno == 0 && end != text && *end == '\0' && *value >= entry->low &&
	    *value <= entry->high)
		return 0;
	return options_usage("--%s takes %s from %.7g to %.7g, not '%s'", entry->name, what,
			     entry->low, entry->high, text);
}

int option_set_seconds(struct options *options, const struct option_entry *entry, const char *text)
{
	return set_decimal(options, entry, text, "seconds");
}

int option_set_factor(struct options *options, const struct option_entry *entry, const char *text)
{
	return set_decimal(options, entry, text, "a factor");
}

int option_set_percent(struct options *options, const struct option_entry *entry, const char *text)
{
	return set_decimal(options, entry, text, "a percentage");
}

int option_set_realtime(struct options *options, const struct option_entry *entry, const char *text)
{
	uint64_t value;

	if (!parse_u64(text, 1, &value))
		return options_usage("--%s takes a whole number from 1 up, not '%s'", entry->name,
				     text);
	if (value > 99)
		return options_usage("--%s takes a priority from 1 to 99, not '%s'", entry->name,
				     text);
	options->realtime = (int)value;
	return 0;
}

int option_set_freq(struct options *options, const struct option_entry *entry, const char *text)
{
	options->is_freq_max = strcmp(text, "max") == 0;
	options->freq = 0;
	if (!options->is_freq_max && !parse_u64(text, 0, &options->freq))
		return options_usage("--%s takes a number, 0 to count only, or 'max', not '%s'",
				     entry->name, text);
	options->is_count_only = !options->is_freq_max && options->freq == 0;
	return 0;
}

int option_set_mmap(struct options *options, const struct option_entry *entry, const char *text)
{
	char *end;
	uint64_t value, scale = 0;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (*end != '\0' && end[1] == '\0')
		scale = *end == 'K' ? 1ull << 10 :
			*end == 'M' ? 1ull << 20 :
			*end == 'G' ? 1ull << 30 :
				      0;
	if (errno != 0 || !is_digit(text[0]) || value == 0 || (*end != '\0' && scale == 0) ||
	    value > UINT64_MAX / (scale + 1))
		return options_usage("--%s takes pages or a size (512, 2M), not '%s'", entry->name,
				     text);
	if ((value & (value - 1)) != 0)
		return options_usage("--%s takes a power of two, not '%s'", entry->name, text);
	if (scale != 0)
		options->mmap_bytes = value * scale;
	else
		options->mmap_pages = value;
	return 0;
}

/* perf record --switch-output has the same units. */
int option_set_every(struct options *options, const struct option_entry *entry, const char *text)
{
	static const struct {
		char unit;
		bool is_time;
		uint64_t each; /* bytes, or ns */
	} units[] = { { 'B', false, 1 },
		      { 'K', false, 1ull << 10 },
		      { 'M', false, 1ull << 20 },
		      { 'G', false, 1ull << 30 },
		      { 's', true, NSEC_PER_SEC },
		      { 'm', true, 60 * NSEC_PER_SEC },
		      { 'h', true, 3600 * NSEC_PER_SEC },
		      { 'd', true, 86400 * NSEC_PER_SEC } };
	char *end;

	errno = 0;
	uint64_t value = strtoull(text, &end, 10);
	bool is_number = errno == 0 && is_digit(text[0]) && value > 0;
	for (size_t i = 0; is_number && i < sizeof(units) / sizeof(units[0]); i++) {
		if (end[0] != units[i].unit || end[1] != '\0' || value > UINT64_MAX / units[i].each)
			continue;
		options->every_bytes = units[i].is_time ? 0 : value * units[i].each;
		options->every_ns = units[i].is_time ? value * units[i].each : 0;
		return 0;
	}
	return options_usage(
		"--%s takes a size (B, K, M, G) or a time (s, m, h, d), as 100M or 10m, not '%s'",
		entry->name, text);
}

static int add_pids(struct options *options, const struct option_entry *entry, const char *text)
{
	if (pids_parse(text, &options->pids, &options->npids))
		return 0;
	return options_usage("--%s takes a list of numbers, 812,813, not '%s'", entry->name, text);
}

int option_add_processes(struct options *options, const struct option_entry *entry,
			 const char *text)
{
	options->has_processes = true;
	return add_pids(options, entry, text);
}

int option_add_threads(struct options *options, const struct option_entry *entry, const char *text)
{
	options->has_threads = true;
	return add_pids(options, entry, text);
}

int option_set_mode(struct options *options, const struct option_entry *entry, const char *text)
{
	(void)text;
	options->mode = entry->mode;
	return 0;
}

int option_set_list(struct options *options, const struct option_entry *entry, const char *text)
{
	(void)entry;
	options->mode = MODE_LIST;
	options->list_pattern = text;
	return 0;
}

/* perf's dwarf and lbr are not for a live view: a copy of each stack, and a PMU of Intel's. */
int option_set_call_graph(struct options *options, const struct option_entry *entry,
			  const char *text)
{
	if (text != NULL && strcmp(text, "fp") != 0)
		return options_usage("--%s takes fp, by which the kernel walks the stack, not '%s'",
				     entry->name, text);
	options->has_chains = true;
	return 0;
}

/* Text is the default of batch output: another format overrides it, but two others conflict. */
int option_set_output(struct options *options, const struct option_entry *entry, const char *text)
{
	const struct output *asked = entry->output(), *plain = output_text();
	char first[OPTIONS_SPELLED_MAX], second[OPTIONS_SPELLED_MAX];

	if (text != NULL && text[0] == '\0')
		return options_usage("--%s takes at least one character", entry->name);
	if (options->mode == MODE_SCREEN)
		options->mode = MODE_BATCH;
	if (asked == plain && options->format != NULL)
		return 0;
	if (options->format != NULL && options->format != plain && options->format != asked)
		return options_usage("choose one of %s and %s",
				     options_spell(options->format, first),
				     options_spell(asked, second));
	options->format = asked;
	options->format_argument = text;
	return 0;
}

int option_add_event(struct options *options, const struct option_entry *entry, const char *text)
{
	(void)entry;
	options->events =
		xreallocarray(options->events, options->nevents + 1, sizeof(*options->events));
	options->events[options->nevents++] = text;
	return 0;
}

int option_add_filter(struct options *options, const struct option_entry *entry, const char *text)
{
	if (options->nevents == 0)
		return options_usage("--%s must follow the -e that it applies to", entry->name);
	options->filters =
		xreallocarray(options->filters, options->nfilters + 1, sizeof(*options->filters));
	options->filters[options->nfilters++] =
		(struct options_filter){ .event = options->nevents - 1, .text = text };
	return 0;
}
