/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/suggest.h"
#include "base/xalloc.h"
#include "cli/options-inside.h"

/* getopt ids of options without a letter start here, after all letters. */
#define NO_LETTER 256

/* --- the table ------------------------------------------------------------------------------ */

#define TEXT(m)		    option_set_text, offsetof(struct options, m), 0, 0, MODE_SCREEN, NULL
#define FLAG(m)		    option_set_flag, offsetof(struct options, m), 0, 0, MODE_SCREEN, NULL
#define NUMBER(m, low)	    option_set_number, offsetof(struct options, m), low, 0, MODE_SCREEN, NULL
#define RANGE(set, m, l, h) set, offsetof(struct options, m), l, h, MODE_SCREEN, NULL
#define MODE(mode)	    option_set_mode, 0, 0, 0, mode, NULL
#define OWN(set)	    set, 0, 0, 0, MODE_SCREEN, NULL

#define OUTPUT(name, letter, option, argument, help) \
	{ letter, option, argument, help, option_set_output, 0, 0, 0, MODE_SCREEN, output_##name },

static const struct option_entry table[] = {
	{ 'e', "event", "EVENT",
	  "watch EVENT, in perf's syntax: cs, 'sched:*', cycles:u; repeatable, comma lists",
	  OWN(option_add_event) },
	{ 0, "filter", "EXPR",
	  "filter the events of the -e before it, in the kernel: 'prev_pid == 1'",
	  OWN(option_add_filter) },
	{ 'a', "all-cpus", NULL, "watch the whole machine (default; also beside -- COMMAND)",
	  FLAG(is_system) },
	{ 'C', "cpu", "LIST", "watch only these CPUs: 0-3,5", TEXT(cpus) },
	{ 'p', "pid", "LIST", "watch only these processes, with all their threads",
	  OWN(option_add_processes) },
	{ 't', "tid", "LIST", "watch only these threads", OWN(option_add_threads) },
	{ 'u', "uid", "USER", "watch only this user's threads, and their children", TEXT(user) },
	{ 'G', "cgroup", "NAME", "watch only what runs in this cgroup: system.slice/ssh.service",
	  TEXT(cgroup) },
	{ 'c', "count", "N", "sample every Nth event (1: each one)", NUMBER(period, 1) },
	{ 'F', "freq", "N|max",
	  "sample N times a second, by the kernel's frequency mode; 0: only count",
	  OWN(option_set_freq) },
	{ 'g', "call-graph", "[fp]", "sample call chains: who called each symbol",
	  OWN(option_set_call_graph) },
	{ 0, "max-stack", "N", "with -g: at most N addresses of each chain", NUMBER(max_stack, 1) },
	{ 0, "force", NULL, "let clocks sample more than 4,000 times a second and CPU",
	  FLAG(is_forced) },
	{ 0, "max-overhead", "PCT",
	  "sample less where all this takes more than PCT % of a CPU (default 2)",
	  RANGE(option_set_percent, overhead_pct, 0.1, 1000000) },
	{ 'm', "mmap-pages", "N[KMG]", "make each CPU's ring this large, in pages or bytes",
	  OWN(option_set_mmap) },
	{ 'd', "delay", "SECS", "refresh every SECS seconds (default 1)",
	  RANGE(option_set_seconds, delay_s, DELAY_LEAST_S, DELAY_MOST_S) },
	{ 'n', "iterations", "N", "stop after N intervals", NUMBER(iterations, 1) },
	{ 'r', "realtime", "PRIO", "run the readers with SCHED_FIFO priority PRIO",
	  OWN(option_set_realtime) },
	{ 0, "no-inherit", NULL, "leave out the children of the watched tasks", FLAG(no_inherit) },
	{ 0, "include-self", NULL, "show perftop-ng's own threads among the tasks",
	  FLAG(has_self) },
	OUTPUTS(OUTPUT) /* --batch, -j, -x */
	{ 'o', "output", "FILE", "write batch output to FILE", TEXT(output) },
	{ 0, "append", NULL, "add to FILE instead of replacing it", FLAG(is_append) },
	{ 'i', "input", "FILE|-", "replay a perf.data file or pipe, or show a saved snapshot",
	  TEXT(input) },
	{ 0, "speed", "X",
	  "replay at X times the recorded speed (default 1; batch: as fast as possible)",
	  RANGE(option_set_factor, speed, 0.001, 1000000) },
	{ 0, "record", "FILE", "write a perf.data of what arrives", TEXT(record) },
	{ 0, "record-every", "SIZE|TIME",
	  "begin another file when it is this large or old (100M, 10m); the full one is FILE.TIME",
	  OWN(option_set_every) },
	{ 0, "record-keep", "N", "keep the last N of these files", NUMBER(keep, 1) },
	{ 0, "list", "[WORD|GLOB]",
	  "list the events that open here: all, those named like WORD, or of a class (hw, sw, ...)",
	  OWN(option_set_list) },
	{ 'v', "verbose", NULL, "with --list: also fields, and what does not open, with the reason",
	  FLAG(is_verbose) },
	{ 0, "doctor", NULL, "say what opens here, what does not, why, and the smallest fix",
	  FLAG(is_doctor) },
	{ 0, "view", "NAME", "start with this view", TEXT(view) },
	{ 0, "theme", "NAME",
	  "use dark, light, mono, high-contrast, colour-blind, colour-blind-light", TEXT(theme) },
	{ 0, "sort", "COLUMN", "sort by COLUMN (-COLUMN: reversed)", TEXT(sort) },
	{ 0, "set", "TOGGLE[,...]",
	  "switch on in that view: processes, tree, rates, hide-kernel, hide-user, all, none",
	  TEXT(set) },
	{ 0, "no-mouse", NULL, "let the terminal have the mouse, to select text, as M does",
	  FLAG(no_mouse) },
	{ 0, "config", "FILE", "read this configuration of the screen instead of the usual ones",
	  TEXT(config) },
	{ 0, "script", "FILE", "play keys from FILE, without a terminal (tests)", TEXT(script) },
	{ 0, "dump-screen", "FILE", "write the last screen to FILE, as text or (.svg) an image",
	  TEXT(dump_screen) },
	{ 0, "top", "N", "keep N rows of tasks and symbols (default 100)", NUMBER(top, 0) },
	{ 'K', "hide-kernel-symbols", NULL, "leave out symbols of the kernel", FLAG(no_kernel) },
	{ 'U', "hide-user-symbols", NULL, "leave out user code", FLAG(no_user) },
	{ 0, "blocks", "N", "give each reader N blocks of records (tests)", NUMBER(blocks, 2) },
	{ 0, "verify", NULL,
	  "check the count in each sample (-c 1 unless -c): what is neither sampled nor lost",
	  FLAG(is_verified) },
	{ 0, "strict", NULL, "exit with 2 when an event cannot be opened", FLAG(is_strict) },
	{ 0, "as", "USER", "run as USER when logged in as root, as sudo would", TEXT(as) },
	{ 0, "dump-attr", NULL, "print each event's perf_event_attr and exit", FLAG(is_dump_attr) },
	{ 0, "version", NULL, "print the version and exit", MODE(MODE_VERSION) },
	{ 'h', "help", NULL, "print this text and exit", MODE(MODE_HELP) },
};

#define OPTIONS (sizeof(table) / sizeof(table[0]))

const char *options_spell(const struct output *output, char out[OPTIONS_SPELLED_MAX])
{
	out[0] = '\0';
	for (size_t i = 0; i < OPTIONS; i++) {
		if (table[i].output == NULL || table[i].output() != output)
			continue;
		if (table[i].letter != 0)
			snprintf(out, OPTIONS_SPELLED_MAX, "-%c", table[i].letter);
		else
			snprintf(out, OPTIONS_SPELLED_MAX, "--%s", table[i].name);
	}
	return out;
}

/* --- parsing -------------------------------------------------------------------------------- */

static int unknown_option(const char *typed)
{
	struct suggest suggest;
	const char *name = typed + strspn(typed, "-");
	char *plain = xstrndup(name, strcspn(name, "="));

	suggest_init(&suggest, plain);
	for (size_t i = 0; i < OPTIONS; i++)
		suggest_offer(&suggest, table[i].name);

	const char *best = suggest_best(&suggest);
	int status = best != NULL && typed[1] == '-' ?
			     options_usage("there is no option %s; nearest: --%s", typed, best) :
			     options_usage("there is no option %s", typed);
	free(plain);
	return status;
}

/* no_argument, required_argument or optional_argument of getopt_long(). */
static int argument_of(const struct option_entry *entry)
{
	if (entry->argument == NULL)
		return no_argument;
	return entry->argument[0] == '[' ? optional_argument : required_argument;
}

/* Its getopt_long() id. */
static int id_of(const struct option_entry *entry)
{
	return entry->letter != 0 ? entry->letter : NO_LETTER + (int)(entry - table);
}

static const struct option_entry *entry_of(int id)
{
	for (size_t i = 0; i < OPTIONS; i++) {
		if (id_of(&table[i]) == id)
			return &table[i];
	}
	return NULL;
}

/* Convert the table for getopt_long(). */
static void make_getopt(struct option longs[OPTIONS + 1], struct strbuf *shorts)
{
	/* '+': stop at the first word that is no option; ':': return ':' for a missing argument. */
	strbuf_puts(shorts, "+:");
	for (size_t i = 0; i < OPTIONS; i++) {
		int argument = argument_of(&table[i]);

		longs[i] = (struct option){
			.name = table[i].name,
			.has_arg = argument,
			.val = id_of(&table[i]),
		};
		/* -g takes no value, so that -ga is -g -a. */
		if (table[i].letter != 0)
			strbuf_printf(shorts, "%c%s", table[i].letter,
				      argument == required_argument ? ":" : "");
	}
	longs[OPTIONS] = (struct option){ 0 };
}

static int take_option(struct options *options, int id, char **argv)
{
	const struct option_entry *entry = entry_of(id);
	char letter[3] = { '-', (char)optopt, '\0' };
	const char *typed = optopt != 0 && optopt < NO_LETTER ? letter : argv[optind - 1];

	if (id == ':')
		return options_usage("%s needs a value", typed);
	/* getopt_long() sets optopt when the option exists: --batch=yes. */
	if (id == '?' && entry_of(optopt) != NULL)
		return options_usage("%s takes no value", argv[optind - 1]);
	if (entry == NULL)
		return unknown_option(typed);
	/* getopt_long() sees only --list=WORD: "--list WORD" is the same. */
	if (argument_of(entry) == optional_argument && optarg == NULL && argv[optind] != NULL &&
	    argv[optind][0] != '-')
		optarg = argv[optind++];
	return entry->set(options, entry, optarg);
}

/* What follows the options: a command after --, or the word of --list. */
static int take_rest(struct options *options, int argc, char **argv)
{
	if (optind == argc)
		return strcmp(argv[argc - 1], "--") == 0 ?
			       options_usage("a command is missing after --") :
			       0;
	if (strcmp(argv[optind - 1], "--") == 0) {
		options->command = argv + optind;
		return 0;
	}
	if (options->mode == MODE_LIST && options->list_pattern == NULL)
		options->list_pattern = argv[optind++];
	if (options->mode == MODE_LIST)
		return optind == argc ? 0 :
					options_usage("--list takes one word, not also '%s': quote "
						      "a pattern",
						      argv[optind]);
	return options_usage("'%s' is no option; a command to watch comes after --", argv[optind]);
}

/* Only one scope: the machine, some tasks, a user's tasks, a cgroup, or a command. */
static int check_scope(const struct options *options)
{
	int scopes = options->has_processes + options->has_threads + (options->user != NULL) +
		     (options->cgroup != NULL);

	if (scopes > 1)
		return options_usage("choose one of -p, -t, -u and -G");
	if (scopes > 0 && options->command != NULL)
		return options_usage("choose one of -p, -t, -u, -G and -- COMMAND");
	if (scopes > 0 && options->is_system)
		return options_usage("choose one of -a and -p, -t, -u, -G");
	return 0;
}

/* A recorded file already determines events, tasks and CPUs. */
static int check_input(const struct options *options)
{
	if (options->input == NULL && options->speed > 0)
		return options_usage("--speed is for --input");
	if (options->input != NULL && options->record != NULL)
		return options_usage("--record is not for --input, which is recorded already");
	if (options->record == NULL && (options->every_bytes != 0 || options->every_ns != 0))
		return options_usage("--record-every is for --record");
	if (options->keep != 0 && options->every_bytes == 0 && options->every_ns == 0)
		return options_usage("--record-keep is for --record-every");
	if (options->input != NULL &&
	    (options->nevents > 0 || options->command != NULL || options->npids > 0 ||
	     options->user != NULL || options->cgroup != NULL || options->cpus != NULL ||
	     options->is_system))
		return options_usage(
			"--input has its recording's events and targets: no -e, -a, -C, -p, -t, "
			"-u, -G, no command");
	return 0;
}

static bool has_freq(const struct options *options)
{
	return options->freq != 0 || options->is_freq_max || options->is_count_only;
}

/* A sample's place in the sequence is known where each N-th event is one. */
static int check_verify(const struct options *options)
{
	if (!options->is_verified)
		return 0;
	if (has_freq(options))
		return options_usage("--verify is for samples by period: -c, not -F");
	if (options->input != NULL)
		return options_usage("--verify is for live events, not for --input");
	return 0;
}

/* What prints and exits has no batch output. */
static int check_printed(const struct options *options)
{
	bool is_list = options->mode == MODE_LIST;

	if (options->is_verbose && (options->mode == MODE_SCREEN || options->mode == MODE_BATCH))
		return options_usage("-v is for --list");
	if (!is_list && !options->is_doctor)
		return 0;
	if (options->output != NULL)
		return options_usage("--%s writes to standard output: > FILE instead of -o",
				     is_list ? "list" : "doctor");
	if (options->format == output_csv())
		return options_usage("--%s prints text or, with -j, JSON; not -x",
				     is_list ? "list" : "doctor");
	return 0;
}

/*
 * An option that says what the screen is to show, or NULL.  A theme, a configuration and --no-mouse may be in
 * an alias and do no harm.
 */
static const char *screen_option(const struct options *options)
{
	if (options->script != NULL)
		return "script";
	if (options->dump_screen != NULL)
		return "dump-screen";
	if (options->view != NULL)
		return "view";
	if (options->sort != NULL)
		return "sort";
	return options->set != NULL ? "set" : NULL;
}

static int check_mode(const struct options *options)
{
	const char *option = options->mode == MODE_BATCH ? screen_option(options) : NULL;

	if (option != NULL)
		return options_usage("--%s is for the screen, not for --batch, -j or -x", option);
	if (options->output != NULL && options->mode == MODE_SCREEN)
		return options_usage("--output is for --batch, -j and -x; on the screen P saves");
	if (options->is_append && options->output == NULL)
		return options_usage("--append is for -o FILE");
	return 0;
}

static int check(const struct options *options)
{
	if (check_printed(options) != 0)
		return EXIT_USAGE;
	if (check_input(options) != 0)
		return EXIT_USAGE;
	if (options->period != 0 && has_freq(options))
		return options_usage("choose one of -c and -F");
	if (check_verify(options) != 0)
		return EXIT_USAGE;
	if (options->max_stack != 0 && !options->has_chains)
		return options_usage("--max-stack is for -g");
	if (options->no_kernel && options->no_user)
		return options_usage("choose one of -K and -U: together they leave no symbol");
	if (check_mode(options) != 0)
		return EXIT_USAGE;
	return check_scope(options);
}

int options_parse(struct options *options, int argc, char **argv)
{
	struct option longs[OPTIONS + 1];
	struct strbuf shorts;
	int status = 0, id;

	*options = (struct options){ .words = argv, .top = 100 };
	strbuf_init(&shorts);
	make_getopt(longs, &shorts);
	opterr = 0;
	while (status == 0 && (id = getopt_long(argc, argv, shorts.text, longs, NULL)) != -1)
		status = take_option(options, id, argv);
	strbuf_fini(&shorts);
	if (status == 0)
		status = take_rest(options, argc, argv);
	return status != 0 ? status : check(options);
}

void options_fini(struct options *options)
{
	free(options->events);
	free(options->filters);
	free(options->pids);
}

void options_help(void)
{
	puts("usage: perftop-ng [OPTION...] [-- COMMAND [ARG...]]\n"
	     "\n"
	     "Live, exact rates of perf events, with what was lost. Run it with sudo.\n");
	for (size_t i = 0; i < OPTIONS; i++) {
		char left[40], letter[8] = "    ";

		if (table[i].letter != 0)
			snprintf(letter, sizeof(letter), "-%c, ", table[i].letter);
		snprintf(left, sizeof(left), "%s--%s %s", letter, table[i].name,
			 table[i].argument != NULL ? table[i].argument : "");
		printf("  %-29s %s\n", left, table[i].help);
	}
	puts("\nOn the screen: ? help, q quit. Exit status: 0 done, 1 failed, 2 --strict, 3 input partly "
	     "read, 129 usage;\nwith a command after --, the command's.");
}
