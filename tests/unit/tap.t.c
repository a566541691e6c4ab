/* SPDX-License-Identifier: MIT */
/*
 * Tests the harness by what its own test programs print: each case below is a small test program,
 * run as a child (this program with the case's name as argument), whose output and exit status are
 * compared.  A harness that reports a failing check as passed would make every other test worthless.
 */
#include "tests/tap.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/messages.h"

static int calls;

static int next_call(void)
{
	return ++calls;
}

static int case_pass(void)
{
	plan(2);
	ok(true, "one %d", 1);
	is_str("a", "a", "two");
	return done();
}

static int case_fail(void)
{
	plan(5);
	ok(1 == 2, "numbers");
	is_int(-3, 4, "int");
	is_u64(UINT64_MAX, 1, "u64");
	is_str("a\n", NULL, "str");
	is_mem("0123456789abcdefgh", "0123456789abcdefgx", 18, "mem");
	return done();
}

static int case_returns(void)
{
	plan_lazy();
	bool all = ok(true, "t") && is_int(1, 1, "t") && is_u64(1, 1, "t") && is_str("", "", "t") &&
		   is_str(NULL, NULL, "t") && is_mem("a", "a", 1, "t") &&
		   is_mem(NULL, NULL, 0, "t");
	bool any = ok(false, "f") || is_int(1, 2, "f") || is_u64(1, 2, "f") ||
		   is_str("", "b", "f") || is_str(NULL, "", "f") || is_mem("a", "b", 1, "f") ||
		   is_mem(NULL, "b", 1, "f");
	done();
	return all && !any ? 42 : 1;
}

static int case_once(void)
{
	plan_lazy();
	is_int(next_call(), 1, "first");
	is_int(next_call(), 3, "second");
	ok(next_call() == 3, "third");
	return done();
}

static int case_short(void)
{
	plan(2);
	ok(true, "only one");
	return done();
}

static int case_long(void)
{
	plan(1);
	ok(true, "one");
	ok(true, "two");
	return done();
}

static int case_none(void)
{
	plan_lazy();
	return done();
}

static int case_no_plan(void)
{
	ok(true, "one");
	return done();
}

static int case_skip(void)
{
	plan(3);
	ok(true, "here");
	skip(2, "no %s", "root");
	return done();
}

static int case_skip_all(void)
{
	skip_all("no %s", "perf");
}

static int case_todo(void)
{
	plan_lazy();
	todo("issue %d", 7);
	ok(1 > 2, "not yet");
	todo_end();
	ok(true, "after");
	return done();
}

static int case_bail(void)
{
	plan(9);
	bail("no %s", "memory");
}

static int case_text(void)
{
	plan_lazy();
	ok(true, "a # and\na newline");
	diag("two\n\nlines\n");
	return done();
}

/* In a folder with a tests/messages.txt of its own. */
static int case_messages(void)
{
	char dir[] = "/tmp/tap.XXXXXX", line[64];

	if (mkdtemp(dir) == NULL || chdir(dir) < 0 || mkdir("tests", 0700) < 0)
		bail("no folder: %m");
	FILE *file = fopen("tests/messages.txt", "w");
	fputs("all\tno event\nlines\ta\\nb\nstar\ta * of *s\n", file);
	fclose(file);
	unsetenv("UPDATE");
	plan_lazy();
	is_message("no event\n", "%s", "all");
	is_message("a\nb", "lines");
	is_message("a folder of files", "star");
	is_message("a  of s", "star");
	is_message("no event here", "all");
	is_message("a folder of file", "star");
	is_message(NULL, "star");
	is_message("no event", "al");
	setenv("UPDATE", "1", 1);
	is_message("new", "al");
	is_message("other", "all");
	is_message("a b of cs", "star");
	file = fopen("tests/messages.txt", "r");
	while (fgets(line, sizeof(line), file) != NULL)
		diag("%s", line);
	fclose(file);
	unlink("tests/messages.txt");
	rmdir("tests");
	rmdir(dir);
	return done();
}

