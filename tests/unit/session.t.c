/* SPDX-License-Identifier: MIT */
/*
 * A whole run in a child, batch or on a terminal, with a scripted engine in place of the kernel:
 * its snapshots come when the test sends them, so that a decoder that stands, a thread that does not
 * start and one that does not end are ordinary cases.
 */
#include "run/app.h"
#include "run/batch.h"
#include "run/live.h"

#include "base/sys.h"
#include "fake-kernel.h"
#include "fixture.h"
#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <pty.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_MSEC 20000
#define KEYS_OF_EXIT  "\033[?1049l" /* xterm leaves its second screen */
#define NONE	      (-1)

/* --- the script, and what the engine was asked: shared with the child ------------------------- */

struct script {
	/* Set before the run. */
	const char *error;     /* at the start */
	unsigned int final_at; /* answers so many engine_finish() with the final snapshot; 0: never */
	bool stands_at_end;    /* its thread does not end */
	/* While it runs. */
	_Atomic unsigned int sent, final; /* snapshots, the number of the final one, or 0 */
	_Atomic unsigned int starts, taken, finishes, zeroes, frees;
	_Atomic bool is_bounded; /* the last finish had a time limit */
	_Atomic int toggled;	 /* row, or NONE */
	_Atomic double interval_s;
};

static struct script *script;
static int snapshots; /* eventfd: one to take for each */

static void send_one(void)
{
	uint64_t one = 1;

	script->sent++;
	if (write(snapshots, &one, sizeof(one)) < 0)
		bail("eventfd: %s", strerror(errno));
}

static void send_final(void)
{
	script->final = script->sent + 1;
	send_one();
}

/* --- the engine ------------------------------------------------------------------------------- */

static struct source the_engine;
static pthread_t feeder;

/* For each that is sent puts a snapshot where main takes it, and waits until it has. */
static void *feed(void *arg)
{
	uint64_t one;

	(void)arg;
	while (read(snapshots, &one, sizeof(one)) > 0) {
		struct snapshot *snap = fixture_snapshot();

		snap->seq = script->taken + 1;
		snap->is_final = snap->seq == script->final;
		mailbox_put(&the_engine.mailbox, snap);
		mailbox_wait_free(&the_engine.mailbox);
		script->taken++;
	}
	return NULL;
}

static const char *start_engine(struct source *source, double first_tick_s)
{
	(void)source;
	(void)first_tick_s;
	script->starts++;
	errno = EAGAIN;
	return script->error;
}

static void command_engine(struct source *source, const struct command *command)
{
	(void)source;
	switch (command->kind) {
	case COMMAND_TOGGLE:
		script->toggled = (int)command->row;
		break;
	case COMMAND_ZERO:
		script->zeroes++;
		break;
	case COMMAND_INTERVAL:
		script->interval_s = command->seconds;
		break;
	case COMMAND_FINISH:
		script->is_bounded = command->until_ns != UINT64_MAX;
		if (++script->finishes == script->final_at)
			send_final();
		break;
	}
}

static bool free_engine(struct source *source, uint64_t until_ns)
{
	(void)source;
	(void)until_ns;
	script->frees++;
	return !script->stands_at_end;
}

static struct source *make_engine(void)
{
	static const struct source_ops ops = {
		.start = start_engine,
		.command = command_engine,
		.free = free_engine,
	};

	sigset_t all, before;

	/* Signals are for main. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	if (source_init(&the_engine, &ops) != 0 || pthread_create(&feeder, NULL, feed, NULL) != 0)
		bail("no engine: %s", strerror(errno));
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return &the_engine;
}

/* Nothing is open in it. */
static struct evset *empty_set(void)
{
	static const struct features none;
	static struct fake_kernel kernel = { .error = EACCES };
	static struct access access; /* borrowed by the set */
	const struct evset_config config = {
		.cgroup_fd = -1,
		.capacity = EVSET_FIRST,
		.features = &none,
		.access = &access,
	};
	char *reason;

	access = fake_access(&kernel);
	struct evset *set = evset_new(&config, &reason);

