/* SPDX-License-Identifier: MIT */
/*
 * perftop-ng - what the kernel of this machine is doing, live: every perf
 * event's exact rate, who causes it, context switches, throttling, and loss.
 *
 * The map of all files, room by room, each in the order of the data flow.  A room may include what
 * its line in tests/lint.sh allows: event -> capture -> decode -> model -> { ui, output }; run may
 * include all.  `make lint` compares this list with the tree.
 *
 * src/            main  parse, then hand over to doctor, list or a run (this file)
 * src/cli/        options  the command line, one table;  options-values  its values
 *                 options-inside  what these share
 *                 fault  what is wrong with an option's text, with a caret
 *                 target  which CPUs, which tasks;  pids  -p;  user  -u;  cgroup  -G;  filters  --filter
 *                 list  --list;  list-match  which events it shows
 *                 doctor  --doctor, and D;  doctor-kinds  its checks of kinds of events
 *                 doctor-print  its output;  doctor-inside  what these share
 *                 libraries  which optional libraries are built in
 * src/run/        app  the program's context: run and teardown;  app-init  its set-up
 *                 rights  the rights of a run, and when they are given up
 *                 sampling  how events are sampled
 *                 batch  the run without a screen;  live  the run with one
 *                 script-run  the screen without a terminal, for --script
 *                 ui-actions  the ui's requests beyond the screen
 *                 themes  which theme is shown
 *                 config  the configuration files;  settings  what they say
 *                 user-files  where the user's own files are
 *                 browse  the events of this machine, and adding them
 *                 examine  the doctor's checks, for the screen
 *                 opening  opens the events for the target, makes the engine
 *                 scope  another target while the program runs
 *                 stuck  why a thread does not go on, for a message
 *                 loop  the one epoll loop;  signals  signalfd, and handlers of fatal signals
 * src/source/     source  where snapshots come from: the engine, a replayed file, a saved snapshot
 *                 engine  live collection: decoder thread;  engine-events  events on and off
 *                 engine-commands  executes main's commands
 *                 engine-groups  records to the model, those of {}:S to each member
 *                 engine-slots  CPUs and their readers;  engine-ticks  from marks to a snapshot
 *                 engine-recording  records to recorder and decoder; where its next file begins
 *                 engine-inside  what these share;  command  main's commands, through a pipe
 *                 governor  limits samples, so that all keeps to a budget
 *                 input-files  what -i names, opened
 *                 merge  which of its files is read next
 *                 replay  the same from perf.data;  pace  when its intervals are due
 *                 past  the snapshots of those that have ended
 *                 file-model  its events and counts, for the model;  file-events  what its events are
 *                 file-row  an event as a row;  file-counts  its counts by CPU;  fd-counts  those by fd
 *                 replay-ticks  from records' times to snapshots;  replay-inside  what these share
 *                 file-resolver  its symbols, fields, names of code
 *                 file-clock  the times of its records;  file-symbols  symbols of its kernel
 *                 proc-maps  what is mapped in running processes;  wait  how long for threads
 *                 code-names  names of user code;  code-files  reads them from its files
 *                 saved  a saved snapshot as a source;  symbol-event  which event makes the symbols
 *                 recorder  --record;  running  the tasks that run when it begins
 *                 skipped  what the disk was too slow for;  rotation  its earlier files;  rebase  their counts
 *                 origin  where it is from;  processor  on which processor
 *                 kernel-id  which kernel runs, and where its code is
 *                 resolver  symbols, fields and facts of tasks, for the model
 *                 procfs  these facts, from /proc
 *                 mailbox  hands one snapshot from thread to thread
 * src/opener/     opener  the process that keeps the rights;  serve  its loop
 *                 request  checks requests;  acts  executes them;  protocol, wire  its messages
 *                 remote  struct access through it;  caller  the user behind sudo, pkexec, doas
 *                 needs  which capabilities the opener keeps;  drop, caps, seccomp  dropping rights
 *                 instrumented  whether a sanitizer is built in
 * src/event/      event  an event as requested
 *                 kind  the properties of a kind of event;  kind-*  each of them
 *                 grammar  -e, in perf's words: lists and groups;  grammar-item  one event
 *                 grammar-modifiers, grammar-terms, grammar-numbers, grammar-probes  its parts
 *                 grammar-parser  what these and the kinds share
 *                 catalog  the names of this machine, the default set;  pmu  sysfs PMUs
 *                 inventory  all its events, described and tried
 *                 tracefs  tracepoints' files
 *                 fields  tracepoints' fields;  fieldfilter  checks --filter
 *                 uprobe  ELF symbol -> file offset
 *                 why  errno -> cause and smallest fix;  probe  test-opens events
 * src/capture/    features  what this kernel supports;  attr  perf_event_attr, filled in one place
 *                 evset  the open events: each on every CPU, one ring per CPU
 *                 evset-open  one event, negotiated;  evset-fds  its fds;  evset-rings  the rings
 *                 evset-groups  the leaders of {}, and of events that are read together
 *                 evset-print  --dump-attr;  evset-inside  what these share
 *                 ring  one CPU's mmap ring;  reader  the thread that drains it
 *                 block  a buffer of records;  queue  the lock-free queue of blocks
 *                 counters  counts read from the fds;  count  one such count
 *                 periods  the sampling periods of one CPU
 *                 readings  which of one CPU's counters a request reads
 *                 access  the few privileged operations;  closer  closes fds in the background
 *                 cost  what the kernel spends on them
 *                 format-text  a tracepoint's format
 *                 workload  the command after --
 * src/perfdata/   reader  perf.data, file, pipe and directory
 *                 reader-head  what comes before the records
 *                 reader-inside  what these share;  stream  the records of one file
 *                 input  its bytes;  zstd  decompression;  stat  records of perf stat
 *                 tracingdata  its formats;  fieldformat  fields by the file's own formats
 *                 build-ids  of the files that it names
 *                 order  records of several CPUs by time;  layout  constants of the format
 *                 writer  --record's file;  writer-end  its head and end;  writer-features  its features
 *                 writer-inside  what these share;  output  the file;  spool  the thread that writes it
 * decode/         decoder  blocks -> records;  record-layout  what records have, by their event's attr
 *                 record  bytes -> fields;  record-map  those of a mapping
 *                 cursor  bounds checks;  idmap  sample id -> event
 *                 format  tracepoint fields (the only user of libtraceevent)
 *                 kallsyms  kernel symbols;  ksymbols  loaded when first needed
 *                 functions  symbols of ELF files
 * src/model/      model  the tables;  tables  their internals;  build  makes a snapshot of them
 *                 build-events, build-cpus, build-timeline, build-spans, build-tasks,
 *                 build-processes, build-parents, build-symbols, build-code, build-stream,
 *                 build-verify  its parts
 *                 build-inside  what these share
 *                 cells  the sums of one event on one CPU
 *                 verify  whether the samples of each counter are whole
 *                 tasks  by task;  lives  their births and ends;  who  their names
 *                 folds  short-lived tasks, by name and parent;  parents  those without a record
 *                 switches  who was on each CPU;  switchlog  switches of all CPUs in time order
 *                 timeline  who was on a CPU in the last seconds;  runners  their names
 *                 spans  how long tasks ran and waited, who preempted them;  histogram  of times
 *                 maps  which files' code is mapped where;  map-files  these files
 *                 chains  by call chain;  names  their symbols;  callers  their functions as a tree
 *                 process-names  of code in no file
 *                 trend  the last minute
 *                 snapshot  all that can be shown, immutable;  figures  its values, a row each
 *                 stream  records kept one by one;  page  these, decoded, immutable
 *                 arena  memory of snapshots and pages
 *                 filter, filter-lexer  which rows are shown
 * src/output/     output  the output formats, and their list;  output-*  each of them
 *                 sink  stdout or -o;  savefile  a new file for P
 *                 json-write  JSON values
 *                 reopen  a saved text back into a snapshot;  reopen-values, reopen-tasks  its parts
 *                 saved-minute  the last minute of a rate, as text
 *                 reopen-inside  what these share
 * ui/             ui  the screen's state, fed with snapshots and keys;  state  its internals
 *                 keep  what a saved snapshot keeps of the screen
 *                 act, action  what a key does;  over  views that a key opens over the others
 *                 key, keys  which key it is, and what it does;  prompt  typed text;
 *                 recall  the texts before
 *                 scope  what is watched;  travel  to other times;  moment  a time that is typed;  history  snapshots that are held
 *                 mouse  what a click does;  spots  where there is something to click
 *                 view  struct view, and the list of views;  view-*  each of them, and its parts
 *                 toggles  what a view was switched to show or hide, as text
 *                 event-ref  the event that a view is about;  event-cells, task-cells  cells shared by several views
 *                 event-sum, task-sum  several of them added up
 *                 table  cursor and keys;  table-order  which rows, in what order;  table-draw  draws it
 *                 table-filter  its rows for a filter;  table-marks  marked rows and their sum
 *                 table-columns  which columns are shown, and in what order;  table-tree  rows below others
 *                 table-inside  what these share;  event-interest  which events come first
 *                 timeline  who was on which CPU in the last seconds
 *                 task-rows  the rows of tasks;  process-rows  one for each process
 *                 task-tree  each below its parent;  task-closed  one for all below it
 *                 task-rates  the rates of all events of a task, side by side
 *                 cpu-rows  figures of each CPU;  cpu-units  or of each core, cache, node
 *                 minute  these in the last minute
 *                 machine-events  all events of the machine;  event-tree  these in groups
 *                 machine-checks  what works on the machine
 *                 symbol-table  an event's symbols;  caller-tree  who called one
 *                 trouble  which events and CPUs were throttled or lossy
 *                 frame  the whole screen;  head, foot, below  its parts;  draw  numbers and bars
 *                 canvas  cells and roles;  theme  roles -> looks;  palette  the terminal's colours
 *                 screen  the terminal;  screen-keys  its keys;  screen-mouse  its mouse
 *                 screen-cells  what differs from what it shows
 *                 screen-answers  its background
 *                 screen-restore  restoring it;  screen-inside  what these share: curses only here
 *                 script  keys from a file;  picture  the screen as an SVG image
 * src/base/       text  escapes untrusted text;  text-table  hidden, wide and combining characters
 *                 fmt  numbers for people;  json  parses untrusted JSON
 *                 textfile  small text files, read within limits, replaced as a whole
 *                 strbuf  text that grows;  suggest  the nearest name
 *                 cpulist  lists of CPUs;  topology  which of them share a core, a cache, a node
 *                 abi  what a build machine's header may lack;  build-id  of a program
 *                 elf-code  its segments of code
 *                 worker  work in a thread of its own;  precedence  how soon a thread gets a CPU
 *                 sys  small system calls;  reread  small files that are read again and again
 *                 xalloc  allocate or exit;  squeeze  compress
 *                 tempfile  what would take much memory;  apart  functions kept out of those for each record
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
 * Installed setuid or setgid it would write files with rights that the caller does not have; sudo
 * names the caller.  File capabilities (setcap) do not have this problem.
 */
static int refuse_setuid(void)
{
	if (getuid() == geteuid() && getgid() == getegid())
		return 0;
	fputs("perftop-ng: it does not run setuid or setgid: chmod ug-s the file, and use sudo\n",
	      stderr);
	return EXIT_FAILURE;
}

/*
 * Fill closed standard fds, so that no later open() gets one and is written to by mistake.  Reads
 * and writes on the replacement fail with EBADF, as on a closed fd.
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

static int print_list(const struct options *options)
{
	return list_print(&(struct list_options){
		.pattern = options->list_pattern,
		.is_json = options->format == output_json(),
		.is_verbose = options->is_verbose,
	});
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
		return print_list(options);
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
