/* SPDX-License-Identifier: MIT */
/*
 * options - the command line: one table for both parsing and --help.
 *
 * Letters have perf's meaning, or top's where perf has no such letter.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "output/output.h"

/* Of -d.  At least 10 ms: below that the program would mostly measure itself. */
#define DELAY_LEAST_S 0.01
#define DELAY_MOST_S  86400.0

#define EXIT_STRICT	 2
#define EXIT_PARTLY_READ 3
#define EXIT_USAGE	 129 /* as perf */

enum options_mode {
	MODE_SCREEN,
	MODE_BATCH, /* --batch, -j, -x */
	MODE_LIST,  /* --list */
	MODE_HELP,
	MODE_VERSION,
};

/* A --filter, and the number of the -e that it follows. */
struct options_filter {
	size_t event;
	const char *text;
};

struct options {
	char *const *words; /* the command line, ended by NULL */
	enum options_mode mode;
	const struct output *format; /* of batch output; NULL without */
	const char *format_argument; /* -x: the separator */
	const char **events;	     /* the texts of -e, in order (array owned, strings of argv) */
	size_t nevents;
	struct options_filter *filters; /* in order (array owned) */
	size_t nfilters;
	bool is_system;	  /* -a was given */
	const char *cpus; /* -C, or NULL */
	int32_t *pids;	  /* -p, -t: tasks to watch (owned) */
	size_t npids;
	bool has_processes;  /* -p: all threads of each */
	bool has_threads;    /* -t: these alone */
	const char *user;    /* -u: all threads of this user, or NULL */
	const char *cgroup;  /* -G: all that runs in it, or NULL */
	uint64_t period;     /* -c, or 0 */
	uint64_t freq;	     /* -F, or 0 */
	bool is_freq_max;    /* -F max */
	bool is_count_only;  /* -F 0 */
	uint64_t mmap_pages; /* -m in pages, or 0 */
	uint64_t mmap_bytes; /* -m with a unit, or 0 */
	double overhead_pct; /* --max-overhead, or 0 */
	double delay_s;	     /* -d, or 0 */
	uint64_t iterations; /* -n, or 0 */
	int realtime;	     /* -r */
	bool no_inherit;
	bool has_self;	      /* --include-self */
	const char *output;   /* -o */
	const char *input;    /* -i: a file to replay, "-" for stdin, or NULL */
	double speed;	      /* --speed, or 0 */
	const char *record;   /* --record, or NULL */
	uint64_t every_bytes; /* --record-every: one of these, or both 0 */
	uint64_t every_ns;
	uint64_t keep; /* --record-keep, or 0 */
	bool is_append;
	const char *list_pattern; /* --list, or NULL for all */
	bool is_verbose;	  /* -v */
	const char *view, *theme, *sort, *set;
	bool no_mouse;	    /* --no-mouse: clicks are the terminal's */
	const char *config; /* --config, or NULL */
	const char *script, *dump_screen;
	uint64_t top;
	bool no_kernel, no_user; /* -K, -U: hide these symbols */
	uint64_t blocks;	 /* --blocks: for tests; 0: the default */
	const char *as;		 /* --as, or NULL */
	bool is_strict, is_dump_attr;
	bool is_forced;	    /* --force */
	bool is_verified;   /* --verify */
	bool has_chains;    /* -g */
	uint64_t max_stack; /* --max-stack, or 0 */
	bool is_doctor;	    /* --doctor; as JSON with -j */
	char **command;	    /* after --, or NULL */
};

/*
 * Parse: 0, or the exit status after an error was printed to stderr in one line.
 */
int options_parse(struct options *options, int argc, char **argv);
void options_fini(struct options *options);

/* Print --help to stdout. */
void options_help(void);

#endif