	free(reason);
	return set;
}

/* --- the run ---------------------------------------------------------------------------------- */

struct run {
	pid_t pid;
	FILE *out, *err;
	int tty;	   /* the terminal's side, or -1 */
	char shown[65536]; /* what came to the terminal */
	size_t nshown;
};

/* As main() does, with a set in which nothing is open; a command is made as app_init() makes it. */
static int run_app(const struct options *options)
{
	struct app app = {
		.options = options,
		.target.cgroup_fd = -1,
		.input_fd = -1,
		.command_status = -1,
		.deadline = -1,
	};

	if (options->command != NULL) {
		app.workload = workload_new(options->command, WORKLOAD_DROPPED);
		if (app.workload == NULL)
			return EXIT_FAILURE;
	}
	app.set = empty_set();
	app.source = make_engine();

	int status = options->mode == MODE_SCREEN ? live_run(&app) : batch_run(&app);
	status = app_result(&app, status);
	evset_free(app.set);
	app.set = NULL; /* or there would be a perftop-closer */
	app_fini(&app);
	return status;
}

static void begin_script(void)
{
	if (script == NULL) {
		script = mmap(NULL, sizeof(*script), PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		if (script == MAP_FAILED)
			bail("mmap: %s", strerror(errno));
	} else {
		close(snapshots);
	}
	memset(script, 0, sizeof(*script));
	script->toggled = NONE;
	snapshots = eventfd(0, EFD_SEMAPHORE | EFD_CLOEXEC);
	if (snapshots < 0)
		bail("eventfd: %s", strerror(errno));
}

static struct run begin(const struct options *options)
{
	struct winsize size = { .ws_col = 100, .ws_row = 24 };
	bool is_screen = options->mode == MODE_SCREEN;
	struct run run = { .out = tmpfile(), .err = tmpfile(), .tty = -1 };

	if (run.out == NULL || run.err == NULL)
		bail("tmpfile: %s", strerror(errno));
	fflush(stdout);
	run.pid = is_screen ? forkpty(&run.tty, NULL, NULL, &size) : fork();
	if (run.pid < 0)
		bail("fork: %s", strerror(errno));
	if (run.pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL); /* also when the test is ended in the middle */
		dup2(fileno(run.err), STDERR_FILENO);
		if (!is_screen)
			dup2(fileno(run.out), STDOUT_FILENO);
		setenv("TERM", "xterm", 1);
		int status = run_app(options);
		fflush(NULL);
		_exit(status);
	}
	return run;
}

static void listen_for(struct run *run, int milliseconds)
{
	struct pollfd tty = { .fd = run->tty, .events = POLLIN };

	if (poll(&tty, 1, milliseconds) > 0 && run->nshown + 1 < sizeof(run->shown)) {
		ssize_t got = read(run->tty, run->shown + run->nshown,
				   sizeof(run->shown) - 1 - run->nshown);

		if (got > 0)
			run->nshown += (size_t)got;
		else
			poll(NULL, 0, milliseconds); /* nobody has the other side any more */
	}
}

static bool until_is(struct run *run, const _Atomic unsigned int *count, unsigned int want)
{
	for (int i = 0; i < PATIENCE_MSEC && *count < want; i++)
		listen_for(run, 1);
	return *count >= want;
}

static bool shows(struct run *run, const char *text)
{
	for (int i = 0; i < PATIENCE_MSEC && strstr(run->shown, text) == NULL; i++)
		listen_for(run, 1);
	return strstr(run->shown, text) != NULL;
}

/* A run that has taken its first snapshot, and shown it where it has a screen. */
static struct run begin_running(const struct options *options, const char *what)
{
	struct run run = begin(options);

