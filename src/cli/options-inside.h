/* SPDX-License-Identifier: MIT */
/*
 * options-inside - what the files of the command line share:
 *
 *     options.c         the table, parsing, --help
 *     options-values.c  from an option's text to its member of struct options
 */
#ifndef CLI_OPTIONS_INSIDE_H
#define CLI_OPTIONS_INSIDE_H

#include <stddef.h>

#include "cli/options.h"

struct option_entry {
	char letter; /* 0: none */
	const char *name;
	const char *argument; /* its name in the help, "[...]" when it may be left out; NULL: none */
	const char *help;
	/* Store the text (NULL: no argument) in options: 0, or EXIT_USAGE after a message. */
	int (*set)(struct options *options, const struct option_entry *entry, const char *text);
	size_t at;	  /* offset of the member to set; its type is that of `set` */
	double low, high; /* the range of a number; high 0: no limit */
	enum options_mode mode;
	const struct output *(*output)(void); /* that it selects; NULL: none */
};

/* --- options.c --- */

#define OPTIONS_SPELLED_MAX 40

/* The option that selects an output: "-j", "--batch".  Returns `out`. */
const char *options_spell(const struct output *output, char out[OPTIONS_SPELLED_MAX]);

/* --- options-values.c --- */

/* Print one line to stderr, with where the options are listed: EXIT_USAGE. */
int options_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * For `set` of an entry: option_set_* sets the member at entry->at, of the type in the comment, or
 * the one that it is named after; option_add_* adds to a list.
 */
#define OPTION_SETTER(name) \
	int name(struct options *options, const struct option_entry *entry, const char *text)
OPTION_SETTER(option_set_text);	   /* const char *: the text as it is */
OPTION_SETTER(option_set_flag);	   /* bool: true */
OPTION_SETTER(option_set_number);  /* uint64_t: whole, from `low` up */
OPTION_SETTER(option_set_seconds); /* double: from `low` to `high` */
OPTION_SETTER(option_set_factor);  /* double: from `low` to `high` */
OPTION_SETTER(option_set_percent); /* double: from `low` to `high` */
OPTION_SETTER(option_set_realtime);
OPTION_SETTER(option_set_freq);
OPTION_SETTER(option_set_mmap);
OPTION_SETTER(option_set_every);
OPTION_SETTER(option_set_mode);
OPTION_SETTER(option_set_list);
OPTION_SETTER(option_set_call_graph);
OPTION_SETTER(option_set_output);
OPTION_SETTER(option_add_processes);
OPTION_SETTER(option_add_threads);
OPTION_SETTER(option_add_event);
OPTION_SETTER(option_add_filter);
#undef OPTION_SETTER

#endif
