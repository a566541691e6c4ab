/* SPDX-License-Identifier: MIT */
#include "run/app.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sys.h"
#include "base/xalloc.h"
#include "capture/cost.h"
#include "cli/fault.h"
#include "cli/filters.h"
#include "event/grammar.h"
#include "event/why.h"
#include "opener/caps.h"
#include "run/opening.h"
#include "source/kernel-id.h"
#include "source/recorder.h"
#include "source/replay.h"
#include "source/saved.h"

/* --- events --------------------------------------------------------------------------------- */

static void parse_events(struct app *app)
{
	for (size_t i = 0; i < app->options->nevents; i++) {
		struct grammar_faults faults = { 0 };

		size_t first = app->events.count;
		grammar_parse(app->options->events[i], &app->catalog, &app->events, &faults);
		for (size_t k = 0; k < faults.count; k++) {
			const struct grammar_fault *fault = &faults.faults[k];

			fault_print("-e", app->options->events[i], fault->column, fault->length,
				    fault->reason, fault->nearest);
		}
		app->nfaults += faults.count;
		grammar_faults_fini(&faults);
		filters_apply(app->options, i, &app->events, first, app->access);
	}
	if (app->options->nevents == 0)
		catalog_default_set(&app->catalog, &app->events);
}

static void note_tracefs(struct app *app)
{
	if (app->catalog.tracefs != NULL || app->options->nevents > 0)
		return;
	app->notes[NOTE_TRACEFS] =
		xasprintf("no tracepoints: %s", tracefs_why(app->catalog.tracefs_errno));
}

/* --- opening -------------------------------------------------------------------------------- */

/*
 * Each event takes a file on each CPU, and each stream of a recording one.  Root may go beyond the
 * hard limit, up to fs.nr_open; before the rights are given up, and after the command was forked,
 * which keeps its limits.
 */
