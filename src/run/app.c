/* SPDX-License-Identifier: MIT */
#include "run/app.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/sys.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "capture/closer.h"
#include "capture/reader.h"
#include "run/browse.h"
#include "run/examine.h"
#include "run/scope.h"
#include "run/stuck.h"
#include "source/recorder.h"

/* APP_FINISH_NS, a block and a snapshot: then something holds up the decoder, and we exit without it. */
#define OVERDUE_NS (400 * NSEC_PER_MSEC)

/* When the recording takes longer to end, as on a slow disk, that is said. */
#define SLOW_DISK_S 1
/* How long threads may take to exit once their work is done. */
#define JOIN_NS		(2 * NSEC_PER_SEC)
#define JOIN_OVERDUE_NS (50 * NSEC_PER_MSEC)
/* timeout(1) and shells send the same signal twice, to the process and to its group. */
#define SIGNALS_APART_NS (100 * NSEC_PER_MSEC)

int app_fail(struct app *app, const char *what)
{
	if (app->error == NULL)
		app->error = xasprintf("%s: %s", what, strerror(errno));
	return EXIT_FAILURE;
}

int app_start(struct app *app, double first_tick_s)
{
	const char *error = source_start(app->source, first_tick_s);

	if (error != NULL)
		return app_fail(app, error);
	if (app->workload == NULL || workload_start(app->workload) == 0)
		return 0;
	return app_fail(app, app->options->command[0]);
}

static char *describe_overdue(void)
{
	char *why = stuck_thread(SOURCE_THREAD_NAME);
	char *text = xasprintf("no final figures: %s",
			       why != NULL ? why : "the decoder thread does not respond");

	free(why);
	return text;
}

static void on_deadline(void *ctx, uint32_t events)
{
	struct app *app = ctx;

	(void)events;
	if (app->recorder != NULL) {
		fprintf(stderr, "perftop-ng: still writing %s: ^C ends this\n",
			app->options->record);
		app->has_said_wait = true;
		loop_remove(app->loop, app->deadline);
		return;
	}
	app->is_overdue = true;
	if (app->error == NULL)
		app->error = describe_overdue();
	loop_stop(app->loop);
}

static int watch_deadline(struct app *app)
{
	app->deadline = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (app->deadline < 0)
		return -1;
	return loop_add(app->loop, app->deadline, EPOLLIN, on_deadline, app);
}

int app_watch_source(struct app *app)
{
	return loop_add(app->loop, source_fd(app->source), EPOLLIN, app->on_snapshot, app->on_ctx);
}

int app_watch(struct app *app, struct loop *loop, int signals, const struct app_events *on,
	      void *ctx)
{
	int opener = on->on_opener_gone != NULL ? rights_fd(&app->rights) : -1;
	bool has_command = on->on_command_end != NULL && app->workload != NULL;

	app->loop = loop;
	app->on_snapshot = on->on_snapshot;
	app->on_ctx = ctx;
	if (app_watch_source(app) != 0 ||
	    loop_add(loop, signals, EPOLLIN, on->on_signal, ctx) != 0 || watch_deadline(app) != 0)
		return -1;
	/* No events: only a hang-up is reported. */
	if (opener >= 0 && loop_add(loop, opener, 0, on->on_opener_gone, ctx) != 0)
		return -1;
	if (!has_command)
		return 0;
	return loop_add(loop, workload_fd(app->workload), EPOLLIN, on->on_command_end, ctx);
}

/* on_deadline() after this time. */
static void arm_deadline(struct app *app, time_t seconds, long ns)
{
	struct itimerspec overdue = { .it_value = { .tv_sec = seconds, .tv_nsec = ns } };

	timerfd_settime(app->deadline, 0, &overdue, NULL);
}

void app_finish(struct app *app)
{
	app->is_ending = true;
	/* Wait for a recording to be complete, and for a file, whose thread cannot starve. */
	bool is_waiting = app->recorder != NULL || app->options->input != NULL;
	source_finish(app->source, is_waiting ? UINT64_MAX : sys_monotonic_ns() + APP_FINISH_NS);
	if (app->recorder != NULL)
		arm_deadline(app, SLOW_DISK_S, 0);
	else if (!is_waiting)
		arm_deadline(app, 0, OVERDUE_NS);
}

