/* SPDX-License-Identifier: MIT */
#include "run/batch.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/sys.h"
#include "output/output.h"
#include "output/sink.h"
#include "run/loop.h"
#include "run/signals.h"

struct batch {
	struct app *app;
	struct loop *loop;
	struct sink *sink;
	struct strbuf text;
	int signals;
	int status;
};

static void fail(struct batch *batch, const char *what)
{
	if (batch->status == 0)
		fprintf(stderr, "perftop-ng: %s: %s\n", what, strerror(errno));
	batch->status = EXIT_FAILURE;
}

/* Output could not be written.  A reader that has read enough, as head does, is no error. */
static void fail_output(struct batch *batch)
{
	const char *path = batch->app->options->output;

	if (path == NULL && errno == EPIPE) {
		batch->status = EXIT_SIGNALED + SIGPIPE;
		return;
	}
	char *why = rights_file_text(&batch->app->rights, errno);
	fprintf(stderr, "perftop-ng: %s: %s\n", path != NULL ? path : "standard output", why);
	free(why);
	batch->status = EXIT_FAILURE;
}

/* Whether it is a command's final snapshot, and -n did not end the run before the command did. */
static bool is_summary(const struct batch *batch, const struct snapshot *snap)
{
	const struct app *app = batch->app;

	return snap->is_final && app->workload != NULL &&
	       (app->command_status >= 0 || app->options->iterations == 0);
}

static void make_text(struct batch *batch, const struct snapshot *snap)
{
	const struct options *options = batch->app->options;
	const struct output *format = options->format;

	strbuf_clear(&batch->text);
	if (format->summary != NULL && is_summary(batch, snap))
		format->summary(&batch->text, snap);
	else
		format->put(&batch->text, snap, options->format_argument);
}

static void on_snapshot(void *ctx, uint32_t events)
{
	struct batch *batch = ctx;
	const struct snapshot *snap = app_take(batch->app);

	(void)events;
	if (snap == NULL)
		return;
	if (batch->status == 0) {
		make_text(batch, snap);
		if (sink_write(batch->sink, batch->text.text, batch->text.len) != 0) {
			fail_output(batch);
			app_finish(batch->app);
		}
	}
	if (snap->is_final)
		loop_stop(batch->loop);
	snapshot_release(snap);
}

static void on_signal(void *ctx, uint32_t events)
{
	struct batch *batch = ctx;
	int number;

	(void)events;
	while ((number = signals_next(batch->signals)) != 0)
		app_signal(batch->app, number);
}

static void on_command_end(void *ctx, uint32_t events)
{
	struct batch *batch = ctx;

	(void)events;
	app_reap_command(batch->app);
}

/* Called for a hang-up only: the opener was killed. */
static void on_opener_gone(void *ctx, uint32_t events)
{
	struct batch *batch = ctx;

	(void)events;
	loop_remove(batch->loop, rights_fd(&batch->app->rights));
	fprintf(stderr, "perftop-ng: %s\n", rights_lost_text());
}

static int open_sink(struct batch *batch)
{
	const struct options *options = batch->app->options;

	batch->sink = sink_open(options->output, options->is_append);
	if (batch->sink == NULL) {
		fail_output(batch);
		return -1;
	}
	if (options->format->head != NULL && sink_is_fresh(batch->sink)) {
		options->format->head(&batch->text, options->format_argument);
		if (sink_write(batch->sink, batch->text.text, batch->text.len) != 0) {
			fail_output(batch);
			return -1;
		}
	}
	return 0;
}

static int watch(struct batch *batch)
{
	static const struct app_events on = { on_snapshot, on_signal, on_command_end,
					      on_opener_gone };

	batch->loop = loop_new();
	return batch->loop != NULL ?
		       app_watch(batch->app, batch->loop, batch->signals, &on, batch) :
		       -1;
}

static void run(struct batch *batch)
{
	if (watch(batch) != 0 || loop_run(batch->loop) != 0)
		fail(batch, "cannot wait for snapshots: epoll");
	loop_free(batch->loop);
}

int batch_run(struct app *app)
{
	struct batch batch = { .app = app };

	strbuf_init(&batch.text);
	batch.signals = signals_open(false);
	if (batch.signals < 0)
		fail(&batch, "no signalfd for ^C");
	else if (open_sink(&batch) == 0) {
		int status = app_start(app, app->interval_s);

		if (status != 0)
			batch.status = status;
		else
			run(&batch);
	}
	if (sink_close(batch.sink) != 0)
		fail_output(&batch);
	if (batch.signals >= 0)
		close(batch.signals);
	strbuf_fini(&batch.text);
	return batch.status;
}
