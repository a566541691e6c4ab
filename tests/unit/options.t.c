/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include "messages.h"
#include "tap.h"

#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ARGS_MAX 32

static struct options options;
static char said[1024]; /* on stderr */

/* Parse the words of `line`, which spaces separate; `said` then has what went to stderr. */
static int parse(const char *line)
{
	static char words[1024];
	static char *argv[ARGS_MAX + 1]; /* options point into it */
	int argc = 1, saved = dup(STDERR_FILENO);
	FILE *file = tmpfile();

	options_fini(&options);
	memset(argv, 0, sizeof(argv));
	argv[0] = (char *)"perftop-ng";
	snprintf(words, sizeof(words), "%s", line);
	for (char *word = strtok(words, " "); word != NULL && argc < ARGS_MAX;
	     word = strtok(NULL, " "))
		argv[argc++] = word;
	if (file == NULL || saved < 0 || dup2(fileno(file), STDERR_FILENO) < 0)
		bail("no temporary file");
	optind = 0; /* glibc: start again */
	int status = options_parse(&options, argc, argv);
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	rewind(file);
	said[fread(said, 1, sizeof(said) - 1, file)] = '\0';
	fclose(file);
	return status;
}

static bool right(const char *line)
{
	int status = parse(line);

	if (said[0] != '\0')
		diag("%s", said);
	return ok(status == 0 && said[0] == '\0', "'%s'", line);
}

/* 129, and one line that says why. */
static void wrong(const char *line)
{
	is_int(parse(line), EXIT_USAGE, "'%s' is wrong", line);
	is_message(said, "options: %s", line);
	ok(strncmp(said, "perftop-ng: ", 12) == 0 && strchr(said, '\n') == said + strlen(said) - 1,
	   "in one line");
}

static void check_defaults(void)
{
	right("");
	ok(options.mode == MODE_SCREEN && options.delay_s == 0 && options.top == 100, "defaults");
	ok(options.nevents == 0 && options.npids == 0 && options.command == NULL,
	   "nothing asked for");
	ok(options.period == 0 && options.freq == 0 && options.mmap_pages == 0 &&
		   options.mmap_bytes == 0 && options.iterations == 0,
	   "zero is: not given");
}

static void check_values(void)
{
	right("-e cs --event=sched:* -e cycles:u,cs");
	is_u64(options.nevents, 3, "-e three times");
	is_str(options.events[1], "sched:*", "in order");
	right("-c 1 -m 64 -n 3 -d 0.1 -r 5 --top 0 --blocks 2 -C 0-3 --no-inherit");
	ok(options.period == 1 && options.mmap_pages == 64 && options.iterations == 3 &&
		   options.delay_s == 0.1 && options.realtime == 5 && options.top == 0 &&
		   options.blocks == 2 && options.no_inherit,
	   "numbers");
	is_str(options.cpus, "0-3", "-C");
	right("-F 999");
	ok(options.freq == 999 && !options.is_freq_max, "-F");
	right("-F max");
	ok(options.freq == 0 && options.is_freq_max && !options.is_count_only, "-F max");
	right("-F 0");
	ok(options.freq == 0 && !options.is_freq_max && options.is_count_only, "-F 0");
	right("-F 0 -F max");
	ok(options.is_freq_max && !options.is_count_only, "the last -F holds: max");
	right("-F max -F 0");
	ok(!options.is_freq_max && options.is_count_only, "or 0");
	right("-F 0 -F 5");
	ok(options.freq == 5 && !options.is_count_only, "or a number");
	right("-p 1,22,333");
	ok(options.npids == 3 && options.pids[2] == 333 && options.has_processes, "-p");
	right("-p 1,22,333,22 -p 1");
	is_u64(options.npids, 3, "a task that is named twice is one");
	right("-t 7");
	ok(options.npids == 1 && options.pids[0] == 7 && !options.has_processes, "-t");
	right("--strict --dump-attr --include-self --append -o x --batch -a");
	ok(options.is_strict && options.is_dump_attr && options.has_self && options.is_append &&
		   options.is_system,
	   "flags");
	right("-ga --max-stack 30");
	ok(options.has_chains && options.max_stack == 30 && options.is_system,
	   "-g takes no value: other letters can follow");
	right("--call-graph --batch");
	ok(options.has_chains, "--call-graph is -g");
	right("--call-graph fp");
	ok(options.has_chains, "by frame pointers, in perf's word");
	right("--call-graph=fp");
	ok(options.has_chains, "with =");
	right("-c 18446744073709551615");
	is_u64(options.period, UINT64_MAX, "the largest period");
}

static void check_modes(void)
{
	right("--batch");
	is_int(options.mode, MODE_BATCH, "--batch");
	ok(options.format == output_text(), "--batch is text");
	right("-j");
	is_int(options.mode, MODE_BATCH, "-j is batch output, too");
	ok(options.format == output_json(), "-j is JSON");
	right("--batch -j");
	ok(options.format == output_json(), "-j overrides --batch");
	right("-j --batch");
	ok(options.format == output_json(), "in either order");
	right("-x ;");
	ok(options.format == output_csv(), "-x is CSV");
	is_str(options.format_argument, ";", "its separator");
	right("--list sched:*");
	is_int(options.mode, MODE_LIST, "--list");
	is_str(options.list_pattern, "sched:*", "its glob");
	right("--list -v sched:*");
	is_str(options.list_pattern, "sched:*", "which may follow other options");
	wrong("--list sched:* irq:*");
	right("--list");
	is_str(options.list_pattern, NULL, "or none");
	right("-h");
	is_int(options.mode, MODE_HELP, "-h");
	right("--version");
	is_int(options.mode, MODE_VERSION, "--version");
	right("-j -o /dev/null");
	is_str(options.output, "/dev/null", "-o");
	wrong("--call-graph dwarf");
	wrong("--call-graph=lbr");
	wrong("--max-stack 3");
	wrong("-g --max-stack 0");
	wrong("-j -x ,");
	wrong("-x , -j");
	wrong("-o file");
}

