/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/suggest.h"
#include "base/xalloc.h"

enum option_id {
	OPTION_EVENT = 'e',
	OPTION_ALL = 'a',
	OPTION_CPU = 'C',
	OPTION_PID = 'p',
	OPTION_TID = 't',
	OPTION_UID = 'u',
	OPTION_CGROUP = 'G',
	OPTION_COUNT = 'c',
	OPTION_FREQ = 'F',
	OPTION_MMAP = 'm',
	OPTION_DELAY = 'd',
	OPTION_ITERATIONS = 'n',
	OPTION_REALTIME = 'r',
	OPTION_JSON = 'j',
	OPTION_CSV = 'x',
	OPTION_OUTPUT = 'o',
	OPTION_INPUT = 'i',
	OPTION_HELP = 'h',
	/* Without a letter. */
	OPTION_BATCH = 256,
	OPTION_FILTER,
	OPTION_DOCTOR,
	OPTION_APPEND,
	OPTION_SPEED,
	OPTION_RECORD,
	OPTION_LIST,
	OPTION_VIEW,
	OPTION_THEME,
	OPTION_SORT,
	OPTION_SCRIPT,
	OPTION_DUMP_SCREEN,
	OPTION_TOP,
	OPTION_BLOCKS,
	OPTION_STRICT,
	OPTION_DUMP_ATTR,
	OPTION_AS,
	OPTION_NO_INHERIT,
	OPTION_INCLUDE_SELF,
	OPTION_VERSION,
};

struct option_entry {
	enum option_id id;
	const char *name;
	const char *argument; /* its name in the help, NULL for none */
	const char *help;
};

static const struct option_entry table[] = {
	{ OPTION_EVENT, "event", "EVENT",
	  "what to watch, in perf's words: cs, 'sched:*', cycles:u; "
	  "repeatable, comma lists" },
	{ OPTION_FILTER, "filter", "EXPR",
	  "in the kernel, on the fields of the -e before it: "
	  "'prev_pid == 1'" },
	{ OPTION_ALL, "all-cpus", NULL, "the whole machine (default; with -- COMMAND: it too)" },
	{ OPTION_CPU, "cpu", "LIST", "only these CPUs: 0-3,5" },
	{ OPTION_PID, "pid", "LIST", "only these processes, all their threads" },
	{ OPTION_TID, "tid", "LIST", "only these threads" },
	{ OPTION_UID, "uid", "USER", "only the threads of this user, and their children" },
	{ OPTION_CGROUP, "cgroup", "NAME",
	  "only what runs in this cgroup: system.slice/ssh.service" },
	{ OPTION_COUNT, "count", "N", "every Nth event into the ring (1: each one)" },
	{ OPTION_FREQ, "freq", "N|max", "so many samples a second (default 1000)" },
	{ OPTION_MMAP, "mmap-pages", "N[KMG]", "ring size per CPU, in pages or bytes" },
	{ OPTION_DELAY, "delay", "SECS", "refresh interval (default 1)" },
	{ OPTION_ITERATIONS, "iterations", "N", "stop after N intervals" },
	{ OPTION_REALTIME, "realtime", "PRIO", "readers run with SCHED_FIFO priority PRIO" },
	{ OPTION_NO_INHERIT, "no-inherit", NULL, "leave children of the watched tasks out" },
	{ OPTION_INCLUDE_SELF, "include-self", NULL,
	  "show perftop-ng's own threads among the tasks" },
	{ OPTION_BATCH, "batch", NULL, "no screen: the snapshot as text, each interval" },
	{ OPTION_JSON, "json-output", NULL, "batch, one JSON object a line" },
	{ OPTION_CSV, "field-separator", "SEP", "batch, CSV with this separator" },
	{ OPTION_OUTPUT, "output", "FILE", "batch output goes there" },
	{ OPTION_APPEND, "append", NULL, "behind what FILE holds already" },
	{ OPTION_INPUT, "input", "FILE|-", "replay a perf.data file or pipe" },
	{ OPTION_SPEED, "speed", "X",
	  "so many of the file's seconds a second (default 1; batch: all at "
	  "once)" },
	{ OPTION_RECORD, "record", "FILE", "also write what arrives as a perf.data file" },
	{ OPTION_LIST, "list", "[GLOB]", "the events that can be watched here" },
	{ OPTION_DOCTOR, "doctor", NULL,
	  "what opens here, what does not, why, and the smallest fix" },
	{ OPTION_VIEW, "view", "NAME", "the view at start" },
	{ OPTION_THEME, "theme", "NAME", "dark, light, mono, or a file in themes/" },
	{ OPTION_SORT, "sort", "COLUMN", "sort by this column (-COLUMN: reversed)" },
	{ OPTION_SCRIPT, "script", "FILE", "keys to play, without a terminal (tests)" },
	{ OPTION_DUMP_SCREEN, "dump-screen", "FILE", "the last screen as text" },
	{ OPTION_TOP, "top", "N", "rows kept of tasks and symbols (default 100)" },
	{ OPTION_BLOCKS, "blocks", "N",
	  "blocks of records a reader may have on their way (tests)" },
	{ OPTION_STRICT, "strict", NULL, "an event that cannot be opened ends it (exit 2)" },
	{ OPTION_AS, "as", "USER", "logged in as root: run as this user, as sudo lets it" },
	{ OPTION_DUMP_ATTR, "dump-attr", NULL, "print each event's perf_event_attr and end" },
	{ OPTION_VERSION, "version", NULL, "print the version" },
	{ OPTION_HELP, "help", NULL, "this text" },
};

