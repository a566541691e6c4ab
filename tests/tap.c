/* SPDX-License-Identifier: MIT */
#include "tests/tap.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PLAN_NONE, PLAN_FIXED, PLAN_LAZY };

/* Only one thread of a test program reports: this is the one place where static data is right. */
static struct {
	int plan;
	unsigned int planned;
	unsigned int run;
	unsigned int failed;
	bool is_todo;
	char todo[256]; /* why, while is_todo */
} tap;

/* Line-buffered, so that what a test printed before it crashed is not lost. */
static void start(int kind)
{
	if (tap.plan != PLAN_NONE)
		bail("plan() called twice");
	setvbuf(stdout, NULL, _IOLBF, 0);
	tap.plan = kind;
}

void plan(unsigned int n)
{
	start(PLAN_FIXED);
	tap.planned = n;
	printf("1..%u\n", n);
}

void plan_lazy(void)
{
	start(PLAN_LAZY);
}

/* Where a failed check says why: stderr, which prove(1) shows also without -v. */
static FILE *failures(void)
{
	return tap.is_todo ? stdout : stderr;
}

/* Any number of lines, each after "# ". */
TAP_PRINTF(1, 0)
static void vdiag(const char *fmt, va_list args)
{
	char text[8192];

	vsnprintf(text, sizeof(text), fmt, args);
	char *rest = text;
	for (char *line; (line = strsep(&rest, "\n")) && (*line || rest || line == text);)
		printf("# %s\n", line);
}

void diag(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vdiag(fmt, args);
	va_end(args);
}

/* A description ends at its line's end, and an unescaped # in it would start a directive. */
static void print_description(FILE *out, const char *text)
{
	for (const char *c = text; *c; c++) {
		if (*c == '#' || *c == '\\')
			putc('\\', out);
		putc(*c == '\n' ? ' ' : *c, out);
	}
}

TAP_PRINTF(4, 0)
static bool report(bool passed, const char *file, int line, const char *fmt, va_list args)
{
	char text[1024];

	vsnprintf(text, sizeof(text), fmt, args);
	printf("%sok %u - ", passed ? "" : "not ", ++tap.run);
	print_description(stdout, text);
	if (tap.is_todo)
		printf(" # TODO %s", tap.todo);
	putchar('\n');

	if (!passed) {
		if (!tap.is_todo)
			tap.failed++;
		fprintf(failures(), "#   failed: ");
		print_description(failures(), text);
		fprintf(failures(), "\n#   at %s:%d\n", file, line);
	}
	return passed;
}

bool tap_ok(bool passed, const char *expr, const char *file, int line, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	report(passed, file, line, fmt, args);
	va_end(args);
	if (!passed)
		fprintf(failures(), "#   not true: %s\n", expr);
	return passed;
}

bool tap_is_int(int64_t got, int64_t want, const char *file, int line, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	bool passed = report(got == want, file, line, fmt, args);
	va_end(args);
	if (!passed)
		fprintf(failures(), "#        got: %" PRId64 "\n#   expected: %" PRId64 "\n", got,
			want);
	return passed;
}

bool tap_is_u64(uint64_t got, uint64_t want, const char *file, int line, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	bool passed = report(got == want, file, line, fmt, args);
	va_end(args);
	if (!passed)
		fprintf(failures(),
			"#        got: %" PRIu64 " (0x%" PRIx64 ")\n"
			"#   expected: %" PRIu64 " (0x%" PRIx64 ")\n",
			got, got, want, want);
	return passed;
}

/* Escaped as in C, so that a tab, an ESC or a newline is visible. */
static void print_str(const char *label, const char *s)
{
	FILE *out = failures();

	if (!s) {
		fprintf(out, "# %10s: NULL\n", label);
		return;
	}
	fprintf(out, "# %10s: \"", label);
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;
		if (c == '\n')
			fprintf(out, "\\n");
		else if (c < ' ' || c == 0x7f)
			fprintf(out, "\\x%02x", c);
		else if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else
			putc(c, out);
	}
	fprintf(out, "\"\n");
}

bool tap_is_str(const char *got, const char *want, const char *file, int line, const char *fmt, ...)
{
	va_list args;
	bool same = got && want ? strcmp(got, want) == 0 : got == want;

	va_start(args, fmt);
	report(same, file, line, fmt, args);
	va_end(args);
	if (!same) {
		print_str("got", got);
		print_str("expected", want);
	}
	return same;
}

/* 16 bytes from the row where the two first differ. */
static void print_row(const char *label, const unsigned char *bytes, size_t from, size_t len)
{
	fprintf(failures(), "# %10s:", label);
	for (size_t i = from; i < len && i < from + 16; i++)
		fprintf(failures(), " %02x", bytes[i]);
	putc('\n', failures());
}

bool tap_is_mem(const void *got, const void *want, size_t len, const char *file, int line,
		const char *fmt, ...)
{
	va_list args;
	const unsigned char *g = got, *w = want;
	bool same = len == 0 || (g && w ? memcmp(g, w, len) == 0 : g == w);

	va_start(args, fmt);
	report(same, file, line, fmt, args);
	va_end(args);
	if (same)
		return true;
	if (!g || !w) {
		fprintf(failures(), "#        got: %s\n#   expected: %s\n", g ? "bytes" : "NULL",
			w ? "bytes" : "NULL");
		return false;
	}

	size_t at = 0;
	while (g[at] == w[at])
		at++;
	fprintf(failures(), "#   %zu bytes, the first that differs is at %zu; from %zu:\n", len, at,
		at & ~15ul);
	print_row("got", g, at & ~15ul, len);
	print_row("expected", w, at & ~15ul, len);
	return false;
}

void skip(unsigned int n, const char *fmt, ...)
{
	va_list args;
	char why[256];

	va_start(args, fmt);
	vsnprintf(why, sizeof(why), fmt, args);
	va_end(args);
	while (n--)
		printf("ok %u # skip %s\n", ++tap.run, why);
}

void skip_all(const char *fmt, ...)
{
	va_list args;

	if (tap.plan == PLAN_FIXED || tap.run > 0)
		bail("skip_all() after the plan or a check");
	printf("1..0 # skip ");
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	putchar('\n');
	exit(0);
}

void todo(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(tap.todo, sizeof(tap.todo), fmt, args);
	va_end(args);
	tap.is_todo = true;
}

void todo_end(void)
{
	tap.is_todo = false;
}

void bail(const char *fmt, ...)
{
	va_list args;

	printf("Bail out! ");
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	putchar('\n');
	exit(255);
}

int done(void)
{
	bool is_met = true;

	if (tap.plan == PLAN_NONE) {
		diag("no plan");
		is_met = false;
	} else if (tap.plan == PLAN_LAZY) {
		printf("1..%u\n", tap.run);
		is_met = tap.run > 0;
		if (!is_met)
			diag("no check was run");
	} else if (tap.run != tap.planned) {
		diag("planned %u checks but ran %u", tap.planned, tap.run);
		is_met = false;
	}
	if (tap.failed)
		diag("failed %u of %u", tap.failed, tap.run);
	fflush(stdout);
	return is_met && !tap.failed ? 0 : 1;
}

bool tap_can_perf(void)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.disabled = 1,
	};
	int saved = errno;
	int fd = (int)syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd >= 0)
		close(fd);
	errno = saved;
	return fd >= 0;
}