static const struct tap_case {
	const char *name;
	int (*run)(void);
	int status;
	const char *out; /* NULL: only the status counts; "@" stands for a line number */
} cases[] = {
	{ "pass", case_pass, 0, "1..2\nok 1 - one 1\nok 2 - two\n" },
	{ "fail", case_fail, 1,
	  "1..5\n"
	  "not ok 1 - numbers\n#   failed: numbers\n#   at tests/unit/tap.t.c:@\n#   not true: 1 == 2\n"
	  "not ok 2 - int\n#   failed: int\n#   at tests/unit/tap.t.c:@\n"
	  "#        got: -3\n#   expected: 4\n"
	  "not ok 3 - u64\n#   failed: u64\n#   at tests/unit/tap.t.c:@\n"
	  "#        got: 18446744073709551615 (0xffffffffffffffff)\n#   expected: 1 (0x1)\n"
	  "not ok 4 - str\n#   failed: str\n#   at tests/unit/tap.t.c:@\n"
	  "#        got: \"a\\n\"\n#   expected: NULL\n"
	  "not ok 5 - mem\n#   failed: mem\n#   at tests/unit/tap.t.c:@\n"
	  "#   18 bytes, the first that differs is at 17; from 16:\n"
	  "#        got: 67 68\n#   expected: 67 78\n"
	  "# failed 5 of 5\n" },
	{ "returns", case_returns, 42, NULL },
	{ "once", case_once, 1,
	  "ok 1 - first\n"
	  "not ok 2 - second\n#   failed: second\n#   at tests/unit/tap.t.c:@\n#        got: 2\n#   expected: 3\n"
	  "ok 3 - third\n1..3\n# failed 1 of 3\n" },
	{ "short", case_short, 1, "1..2\nok 1 - only one\n# planned 2 checks but ran 1\n" },
	{ "long", case_long, 1, "1..1\nok 1 - one\nok 2 - two\n# planned 1 checks but ran 2\n" },
	{ "none", case_none, 1, "1..0\n# no check was run\n" },
	{ "no-plan", case_no_plan, 1, "ok 1 - one\n# no plan\n" },
	{ "skip", case_skip, 0, "1..3\nok 1 - here\nok 2 # skip no root\nok 3 # skip no root\n" },
	{ "skip-all", case_skip_all, 0, "1..0 # skip no perf\n" },
	{ "todo", case_todo, 0,
	  "not ok 1 - not yet # TODO issue 7\n#   failed: not yet\n#   at tests/unit/tap.t.c:@\n"
	  "#   not true: 1 > 2\nok 2 - after\n1..2\n" },
	{ "bail", case_bail, 255, "1..9\nBail out! no memory\n" },
	{ "messages", case_messages, 1,
	  "ok 1 - all\nok 2 - lines\nok 3 - star\nok 4 - star\n"
	  "not ok 5 - all\n#   failed: all\n#   at tests/unit/tap.t.c:@\n"
	  "#   not true: the message is that of tests/messages.txt\n"
	  "#        got: no event here\n#   expected: no event\n#   as intended?  UPDATE=1\n"
	  "not ok 6 - star\n#   failed: star\n#   at tests/unit/tap.t.c:@\n"
	  "#   not true: the message is that of tests/messages.txt\n"
	  "#        got: a folder of file\n#   expected: a * of *s\n#   as intended?  UPDATE=1\n"
	  "not ok 7 - star\n#   failed: star\n#   at tests/unit/tap.t.c:@\n"
	  "#   not true: the message is that of tests/messages.txt\n"
	  "#        got: NULL\n#   expected: a * of *s\n#   as intended?  UPDATE=1\n"
	  "not ok 8 - al\n#   failed: al\n#   at tests/unit/tap.t.c:@\n"
	  "#   not true: the message is that of tests/messages.txt\n"
	  "#        got: no event\n#   expected: (no such key)\n#   as intended?  UPDATE=1\n"
	  "ok 9 - al\nok 10 - all\nok 11 - star\n"
	  "# al\tnew\n# all\tother\n# lines\ta\\nb\n# star\ta * of *s\n"
	  "1..11\n# failed 4 of 11\n" },
	{ "text", case_text, 0, "ok 1 - a \\# and a newline\n# two\n# \n# lines\n1..1\n" },
};

enum { CASES = sizeof(cases) / sizeof(cases[0]) };

/* "tap.t.c:123" becomes "tap.t.c:@": the line is there, which one is not the point. */
static void hide_lines(char *text)
{
	char *to = text;

	for (const char *from = text; *from;) {
		*to++ = *from++;
		if (to - text < 3 || strncmp(to - 3, ".c:", 3) != 0)
			continue;
		from += strspn(from, "0123456789");
		*to++ = '@';
	}
	*to = '\0';
}

/* Runs the case in a child: its exit status, or -1, and its output, both streams in their order. */
static int run_case(const char *name, char *out, size_t size)
{
	int ends[2];

	if (pipe(ends) < 0)
		bail("pipe: %m");
	pid_t pid = fork();
	if (pid < 0)
		bail("fork: %m");
	if (pid == 0) {
		dup2(ends[1], STDOUT_FILENO);
		dup2(ends[1], STDERR_FILENO);
		close(ends[0]);
		close(ends[1]);
		execl("/proc/self/exe", "tap.t", name, (char *)NULL);
		_exit(126);
	}
	close(ends[1]);

	size_t len = 0;
	ssize_t got;
	while (len + 1 < size && (got = read(ends[0], out + len, size - 1 - len)) > 0)
		len += (size_t)got;
	out[len] = '\0';
	close(ends[0]);

	int status;
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
	if (argc > 1) {
		for (int i = 0; i < CASES; i++)
			if (strcmp(argv[1], cases[i].name) == 0)
				return cases[i].run();
		return 125;
	}

	plan_lazy();
	for (int i = 0; i < CASES; i++) {
		char out[4096];
		int status = run_case(cases[i].name, out, sizeof(out));

		is_int(status, cases[i].status, "%s: exit status", cases[i].name);
		hide_lines(out);
		if (cases[i].out)
			is_str(out, cases[i].out, "%s: output", cases[i].name);
	}

	/* Root may watch a CPU unless a container forbids it; either way it must not crash. */
	bool may = tap_can_perf();
	diag("tap_can_perf: %s", may ? "yes" : "no");
	ok(may == tap_can_perf(), "tap_can_perf answers the same twice");
	return done();
}