#define OPTIONS (sizeof(table) / sizeof(table[0]))

/* --- errors --------------------------------------------------------------------------------- */

static int __attribute__((format(printf, 1, 2))) usage(const char *format, ...)
{
	va_list args;

	fputs("perftop-ng: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputs("; --help lists the options\n", stderr);
	return EXIT_USAGE;
}

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
			     usage("there is no option %s; nearest: --%s", typed, best) :
			     usage("there is no option %s", typed);
	free(plain);
	return status;
}

/* --- values --------------------------------------------------------------------------------- */

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

static int parse_number(const char *name, const char *text, uint64_t low, uint64_t *value)
{
	if (parse_u64(text, low, value))
		return 0;
	return usage("--%s takes a whole number from %llu up, not '%s'", name,
		     (unsigned long long)low, text);
}

static int parse_delay(const char *text, double *seconds)
{
	char *end;

	errno = 0;
	*seconds = strtod(text, &end);
	/* 10 ms: below that the program would watch itself most of the time. */
	if (errno != 0 || end == text || *end != '\0' || !(*seconds >= 0.01 && *seconds <= 86400))
		return usage("--delay takes seconds from 0.01 to 86400, not '%s'", text);
	return 0;
}

static int parse_speed(const char *text, double *speed)
{
	char *end;

	errno = 0;
	*speed = strtod(text, &end);
	if (errno != 0 || end == text || *end != '\0' || !(*speed >= 0.001 && *speed <= 1e6))
		return usage("--speed takes a factor from 0.001 to 1000000, not '%s'", text);
	return 0;
}

static int parse_freq(struct options *options, const char *text)
{
	options->is_freq_max = strcmp(text, "max") == 0;
	if (options->is_freq_max || parse_u64(text, 1, &options->freq))
		return 0;
	return usage("--freq takes a number from 1 up or 'max', not '%s'", text);
}

static int parse_mmap(struct options *options, const char *text)
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
		return usage("--mmap-pages takes pages or a size (512, 2M), not '%s'", text);
	if ((value & (value - 1)) != 0)
		return usage("--mmap-pages takes a power of two, not '%s'", text);
	if (scale != 0)
		options->mmap_bytes = value * scale;
	else
		options->mmap_pages = value;
	return 0;
}

static int parse_pids(struct options *options, const char *name, const char *text)
{
	for (const char *at = text;; at++) {
		char *end;
		long pid = strtol(at, &end, 10);

		if (end == at || pid <= 0 || pid > INT32_MAX || (*end != '\0' && *end != ','))
			return usage("--%s takes a list of numbers, 812,813, not '%s'", name, text);
		options->pids =
			xreallocarray(options->pids, options->npids + 1, sizeof(*options->pids));
		options->pids[options->npids++] = (int32_t)pid;
		at = end;
		if (*at == '\0')
			return 0;
	}
}

static int set_mode(struct options *options, enum options_mode mode)
{
	/* -j and -x are kinds of batch; a second kind would be a contradiction. */
	if (mode == MODE_TEXT && options->mode != MODE_SCREEN)
		return 0;
	if (options->mode != MODE_SCREEN && options->mode != MODE_TEXT && options->mode != mode &&
	    mode < MODE_LIST)
		return usage("choose one of -j and -x");
	options->mode = mode;
	return 0;
}

