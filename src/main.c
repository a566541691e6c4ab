/* SPDX-License-Identifier: MIT */
/*
 * perftop-ng - what the kernel of this machine is doing, live: every perf
 * event's exact rate, who causes it, context switches, throttling, and loss.
 *
 * The map of all files, by the way of an event.  Arrows go one way: capture ->
 * decode -> model -> { ui, output }; what stands directly in src/ sees all.
 *
 * src/            main.c      parse, open, run, close (this file)
 *                 options     the command line, one table
 *                 app         the one context: set-up and tear-down
 *                 rights      whose rights it runs with, and when they are given up
 *                 fault       what is wrong with an option's text, with a caret
 *                 target      which CPUs, which tasks;  user  -u;  cgroup  -G;  filters  --filter
 *                 source      where snapshots come from: the engine, or a replayed file
 *                 engine      the collecting half: decoder thread, ticks, commands
 *                 replay      the same from perf.data;  tally  a file's events, for the model
 *                 recorder    --record;  mailbox  one snapshot from thread to thread
 *                 reopened    a saved snapshot as a source
 *                 resolver    what decode/ explains, for the model
 *                 batch       the run without a screen
 *                 live        the run with one;  played  the same without a terminal, for --script
 *                 hooks       what the ui asks for beyond the screen
 *                 loop        the one epoll loop;  signals  as an fd, and the fatal ones
 *                 list        --list;  doctor, doctor-print  --doctor
 *                 libraries   which optional libraries are built in
 * src/opener/     opener      the process that keeps the rights
 *                 serve, request, acts  its loop, its checks, its deeds
 *                 protocol, wire  what is said, and how;  remote  struct access through it
 *                 caller  who asked root to run us;  needs  which capabilities the opener keeps
 *                 drop, caps, seccomp  giving rights up;  instrumented.h  sanitizers
 * src/capture/    event       an event as asked for
 *                 grammar     -e, in perf's words: lists and groups;  grammar-item  one event
 *                 grammar-modifiers, -terms, -probes  its parts;  grammar-parser.h  shared by them
 *                 catalog     the names;  catalog-cache  cache triples;  pmu  sysfs PMUs
 *                 tracefs     tracepoints' files;  fields  their fields;  fieldfilter  --filter checked
 *                 uprobe      ELF symbol -> file offset
 *                 features    what this kernel takes;  attr  perf_event_attr, filled in one place
 *                 evset       the open events: every one on every CPU, one ring a CPU
 *                 why         errno -> cause and smallest fix;  probe  each class of event tried
 *                 ring        one CPU's mmap ring;  reader  the thread that empties it
 *                 block       records on their way;  queue  the lock-free way itself
 *                 counters    the fds' own counts;  count  one such count
 *                 access      the few acts that take rights;  closer  closing takes long: elsewhere
 *                 workload    the command after --
 *                 abi         what a build machine's header may lack
 * decode/         decoder     blocks -> records;  record  bytes -> fields;  cursor  no read beyond
 *                 idmap       whose record;  order  records of several CPUs by time
 *                 format      tracepoint fields (the only user of libtraceevent)
 *                 fieldformat the same for formats that a file brings
 *                 perfdata    perf.data, file and pipe;  perfdata-head  what comes before the records
 *                 tracingdata its formats;  input  its bytes;  zstd  the compressed ones
 *                 kallsyms    kernel symbols;  ksymbols  loaded when first needed
 * src/model/      model       the tables;  tables  their inside;  build  a snapshot out of them
 *                 cells       the books of one event on one CPU
 *                 tasks       who;  addresses  where;  trend  the last minute
 *                 snapshot    all that can be shown, immutable
 *                 filter      which rows stay
 * src/output/     text json csv  a snapshot written out (output.h)
 *                 sink        stdout or -o;  savefile  a new file for P
 *                 perfdata-writer  --record's file;  reopen  a saved text back into a snapshot
 * ui/             ui          the screen's state, fed with snapshots and keys
 *                 screen      the terminal (the only user of curses);  canvas  cells and roles
 *                 see ui/ui.h for its inside
 * src/base/       small tools without opinions: text (what strangers write, made harmless), fmt,
 *                 json (what strangers wrote, read), strbuf, cpulist, suggest, sys, xalloc
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app.h"
#include "batch.h"
#include "doctor.h"
#include "libraries.h"
#include "list.h"
#include "live.h"
#include "options.h"
#include "played.h"

/*
 * Installed setuid or setgid it would write files with rights that the caller does not have, and that
 * nobody named: sudo says who called.  File capabilities (setcap) are no such thing.
 */
static int refuse_setuid(void)
{
	if (getuid() == geteuid() && getgid() == getegid())
		return 0;
	fputs("perftop-ng: it does not run setuid or setgid: chmod ug-s on the file, and sudo instead\n",
	      stderr);
	return EXIT_FAILURE;
}

/*
 * A standard file that was closed is not free for the next open(): something else would be written
 * into.  What stands in for it fails with EBADF, as the closed one would.
 */
static void fill_standard_files(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
			continue;
		if (open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
			_exit(EXIT_FAILURE);
	}
}

static int flush_output(void)
{
	if (fflush(stdout) == 0)
		return EXIT_SUCCESS;
	fprintf(stderr, "perftop-ng: standard output: %s\n", strerror(errno));
	return EXIT_FAILURE;
}

static int print_version(void)
{
	puts("perftop-ng " PERFTOP_VERSION);
	for (size_t i = 0; i < LIBRARIES; i++)
		printf("%-11s %s\n", library_at(i)->name,
		       library_at(i)->is_built_in ? "built in" : "not built in");
	return flush_output();
}

static int print_help(void)
{
	options_help();
	return flush_output();
}

static int watch(const struct options *options)
{
	struct app app;
	int status = app_init(&app, options);

	if (status == 0 && !options->is_dump_attr)
		status = options->mode != MODE_SCREEN ? batch_run(&app) :
			 options->script != NULL      ? played_run(&app) :
							live_run(&app);
	status = app_result(&app, status);
	app_fini(&app);
	return status;
}

static int run(const struct options *options)
{
	if (options->is_doctor && options->mode != MODE_HELP)
		return doctor_run(options->mode == MODE_JSON, options->as);
	switch (options->mode) {
	case MODE_HELP:
		return print_help();
	case MODE_VERSION:
		return print_version();
	case MODE_LIST:
		return list_print(options->list_glob);
	default:
		return watch(options);
	}
}

int main(int argc, char **argv)
{
	fill_standard_files();

	struct options options;
	int status = refuse_setuid();

	if (status != 0)
		return status;
	status = options_parse(&options, argc, argv);
	if (status == 0)
		status = run(&options);
	options_fini(&options);
	return status;
}