static void raise_file_limit(void)
{
	struct rlimit limit;
	long long most = 0;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return;
	if ((caps_permitted() & CAPS_BIT(CAP_SYS_RESOURCE)) != 0 &&
	    sys_read_int("/proc/sys/fs/nr_open", &most) == 0 && (rlim_t)most > limit.rlim_max &&
	    setrlimit(RLIMIT_NOFILE, &(struct rlimit){ (rlim_t)most, (rlim_t)most }) == 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* Choose the events' sampling, then open them. */
static int open_events(struct app *app)
{
	char *complaint = NULL;

	if (opening_choose(app) != 0)
		return EXIT_FAILURE;
	app->sample_ns = cost_of_sample(app->access, &app->features, app->options->has_chains);
	app->closer = closer_new(app->access);
	bool is_open = opening_events(app, &complaint);
	if (complaint != NULL)
		fprintf(stderr, "perftop-ng: %s\n", complaint);
	free(complaint);
	return is_open ? 0 : EXIT_FAILURE;
}

/* Consecutive events with the same reason are reported once. */
static void print_reasons(const struct evset *set)
{
	const char *last = "";

	for (uint32_t i = EVSET_FIRST; i < evset_count(set); i++) {
		const struct evset_event *event = evset_event(set, i);

		/* Faults of the -e text were reported by the parser. */
		if (event->state != EVSET_FAILED || event->spec.fault != NULL ||
		    strcmp(event->reason, last) == 0)
			continue;
		last = event->reason;
		fprintf(stderr, "perftop-ng: %s: %s\n", event->spec.name, event->reason);
	}
}

static size_t count_state(const struct evset *set, enum evset_state state)
{
	size_t count = 0;

	for (uint32_t i = EVSET_FIRST; i < evset_count(set); i++)
		count += evset_event(set, i)->state == state;
	return count;
}

/* --strict: 2, and the reasons, when part of an -e is wrong or does not open. */
static int check_strict(const struct app *app)
{
	if (!app->options->is_strict ||
	    (app->nfaults == 0 && count_state(app->set, EVSET_FAILED) == 0))
		return 0;
	print_reasons(app->set);
	return EXIT_STRICT;
}

static int check_opened(const struct app *app)
{
	int status = check_strict(app);

	if (status != 0 || app->options->mode == MODE_SCREEN)
		return status;
	print_reasons(app->set);
	if (count_state(app->set, EVSET_ON) == 0) {
		fprintf(stderr, "perftop-ng: no event could be opened\n");
		return EXIT_FAILURE;
	}
	return 0;
}

static int print_attrs(const struct app *app)
{
	struct strbuf text;

	strbuf_init(&text);
	evset_print_attrs(app->set, &text);
	fputs(text.text, stdout);
	strbuf_fini(&text);
	return fflush(stdout) == 0 ? check_strict(app) : EXIT_FAILURE;
}

/* --- life ----------------------------------------------------------------------------------- */

/* After rights_give_up(): the file that --config names is read as the user. */
static int read_config(struct app *app)
{
	int status = config_read(&app->config, app->options);

	app->interval_s = config_delay_s(&app->config, app->options);
	return status;
}

/* Nothing else can be renamed when it is full. */
static bool can_have_several(const char *path)
{
	struct stat status;

	if (stat(path, &status) != 0 || S_ISREG(status.st_mode))
		return true;
	fprintf(stderr,
		"perftop-ng: --record-every: %s is not a regular file: choose another name\n",
		path);
	return false;
}

/* After rights_give_up(), so that the file belongs to the user. */
static int open_recorder(struct app *app)
{
	const char *path = app->options->record;

	if (path == NULL)
		return 0;

	struct rotation_plan plan = {
		.bytes = app->options->every_bytes,
		.ns = app->options->every_ns,
		.keep = app->options->keep,
	};
	if ((plan.bytes != 0 || plan.ns != 0) && !can_have_several(path))
		return EXIT_FAILURE;
	app->recorder = recorder_open(path, app->set, &plan, app->access, app->options->words);
	if (app->recorder != NULL)
		return 0;
	char *why = rights_file_text(&app->rights, errno);
	fprintf(stderr, "perftop-ng: %s: %s\n", path, why);
	free(why);
	return EXIT_FAILURE;
}

/* The command's output must not mix with ours on standard output. */
static enum workload_output output_of_command(const struct options *options)
{
	if (options->mode == MODE_SCREEN)
		return WORKLOAD_DROPPED;
	return options->output != NULL ? WORKLOAD_AS_OURS : WORKLOAD_STDERR;
}

static int make_workload(struct app *app)
{
	if (app->options->command == NULL)
		return 0;
	app->workload = workload_new(app->options->command, output_of_command(app->options));
	if (app->workload == NULL) {
		fprintf(stderr, "perftop-ng: no process for %s: %s\n", app->options->command[0],
			strerror(errno));
		return EXIT_FAILURE;
	}
	return 0;
}

/* Take standard input for the records; a screen then reads its keys from /dev/tty. */
static int take_stdin(bool has_keys, struct input_files *input)
{
	int fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);

	if (fd < 0)
		return -1;
	input_files_take(input, fd);
	if (!has_keys)
		return 0;
	int tty = open("/dev/tty", O_RDWR | O_CLOEXEC);
	if (tty < 0)
		return -1;
	int result = dup2(tty, STDIN_FILENO) < 0 ? -1 : 0;
	close(tty);
	return result;
}

/* For the symbols of a recorded file, which is read after that, when no process has root's rights any more. */
static int open_kernel(struct app *app)
{
	uname(&app->system);
	app->kernel = (struct running_kernel){
		.kallsyms = app->access->open_kallsyms(app->access->ctx),
		.release = app->system.release,
		.id = kernel_id(KERNEL_ID_PATH),
	};
	return rights_seal(&app->rights);
}

static char *open_error(int error)
{
	return xstrdup(error == EISDIR ?
			       "it is a directory without a file \"data\", not of perf record" :
			       strerror(error));
}

/*
 * A recorded file needs no event.  It is opened with the rights that we were called with, as sudo
 * perf record makes it root's, and read without them.
 */
static int open_input(struct app *app)
{
	const struct options *options = app->options;
	bool is_screen = options->mode == MODE_SCREEN;
	bool is_stdin = strcmp(options->input, "-") == 0;
	bool has_keys = is_screen && options->script == NULL;
	int status = rights_init(&app->rights, options, NULL);
	char *error = NULL;

	app->access = rights_access(&app->rights);
	if ((is_stdin ? take_stdin(has_keys, &app->input) :
			input_files_open(&app->input, options->input)) != 0)
		error = open_error(errno);
	if (status == 0)
		status = rights_lower(&app->rights, options);
	if (status == 0)
		status = rights_give_up(&app->rights);
	if (status == 0)
		status = open_kernel(app);
	if (status == 0)
		status = read_config(app);
	if (status != 0)
		return status;

	struct replay_config config = {
		.fds = app->input.fds,
		.nfds = app->input.count,
		.kernel = &app->kernel,
		.interval_s = app->interval_s,
		.speed = options->speed > 0 || !is_screen ? options->speed : 1,
		.iterations = options->iterations,
		.keep = opening_rows(options),
		.stays = has_keys,
	};
	if (error == NULL)
		app->source = saved_open(app->input.fds[0], has_keys, &app->saved_screen, &error);
	app->is_saved = app->source != NULL;
	if (app->source == NULL && error == NULL) {
		app->source = replay_open(&config, &error);
		if (app->source != NULL)
			app->file = replay_file(app->source);
	}
	if (app->source != NULL)
		return 0;
	fprintf(stderr, "perftop-ng: %s: %s\n", options->input, error);
	free(error);
	return EXIT_FAILURE;
}

static int make_engine(struct app *app)
{
	uname(&app->system);
	if (opening_engine(app) == 0)
		return 0;
	fprintf(stderr, "perftop-ng: no eventfd or pipe for its threads: %s\n", strerror(errno));
	return EXIT_FAILURE;
}

/* The tasks are looked up while we may still read all of /proc. */
static int choose_target(struct app *app)
{
	char *error = NULL;
	pid_t command = app->workload != NULL ? workload_pid(app->workload) : 0;
	int status =
		target_init(&app->target, app->options, app->access->has_root, command, &error);

	if (error != NULL)
		fprintf(stderr, "perftop-ng: %s\n", error);
	free(error);

	const char *fault = status == 0 ? opening_verify_fault(app, &app->target) : NULL;

	if (fault == NULL)
		return status;
	fprintf(stderr, "perftop-ng: %s\n", fault);
	return EXIT_FAILURE;
}

int app_init(struct app *app, const struct options *options)
{
	*app = (struct app){ .options = options,
			     .target.cgroup_fd = -1,
			     .kernel.kallsyms = -1,
			     .command_status = -1,
			     .deadline = -1 };
	if (options->input != NULL) {
		raise_file_limit();
		return open_input(app);
	}

	/* The command first: it keeps the original rights and environment. */
	int status = make_workload(app);
	raise_file_limit();
	if (status == 0)
		status = rights_init(&app->rights, options, app->workload);
	app->access = rights_access(&app->rights);
	if (status != 0)
		return status;

	features_probe(&app->features);
	status = choose_target(app);
	if (status == 0)
		status = rights_lower(&app->rights, options);
	if (status != 0)
		return status;
	catalog_init(&app->catalog);
	parse_events(app);
	note_tracefs(app);
	app->notes[NOTE_SCOPE] = target_note(&app->target, options);
	status = rights_give_up(&app->rights);
	if (status == 0)
		status = read_config(app);
	if (app->catalog.tracefs != NULL)
		tracefs_open_by(app->catalog.tracefs, app->access->open_tracefs, app->access->ctx);
	if (status == 0)
		status = open_events(app);
	if (status == 0 && !options->is_dump_attr)
		status = open_recorder(app);
	if (status == 0)
		status = rights_seal(&app->rights);
	if (status == 0 && options->is_dump_attr)
		return print_attrs(app);
	if (status == 0)
		status = check_opened(app);
	if (status == 0)
		status = make_engine(app);
	return status;
}