static void add_event(struct options *options, const char *text)
{
	options->events =
		xreallocarray(options->events, options->nevents + 1, sizeof(*options->events));
	options->events[options->nevents++] = text;
}

static int add_filter(struct options *options, const char *text)
{
	if (options->nevents == 0)
		return usage("--filter comes behind the -e that it is for");
	options->filters =
		xreallocarray(options->filters, options->nfilters + 1, sizeof(*options->filters));
	options->filters[options->nfilters++] =
		(struct options_filter){ .event = options->nevents - 1, .text = text };
	return 0;
}

/* --- parsing -------------------------------------------------------------------------------- */

static int take_number(struct options *options, enum option_id id, const char *text)
{
	uint64_t value;
	int status;

	switch (id) {
	case OPTION_COUNT:
		return parse_number("count", text, 1, &options->period);
	case OPTION_ITERATIONS:
		return parse_number("iterations", text, 1, &options->iterations);
	case OPTION_TOP:
		return parse_number("top", text, 0, &options->top);
	case OPTION_BLOCKS:
		return parse_number("blocks", text, 2, &options->blocks);
	default:
		status = parse_number("realtime", text, 1, &value);
		if (status == 0 && value > 99)
			return usage("--realtime takes a priority from 1 to 99, not '%s'", text);
		options->realtime = (int)value;
		return status;
	}
}

static int take_flag(struct options *options, enum option_id id)
{
	switch (id) {
	case OPTION_ALL:
		options->is_system = true;
		return 0;
	case OPTION_NO_INHERIT:
		options->no_inherit = true;
		return 0;
	case OPTION_INCLUDE_SELF:
		options->has_self = true;
		return 0;
	case OPTION_APPEND:
		options->is_append = true;
		return 0;
	case OPTION_STRICT:
		options->is_strict = true;
		return 0;
	case OPTION_DUMP_ATTR:
		options->is_dump_attr = true;
		return 0;
	case OPTION_DOCTOR:
		options->is_doctor = true;
		return 0;
	case OPTION_BATCH:
		return set_mode(options, MODE_TEXT);
	case OPTION_JSON:
		return set_mode(options, MODE_JSON);
	case OPTION_LIST:
		return set_mode(options, MODE_LIST);
	case OPTION_VERSION:
		return set_mode(options, MODE_VERSION);
	default:
		return set_mode(options, MODE_HELP);
	}
}

/* Where the text of an option goes that is kept as it is; NULL for the others. */
static const char **text_place(struct options *options, enum option_id id)
{
	switch (id) {
	case OPTION_CPU:
		return &options->cpus;
	case OPTION_UID:
		return &options->user;
	case OPTION_CGROUP:
		return &options->cgroup;
	case OPTION_INPUT:
		return &options->input;
	case OPTION_RECORD:
		return &options->record;
	case OPTION_OUTPUT:
		return &options->output;
	case OPTION_VIEW:
		return &options->view;
	case OPTION_THEME:
		return &options->theme;
	case OPTION_SORT:
		return &options->sort;
	case OPTION_SCRIPT:
		return &options->script;
	case OPTION_DUMP_SCREEN:
		return &options->dump_screen;
	case OPTION_AS:
		return &options->as;
	default:
		return NULL;
	}
}

static int take(struct options *options, enum option_id id, const char *text)
{
	const char **place = text_place(options, id);

	if (place != NULL) {
		*place = text;
		return 0;
	}
	switch (id) {
	case OPTION_EVENT:
		add_event(options, text);
		return 0;
	case OPTION_FILTER:
		return add_filter(options, text);
	case OPTION_PID:
		options->has_processes = true;
		return parse_pids(options, "pid", text);
	case OPTION_TID:
		return parse_pids(options, "tid", text);
	case OPTION_FREQ:
		return parse_freq(options, text);
	case OPTION_MMAP:
		return parse_mmap(options, text);
	case OPTION_DELAY:
		return parse_delay(text, &options->delay_s);
	case OPTION_CSV:
		if (text[0] == '\0')
			return usage("--field-separator takes at least one character");
		options->separator = text;
		return set_mode(options, MODE_CSV);
	case OPTION_SPEED:
		return parse_speed(text, &options->speed);
	case OPTION_COUNT:
	case OPTION_ITERATIONS:
	case OPTION_REALTIME:
	case OPTION_TOP:
	case OPTION_BLOCKS:
		return take_number(options, id, text);
	default:
		return take_flag(options, id);
	}
}

static bool takes_argument(const struct option_entry *entry)
{
	return entry->argument != NULL && entry->argument[0] != '[';
}