	send_one();
	if (options->mode == MODE_SCREEN)
		ok(shows(&run, "sched_switch"), "%s: it runs", what);
	else
		ok(until_is(&run, &script->taken, 1), "%s: it runs", what);
	return run;
}

static void press(const struct run *run, const char *keys)
{
	if (write(run->tty, keys, strlen(keys)) < 0)
		bail("write to the terminal: %s", strerror(errno));
}

/* The exit status, 128 and the signal when one ended it, or NONE when it had to be ended here. */
static int status_of(struct run *run)
{
	int status, waited = 0;

	for (int i = 0; i < PATIENCE_MSEC && waited == 0; i++) {
		listen_for(run, 1);
		waited = waitpid(run->pid, &status, WNOHANG);
	}
	if (waited == 0) {
		kill(run->pid, SIGKILL);
		waitpid(run->pid, &status, 0);
		return NONE;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_SIGNALED + WTERMSIG(status);
}

/* The number of lines in a file, and of those in which `words` stand. */
static unsigned int lines_of(FILE *file, const char *words, unsigned int *with)
{
	unsigned int lines = 0;
	char *line = NULL;
	size_t room = 0;

	*with = 0;
	rewind(file);
	while (getline(&line, &room, file) > 0) {
		lines++;
		*with += strstr(line, words) != NULL;
	}
	free(line);
	return lines;
}

static void has_lines(const struct run *run, unsigned int out, unsigned int finals,
		      unsigned int errors, const char *what)
{
	unsigned int ours, with;

	is_int(lines_of(run->out, "\"final\":true", &with), out, "%s: lines written", what);
	is_int(with, finals, "%s: final ones", what);
	is_int(lines_of(run->err, "perftop-ng: ", &ours), errors, "%s: lines of error", what);
	is_int(ours, errors, "%s: each of them says whose it is", what);
}

static void end(struct run *run)
{
	fclose(run->out);
	fclose(run->err);
	if (run->tty >= 0)
		close(run->tty);
}

/* --- batch ------------------------------------------------------------------------------------ */

static const struct options json = { .mode = MODE_JSON, .delay_s = 1 };

/* Nothing ends it but its snapshots and signals: no deadline runs. */
static const struct options json_patient = { .mode = MODE_JSON, .delay_s = 1, .input = "file" };

static void test_batch(void)
{
	begin_script();
	struct run run = begin(&json);
	send_one();
	send_one();
	send_final();
	is_int(status_of(&run), 0, "batch: the final snapshot ends it");
	has_lines(&run, 3, 1, 0, "batch");
	is_int(script->finishes, 0, "batch: nobody asked for the end");
	is_int(script->frees, 1, "batch: the engine is freed");
	end(&run);
}

static void test_batch_signal(void)
{
	begin_script();
	script->final_at = 1;
	struct run run = begin_running(&json, "signal");
	kill(run.pid, SIGTERM);
	is_int(status_of(&run), 0, "signal: ends it as ever");
	has_lines(&run, 2, 1, 0, "signal");
	ok(script->is_bounded, "signal: the final snapshot has a time limit");
	end(&run);
}

static void test_batch_decoder_stands(void)
{
	begin_script();
	struct run run = begin_running(&json, "stands");
	kill(run.pid, SIGINT);
	is_int(status_of(&run), EXIT_FAILURE, "stands: it ends without the final snapshot");
	has_lines(&run, 1, 0, 1, "stands");
	is_int(script->frees, 1, "stands: the engine is freed all the same");
	end(&run);
}

static void test_batch_second_signal(void)
{
	begin_script();
	struct run run = begin_running(&json_patient, "second signal");
	kill(run.pid, SIGSTOP); /* so that two come at once, as timeout(1) and shells send them */
	kill(run.pid, SIGINT);
	kill(run.pid, SIGTERM);
	kill(run.pid, SIGCONT);
	ok(until_is(&run, &script->finishes, 1), "second signal: the first asks for the end");
	ok(!script->is_bounded, "second signal: which may take as long as a file takes");
	send_one();
	ok(until_is(&run, &script->taken, 2), "second signal: one right behind is the same");
	poll(NULL, 0, 150);
	kill(run.pid, SIGINT);
	is_int(status_of(&run), EXIT_SIGNALED + SIGINT, "second signal: a later one ends it");
	has_lines(&run, 2, 0, 0, "second signal");
	end(&run);
}

static void test_batch_no_thread(void)
{
	begin_script();
	script->error = "cannot start a thread";
	struct run run = begin(&json);
	is_int(status_of(&run), EXIT_FAILURE, "no thread: it does not run");
	has_lines(&run, 0, 0, 1, "no thread");
	is_int(script->frees, 1, "no thread: what there is of the engine is freed");
	is_int(script->finishes, 0, "no thread: and nothing else asked of it");
	end(&run);
}

static void test_batch_thread_stays(void)
{
	begin_script();
	script->stands_at_end = true;
	struct run run = begin(&json);
	send_final();
	is_int(status_of(&run), 0, "thread stays: the figures are whole");
	has_lines(&run, 1, 1, 1, "thread stays");
	end(&run);
}

static void test_batch_full(void)
{
	struct options options = json;

	begin_script();
	options.output = "/dev/full";
	struct run run = begin(&options);
	send_one();
	ok(until_is(&run, &script->finishes, 1), "full: what cannot be written ends it");
	send_one();
	send_final();
	is_int(status_of(&run), EXIT_FAILURE, "full: and is a failure");
	has_lines(&run, 0, 0, 1, "full");
	is_int(script->finishes, 1, "full: the end is asked for once");
	end(&run);
}

static int status_of_command(const char *text, unsigned int final_at)
{
	char *command[] = { (char *)"sh", (char *)"-c", (char *)text, NULL };
	struct options options = json;

	begin_script();
	script->final_at = final_at;
	options.command = command;
	struct run run = begin(&options);
	int status = status_of(&run);
	ok(script->finishes >= final_at, "command '%s': its end is the run's", text);
	end(&run);
	return status;
}

static void test_batch_command(void)
{
	is_int(status_of_command("exit 0", 1), 0, "command: one that is done");
	is_int(status_of_command("exit 3", 1), 3, "command: its status is handed on");
	is_int(status_of_command("kill -TERM $$", 1), EXIT_SIGNALED + SIGTERM,
	       "command: so is the signal that ended it");
	is_int(status_of_command("kill -INT $PPID; exit 5", 2), 0,
	       "command: one that ^C ends beside us has not failed");
}

static void test_batch_ends_command(void)
{
	char *command[] = { (char *)"sleep", (char *)"100", NULL };
	struct options options = json;

	begin_script();
	script->final_at = 1;
	options.command = command;
	struct run run = begin(&options);
	ok(until_is(&run, &script->starts, 1), "command that runs on: it runs");
	kill(run.pid, SIGINT);
	is_int(status_of(&run), 0, "command that runs on: ^C is no failure");
	has_lines(&run, 1, 1, 0, "command that runs on");
	end(&run);
}

/* A file at the limit of its size is no signal that ends us. */
static void test_batch_limit(void)
{
	struct rlimit before, none;

	begin_script();
	getrlimit(RLIMIT_FSIZE, &before);
	none = (struct rlimit){ .rlim_cur = 0, .rlim_max = before.rlim_max };
	fflush(stdout);
	setrlimit(RLIMIT_FSIZE, &none);
	struct run run = begin(&json);
	setrlimit(RLIMIT_FSIZE, &before);
	script->final_at = 1;
	send_one();
	is_int(status_of(&run), EXIT_FAILURE, "ulimit -f: what cannot be written is a failure");
	is_int(script->finishes, 1, "ulimit -f: and ends it");
	end(&run);
}

static void test_command_missing(void)
{
	char *command[] = { (char *)"/nowhere/at-all", NULL };
	struct options options = json;

	begin_script();
	options.command = command;
	struct run run = begin(&options);
	is_int(status_of(&run), EXIT_FAILURE, "missing command: it does not run");
	has_lines(&run, 0, 0, 1, "missing command");
	end(&run);
}

/* --- on a terminal ---------------------------------------------------------------------------- */

static const struct options screen = { .mode = MODE_SCREEN, .delay_s = 1 };
static const struct options screen_patient = { .mode = MODE_SCREEN, .delay_s = 1, .input = "file" };

static void test_live(void)
{
	begin_script();
	struct run run = begin_running(&screen, "live");
	send_final();
	is_int(status_of(&run), 0, "live: the final one ends it");
	ok(shows(&run, KEYS_OF_EXIT), "live: the terminal is given back");
	is_int(script->finishes, 0, "live: nobody asked for the end");
	is_int(script->frees, 1, "live: the engine is freed");
	end(&run);
}

static void test_live_keys(void)
{
	begin_script();
	script->final_at = 1;
	struct run run = begin_running(&screen, "keys");
	press(&run, "zf+q");
	is_int(status_of(&run), 0, "keys: q ends it");
	is_int(script->zeroes, 1, "keys: z zeroes");
	ok(script->toggled >= 0 && script->toggled < FIXTURE_EVENTS, "keys: f switches an event");
	ok(script->interval_s > 1, "keys: + makes the interval longer");
	ok(script->is_bounded, "keys: the final snapshot has a time limit");
	end(&run);
}

/* `number`: the signal that asks for the end, or 0: q. */
static void test_live_late_final(int number, const char *what)
{
	begin_script();
	struct run run = begin_running(&screen_patient, what);
	if (number != 0)
		kill(run.pid, number);
	else
		press(&run, "q");
	ok(until_is(&run, &script->finishes, 1), "late, %s: the end is asked for", what);
	ok(shows(&run, KEYS_OF_EXIT), "late, %s: the terminal is given back before it comes", what);
	size_t before = run.nshown;
	send_one();
	ok(until_is(&run, &script->taken, 2), "late, %s: a snapshot that comes now is taken", what);
	send_final();
	is_int(status_of(&run), 0, "late, %s: the final one ends it", what);
	is_int((int64_t)(run.nshown - before), 0, "late, %s: and nothing of them is drawn", what);
	end(&run);
}

static void test_live_decoder_stands(void)
{
	begin_script();
	struct run run = begin_running(&screen, "live stands");
	press(&run, "q");
	is_int(status_of(&run), EXIT_FAILURE, "live stands: it ends without the final snapshot");
	ok(shows(&run, KEYS_OF_EXIT), "live stands: the terminal is given back");
	has_lines(&run, 0, 0, 1, "live stands");
	end(&run);
}

/* With the SIGHUP that comes of it, or under nohup(1) without. */
static void test_live_terminal_gone(void (*on_hangup)(int), const char *what)
{
	begin_script();
	script->final_at = 1;
	signal(SIGHUP, on_hangup);
	struct run run = begin_running(&screen, what);
	signal(SIGHUP, SIG_DFL);
	close(run.tty);
	run.tty = -1;
	is_int(status_of(&run), 0, "%s: the run ends with it", what);
	ok(script->finishes >= 1, "%s: by the final snapshot", what);
	end(&run);
}

static void test_live_no_thread(void)
{
	begin_script();
	script->error = "cannot start a thread";
	struct run run = begin(&screen);
	is_int(status_of(&run), EXIT_FAILURE, "live, no thread: it does not run");
	ok(shows(&run, KEYS_OF_EXIT), "live, no thread: the terminal is given back");
	has_lines(&run, 0, 0, 1, "live, no thread");
	end(&run);
}

static void test_live_command(void)
{
	char *command[] = { (char *)"sh", (char *)"-c", (char *)"exit 3", NULL };
	struct options options = screen;

	begin_script();
	script->final_at = 1;
	options.command = command;
	struct run run = begin(&options);
	is_int(status_of(&run), 3, "live, command: its status is handed on");
	char *left = strstr(run.shown, KEYS_OF_EXIT);
	ok(left != NULL && strstr(left, "sched:sched_switch") != NULL,
	   "live, command: a summary stands below the prompt");
	end(&run);
}

int main(void)
{
	plan_lazy();
	test_batch();
	test_batch_signal();
	test_batch_decoder_stands();
	test_batch_second_signal();
	test_batch_no_thread();
	test_batch_thread_stays();
	test_batch_full();
	test_batch_limit();
	test_batch_command();
	test_batch_ends_command();
	test_command_missing();
	test_live();
	test_live_keys();
	test_live_late_final(0, "q");
	test_live_late_final(SIGTERM, "SIGTERM");
	test_live_late_final(SIGHUP, "SIGHUP");
	test_live_late_final(SIGINT, "SIGINT");
	test_live_decoder_stands();
	test_live_terminal_gone(SIG_DFL, "terminal gone");
	test_live_terminal_gone(SIG_IGN, "terminal gone, nohup");
	test_live_no_thread();
	test_live_command();
	return done();
}