static void check_command(void)
{
	right("-j -- sleep -n 1");
	ok(options.command != NULL && strcmp(options.command[0], "sleep") == 0 &&
		   strcmp(options.command[1], "-n") == 0 && options.command[3] == NULL,
	   "what follows -- is the command's, options too");
	is_u64(options.iterations, 0, "and none of ours");
	right("-a -j -- true");
	ok(options.is_system && options.command != NULL, "-a with a command");
	wrong("-j --");
	wrong("-j sleep 1");
	wrong("sleep");
	wrong("-p 1 -- true");
	wrong("-a -p 1");
	wrong("-t 1 -a");
	wrong("-p 1 -t 1");
}

static void check_unknown(void)
{
	wrong("--bacth");
	wrong("--iteratons=3");
	wrong("--qqqqqqqqqq");
	ok(strstr(said, "nearest") == NULL, "and nothing near it");
	wrong("-Z");
	wrong("-jZ");
	wrong("--batch=yes");
	wrong("--json-output=yes");
	wrong("--all-cpus=1");
	wrong("-e");
	wrong("-j --delay");
	wrong("--blocks");
}

static void check_numbers(void)
{
	static const char *const bad[] = { "-1", "x", "1x", "1.5", "18446744073709551616", "0x10" };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char line[64];

		snprintf(line, sizeof(line), "-c %s", bad[i]);
		wrong(line);
		snprintf(line, sizeof(line), "-n %s", bad[i]);
		wrong(line);
		snprintf(line, sizeof(line), "-F %s", bad[i]);
		wrong(line);
	}
	wrong("-c 0");
	wrong("-n 0");
	wrong("--blocks 1");
	wrong("-r 100");
	wrong("-r 0");
	wrong("-F maximum");
	wrong("-c 1 -F 10");
	wrong("-c 1 -F max");
	wrong("-c 1 -F 0");
	wrong("--verify -F 0");
}

/* A blank before a number must not bypass the check of its sign. */
static void check_blanks(void)
{
	static char *const lines[][4] = {
		{ (char *)"perftop-ng", (char *)"-c", (char *)" -5", NULL },
		{ (char *)"perftop-ng", (char *)"-n", (char *)" -1", NULL },
		{ (char *)"perftop-ng", (char *)"-m", (char *)" -4", NULL },
		{ (char *)"perftop-ng", (char *)"-c", (char *)"", NULL },
		{ (char *)"perftop-ng", (char *)"-x", (char *)"", NULL },
	};
	int saved = dup(STDERR_FILENO), null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		options_fini(&options);
		dup2(null, STDERR_FILENO);
		optind = 0;
		int status = options_parse(&options, 3, (char **)lines[i]);
		dup2(saved, STDERR_FILENO);
		is_int(status, EXIT_USAGE, "%s '%s'", lines[i][1], lines[i][2]);
	}
	close(saved);
	close(null);
}

static void check_delay(void)
{
	right("-d 0.01");
	right("-d 86400");
	wrong("-d 0.009");
	wrong("-d 86401");
	wrong("-d 0");
	wrong("-d -1");
	wrong("-d nan");
	wrong("-d inf");
	wrong("-d 1s");
	wrong("-d x");
}

static void check_mmap(void)
{
	right("-m 1");
	is_u64(options.mmap_pages, 1, "one page");
	right("-m 2M");
	ok(options.mmap_bytes == 2 << 20 && options.mmap_pages == 0, "2 MiB");
	right("-m 512K");
	is_u64(options.mmap_bytes, 512 << 10, "512 KiB");
	right("-m 1G");
	is_u64(options.mmap_bytes, 1 << 30, "1 GiB");
	wrong("-m 0");
	wrong("-m 3");
	wrong("-m 100");
	wrong("-m 3M");
	wrong("-m 2X");
	wrong("-m 2MB");
	wrong("-m -2");
	wrong("-m M");
	wrong("-m 18446744073709551616");
	wrong("-m 9223372036854775808G");
}

static void check_pids(void)
{
	wrong("-p 0");
	wrong("-p -5");
	wrong("-p 1,,2");
	wrong("-p 1,");
	wrong("-p x");
	wrong("-t 1;2");
	wrong("-p 99999999999");
}

static void check_hidden(void)
{
	right("-K");
	ok(options.no_kernel && !options.no_user, "-K");
	right("-j -U");
	ok(options.no_user && !options.no_kernel, "-U");
	wrong("-K -U");
}

int main(void)
{
	plan_lazy();
	check_defaults();
	check_values();
	check_modes();
	check_command();
	check_unknown();
	check_numbers();
	check_blanks();
	check_delay();
	check_mmap();
	check_pids();
	check_hidden();
	options_fini(&options);
	return done();
}
