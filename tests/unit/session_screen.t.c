/* SPDX-License-Identifier: MIT */
/* A whole run on a terminal: keys, the end, and that the terminal is restored. */
#include "run/live.h"

#include "fixture.h"
#include "session.h"
#include "tap.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KEYS_OF_EXIT "\033[?1049l" /* xterm leaves its alternate screen */

static const struct options screen = { .mode = MODE_SCREEN };
static const struct options screen_patient = { .mode = MODE_SCREEN, .input = "file" };

static void test_live(void)
{
	begin_script();
	struct run run = begin_running(&screen, "live");
	send_final();
	is_int(status_of(&run), 0, "live: the final one ends it");
	ok(shows(&run, KEYS_OF_EXIT), "live: the terminal is restored");
	is_int(script->finishes, 0, "live: the end was not asked for");
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
	ok(shows(&run, KEYS_OF_EXIT), "late, %s: the terminal is restored before it comes", what);
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
	struct run run = begin_running(&screen, "live, stuck");
	press(&run, "q");
	is_int(status_of(&run), EXIT_FAILURE, "live, stuck: it ends without the final snapshot");
	ok(shows(&run, KEYS_OF_EXIT), "live, stuck: the terminal is restored");
	has_lines(&run, 0, 0, 1, "live, stuck");
	end(&run);
}

/* With the SIGHUP that follows, or under nohup(1) without. */
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
	ok(shows(&run, KEYS_OF_EXIT), "live, no thread: the terminal is restored");
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
	is_int(status_of(&run), 3, "live, command: its status is passed on");
	char *left = strstr(run.shown, KEYS_OF_EXIT);
	ok(left != NULL && strstr(left, "sched:sched_switch") != NULL,
	   "live, command: a summary is printed after the screen");
	end(&run);
}

int main(void)
{
	plan_lazy();
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
