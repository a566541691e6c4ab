/* SPDX-License-Identifier: MIT */
/*
 * perftop-ng - what the kernel of this machine is doing, live: every perf
 * event's exact rate, who causes it, context switches, throttling, and loss.
 *
 * The map of all files, room by room, each room by the way of an event.  A room includes what its
 * line in tests/lint.sh allows: event -> capture -> decode -> model -> { ui, output }, and run sees all.
 * `make lint` compares this list with the tree.
 *
 * src/            main  parse, then hand over to doctor, list or a run (this file)
 * src/cli/        options  the command line, one table
 *                 fault  what is wrong with an option's text, with a caret
 *                 target  which CPUs, which tasks;  user  -u;  cgroup  -G;  filters  --filter
 *                 list  --list;  doctor  --doctor;  doctor-print  its output
 *                 libraries  which optional libraries are built in
 * src/run/        app  the one context: its run and its end;  app-init  its set-up
 *                 rights  whose rights it runs with, and when they are given up
 *                 batch  the run without a screen;  live  the run with one
 *                 script-run  the screen without a terminal, for --script
 *                 ui-actions  what the ui asks for beyond the screen
 *                 loop  the one epoll loop;  signals  as an fd, and the fatal ones
 * src/source/     source  where snapshots come from: the engine, a replayed file, a saved snapshot
 *                 engine  the collecting half: decoder thread;  engine-events  told to decoder and model
 *                 engine-commands  what main asked for
 *                 engine-slots  CPUs and their readers;  engine-ticks  from marks to a snapshot
 *                 engine-inside  what these share;  command  what main asks for
 *                 replay  the same from perf.data;  file-model  its events and counts, for the model
 *                 saved  a saved snapshot as a source
 *                 recorder  --record;  resolver  what decode/ explains, for the model
 *                 mailbox  one snapshot from thread to thread
 * src/opener/     opener  the process that keeps the rights;  serve  its loop
 *                 request  its checks;  acts  what it does;  protocol, wire  what is said, and how
 *                 remote  struct access through it;  caller  who asked root to run us
 *                 needs  which capabilities the opener keeps;  drop, caps, seccomp  giving rights up
 *                 instrumented  whether a sanitizer is built in
 * src/event/      event  an event as asked for
 *                 kind  what each kind of event knows of itself;  kind-*  each of them
 *                 grammar  -e, in perf's words: lists and groups;  grammar-item  one event
 *                 grammar-modifiers, grammar-terms, grammar-probes  its parts
 *                 grammar-parser  what these and the kinds share
 *                 catalog  the names of this machine, the default set;  pmu  sysfs PMUs
 *                 tracefs  tracepoints' files
 *                 fields  what they have;  fieldfilter  --filter checked
 *                 uprobe  ELF symbol -> file offset
 *                 why  errno -> cause and smallest fix;  probe  each kind of event tried
 * src/capture/    features  what this kernel takes;  attr  perf_event_attr, filled in one place
 *                 evset  the open events: every one on every CPU, one ring a CPU
 *                 evset-open  one event, negotiated;  evset-fds  its fds;  evset-rings  the rings
 *                 evset-print  --dump-attr;  evset-inside  what these share
 *                 ring  one CPU's mmap ring;  reader  the thread that empties it
 *                 block  records on their way;  queue  the lock-free way itself
 *                 counters  the fds' own counts;  count  one such count
 *                 access  the few acts that take rights;  closer  closing takes long: elsewhere
 *                 format-text  a tracepoint's format
 *                 workload  the command after --
 * src/perfdata/   reader  perf.data, file and pipe;  reader-head  what comes before the records
 *                 reader-inside  what these share;  input  its bytes;  zstd  the compressed ones
 *                 tracingdata  its formats;  fieldformat  fields by a format that a file brings
 *                 order  records of several CPUs by time;  layout  the numbers of the format
 *                 writer  --record's file;  writer-features  what describes the records
 *                 writer-inside  what these share
 * decode/         decoder  blocks -> records;  record  bytes -> fields;  cursor  no read beyond
 *                 idmap  whose record
 *                 format  tracepoint fields (the only user of libtraceevent)
 *                 kallsyms  kernel symbols;  ksymbols  loaded when first needed
 * src/model/      model  the tables;  tables  their inside;  build  a snapshot out of them
 *                 build-events, build-cpus, build-tasks  its parts;  build-inside  what these share
 *                 cells  the books of one event on one CPU
 *                 tasks  who;  addresses  where;  trend  the last minute
 *                 snapshot  all that can be shown, immutable;  figures  its values, a row each
 *                 filter  which rows stay
 * src/output/     output  a snapshot written out, and the list of ways;  output-*  each of them
 *                 sink  stdout or -o;  savefile  a new file for P
 *                 reopen  a saved text back into a snapshot
 * ui/             ui  the screen's state, fed with snapshots and keys;  state  its inside
 *                 act, action  what a key does;  key, keys  which key that is;  prompt  typed text
 *                 view  one view of many, and their list;  view-*  each of them, and its parts
 *                 event-cells  cells that several show
 *                 table  rows, cursor, sort;  table-draw  drawn
 *                 frame  the whole screen;  head, foot  its ends;  draw  numbers and bars in it
 *                 canvas  cells and roles;  theme  roles -> looks;  palette  what a terminal has of them
 *                 screen  the terminal;  screen-keys  its keys;  screen-restore  giving it back
 *                 screen-inside  what these share, the only users of curses
 *                 script  keys from a file
 * src/base/       text  what strangers write, made harmless;  text-table  wide and combining ones
 *                 fmt  numbers for people;  json  what strangers wrote, read
 *                 strbuf  text that grows;  cpulist  lists of CPUs;  suggest  the nearest name
 *                 abi  what a build machine's header may lack
 *                 sys  small questions to the system;  xalloc  memory or the end
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/doctor.h"
#include "cli/libraries.h"
#include "cli/list.h"
#include "cli/options.h"
#include "output/output.h"
#include "run/app.h"
#include "run/batch.h"
#include "run/live.h"
#include "run/script-run.h"

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
			 options->script != NULL      ? script_run(&app) :
							live_run(&app);
	status = app_result(&app, status);
	app_fini(&app);
	return status;
}

static int run(const struct options *options)
{
	if (options->is_doctor && options->mode != MODE_HELP)
		return doctor_run(options->format == output_json(), options->as);
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