void app_signal(struct app *app, int number)
{
	uint64_t now_ns = sys_monotonic_ns();

	if (app->signal_ns == 0 && !app->has_said_wait) {
		app->signal_ns = now_ns;
		app_finish(app);
	} else if (now_ns - app->signal_ns >= SIGNALS_APART_NS) {
		app->ended_by = number;
		recorder_give_up(app->recorder);
		loop_stop(app->loop);
	}
}

bool app_reap_command(struct app *app)
{
	app->command_status = workload_reap(app->workload);
	if (app->command_status < 0)
		return false;
	loop_remove(app->loop, workload_fd(app->workload));
	source_finish(app->source, UINT64_MAX);
	if (app->recorder != NULL)
		arm_deadline(app, SLOW_DISK_S, 0);
	return true;
}

/* Names of tasks are in it, which can be any bytes. */
static char *say_violation(const struct snap_verify *verify)
{
	struct strbuf text;

	strbuf_init(&text);
	strbuf_printf(&text,
		      "--verify: of %" PRIu64 " samples %" PRIu64 " are missing, %" PRIu64
		      " too many; the first: ",
		      verify->checked, verify->missing, verify->extra);
	text_add_safe(&text, verify->text);

	char *said = xstrdup(text.text);

	strbuf_fini(&text);
	return said;
}

const struct snapshot *app_take(struct app *app)
{
	const struct snapshot *snap = source_take(app->source);

	if (snap != NULL && snap->is_final && snap->verify.text != NULL && app->violation == NULL)
		app->violation = say_violation(&snap->verify);
	return snap;
}

int app_result(struct app *app, int status)
{
	if (app->is_overdue || app->has_failed)
		return EXIT_FAILURE;
	if (app->ended_by != 0)
		return EXIT_SIGNALED + app->ended_by;
	if (status == 0 && recorder_failure(app->recorder) != NULL) {
		app->error = xstrdup(recorder_failure(app->recorder));
		return EXIT_FAILURE;
	}
	if (status == 0 && app->violation != NULL) {
		app->error = xstrdup(app->violation);
		return EXIT_FAILURE;
	}
	/* A command that ^C killed together with us has not failed. */
	if (status == 0 && app->command_status > 0 && app->signal_ns == 0)
		return app->command_status;

	char *complaint = status == 0 && app->source != NULL ? source_complaint(app->source) : NULL;

	if (complaint == NULL)
		return status;
	app->error = xasprintf("%s: %s", app->options->input, complaint);
	free(complaint);
	return EXIT_PARTLY_READ;
}

/* source_free() waits for the decoder, then for the readers. */
static char *describe_left(void)
{
	char *decoder = stuck_thread(SOURCE_THREAD_NAME);
	char *why = decoder != NULL ? decoder : stuck_thread(READER_THREAD_NAME);
	char *text = xasprintf("a thread does not exit%s%s", why != NULL ? ": " : "",
			       why != NULL ? why : "");

	free(why);
	return text;
}

void app_fini(struct app *app)
{
	rights_end_command(&app->rights, app->workload);
	workload_free(app->workload);
	bool is_whole = source_free(
		app->source, sys_monotonic_ns() + (app->is_overdue ? JOIN_OVERDUE_NS : JOIN_NS));
	if (is_whole && app->ended_by != 0 && app->error == NULL &&
	    recorder_failure(app->recorder) != NULL)
		app->error = xstrdup(recorder_failure(app->recorder));
	if (!is_whole && app->error == NULL)
		app->error = describe_left();
	if (app->error != NULL)
		fprintf(stderr, "perftop-ng: %s\n", app->error);
	free(app->error);
	free(app->saved_screen);
	free(app->violation);
	/* A thread that still runs may use the rest: the process exits next. */
	if (!is_whole || app->has_left_thread) {
		rights_leave(&app->rights);
		return;
	}
	recorder_free(app->recorder);
	input_files_close(&app->input);
	if (app->kernel.kallsyms >= 0)
		close(app->kernel.kallsyms);
	if (app->deadline >= 0)
		close(app->deadline);
	examine_free(app);
	scope_free(app);
	closer_leave(app->closer);
	if (!rights_leave(&app->rights) && app->set != NULL)
		closer_leave_behind();
	evset_free(app->set);
	rights_fini(&app->rights);
	for (size_t i = 0; i < NOTES; i++)
		free(app->notes[i]);
	config_fini(&app->config);
	target_fini(&app->target);
	browse_free(app);
	event_list_fini(&app->events);
	catalog_fini(&app->catalog);
}