/* The table in the shapes that getopt_long() wants. */
static void make_getopt(struct option longs[OPTIONS + 1], struct strbuf *shorts)
{
	/* '+': stop at the first word that is no option; ':': tell a missing argument apart. */
	strbuf_puts(shorts, "+:");
	for (size_t i = 0; i < OPTIONS; i++) {
		longs[i] = (struct option){
			.name = table[i].name,
			.has_arg = takes_argument(&table[i]) ? required_argument : no_argument,
			.val = (int)table[i].id,
		};
		if (table[i].id < OPTION_BATCH)
			strbuf_printf(shorts, "%c%s", (char)table[i].id,
				      takes_argument(&table[i]) ? ":" : "");
	}
	longs[OPTIONS] = (struct option){ 0 };
}

static bool is_known(int id)
{
	for (size_t i = 0; i < OPTIONS; i++) {
		if ((int)table[i].id == id)
			return true;
	}
	return false;
}

static int take_option(struct options *options, int id, char **argv)
{
	char letter[3] = { '-', (char)optopt, '\0' };
	const char *typed = optopt != 0 && optopt < OPTION_BATCH ? letter : argv[optind - 1];

	if (id == ':')
		return usage("%s needs a value", typed);
	/* getopt_long() names an option in optopt when it does know it: --batch=yes. */
	if (id == '?' && is_known(optopt))
		return usage("%s takes no value", argv[optind - 1]);
	if (id == '?')
		return unknown_option(typed);
	return take(options, (enum option_id)id, optarg);
}

/* What follows the options: a command after --, or the glob of --list. */
static int take_rest(struct options *options, int argc, char **argv)
{
	if (optind == argc)
		return strcmp(argv[argc - 1], "--") == 0 ? usage("a command is missing after --") :
							   0;
	if (strcmp(argv[optind - 1], "--") == 0) {
		options->command = argv + optind;
		return 0;
	}
	if (options->mode == MODE_LIST && optind == argc - 1) {
		options->list_glob = argv[optind];
		return 0;
	}
	return usage("'%s' is no option; a command to watch comes after --", argv[optind]);
}

/* What is watched is all, some tasks, a user's, a cgroup's, or a command. */
static int check_scope(const struct options *options)
{
	int scopes = (options->npids > 0) + (options->user != NULL) + (options->cgroup != NULL);

	if (scopes > 1)
		return usage("choose one of -p and -t, -u, and -G");
	if (scopes > 0 && options->command != NULL)
		return usage("choose one of -p, -t, -u, -G and -- COMMAND");
	if (scopes > 0 && options->is_system)
		return usage("choose one of -a and -p, -t, -u, -G");
	return 0;
}

/* A recorded file has its events, tasks and CPUs. */
static int check_input(const struct options *options)
{
	if (options->input == NULL && options->speed > 0)
		return usage("--speed is for --input");
	if (options->input != NULL && options->record != NULL)
		return usage("--record is not for --input, which is recorded already");
	if (options->input != NULL &&
	    (options->nevents > 0 || options->command != NULL || options->npids > 0 ||
	     options->user != NULL || options->cgroup != NULL || options->cpus != NULL ||
	     options->is_system))
		return usage(
			"what --input reads was chosen when it was recorded: no -e, -a, -C, -p, -t, "
			"-u, -G, no command");
	return 0;
}

static int check(const struct options *options)
{
	if (check_input(options) != 0)
		return EXIT_USAGE;
	if (options->period != 0 && (options->freq != 0 || options->is_freq_max))
		return usage("choose one of -c and -F");
	if (options->output != NULL && options->mode == MODE_SCREEN)
		return usage("--output is for --batch, -j and -x; on the screen P saves");
	return check_scope(options);
}

int options_parse(struct options *options, int argc, char **argv)
{
	struct option longs[OPTIONS + 1];
	struct strbuf shorts;
	int status = 0, id;

	*options = (struct options){ .delay_s = 1, .top = 100 };
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

		if (table[i].id < OPTION_BATCH)
			snprintf(letter, sizeof(letter), "-%c, ", (char)table[i].id);
		snprintf(left, sizeof(left), "%s--%s %s", letter, table[i].name,
			 table[i].argument != NULL ? table[i].argument : "");
		printf("  %-29s %s\n", left, table[i].help);
	}
	puts("\nOn the screen: ? help, q quit. Exit status: 0 done, 1 failed, 2 --strict, 3 input partly "
	     "read, 129 usage;\nof a command after -- its own.");
}
