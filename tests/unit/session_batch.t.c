/* SPDX-License-Identifier: MIT */
/* A whole run in batch mode: lines written, exit status, signals, a command. */
#include "run/batch.h"

#include "base/sys.h"
#include "session.h"
#include "tap.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

static struct options json = { .mode = MODE_BATCH };

/* Only its snapshots and signals end it: there is no deadline. */
static struct options json_patient = { .mode = MODE_BATCH, .input = "file" };

static void test_batch(void)
{
	begin_script();
	struct run run = begin(&json);
	send_one();
	send_one();
	send_final();
	is_int(status_of(&run), 0, "batch: the final snapshot ends it");
	has_lines(&run, 3, 1, 0, "batch");
	is_int(script->finishes, 0, "batch: the end was not asked for");
	is_int(script->frees, 1, "batch: the engine is freed");
	end(&run);
}

static void test_batch_signal(void)
{
	begin_script();
	script->final_at = 1;
	struct run run = begin_running(&json, "signal");
	kill(run.pid, SIGTERM);
	is_int(status_of(&run), 0, "signal: ends it with status 0");
	has_lines(&run, 2, 1, 0, "signal");
	ok(script->is_bounded, "signal: the final snapshot has a time limit");
	end(&run);
}

static void test_batch_decoder_stands(void)
{
	begin_script();
	struct run run = begin_running(&json, "stuck");
	kill(run.pid, SIGINT);
	is_int(status_of(&run), EXIT_FAILURE, "stuck: it ends without the final snapshot");
	has_lines(&run, 1, 0, 1, "stuck");
	is_int(script->frees, 1, "stuck: the engine is freed all the same");
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
	ok(until_is(&run, &script->taken, 2), "second signal: one right after it is the same");
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
	is_int(script->finishes, 0, "no thread: and no end is asked for");
	end(&run);
}

static void test_batch_thread_stays(void)
{
	begin_script();
	script->stands_at_end = true;
	struct run run = begin(&json);
	send_final();
	is_int(status_of(&run), 0, "thread stays: the figures are complete");
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
	is_int(status_of_command("exit 3", 1), 3, "command: its status is passed on");
	is_int(status_of_command("kill -TERM $$", 1), EXIT_SIGNALED + SIGTERM,
	       "command: so is the signal that ended it");
	is_int(status_of_command("kill -INT $PPID; exit 5", 2), 0,
	       "command: one that ^C ends together with us is no failure");
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

/* SIGXFSZ, at the limit of a file's size, does not end us. */
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

int main(void)
{
	plan_lazy();
	json.format = json_patient.format = output_json();
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
	return done();
}
