/* SPDX-License-Identifier: MIT */
/*
 * The program with damaged perf.data files, by name and through a pipe, printed as text, JSON and
 * CSV, and on the screen: it ends with one of the documented statuses, says what is wrong, and stays
 * within bounds of time, memory and output, which the files name only.
 *
 *	DAMAGED=N        so many files (default: 15 of each seed; make check-damaged: 100,000)
 *	DAMAGED_FROM=N   from this number on; the same number is the same damage
 *	DAMAGED_JOBS=N   so many at a time (1)
 *	DAMAGED_SEEDS=GLOB   the files to damage (those of tests/data)
 *
 * A file that fails is kept in $BUILD/damaged.
 */
#include "damage.h"
#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_SEEDS  64
#define MOST_JOBS   16
#define MOST_SHOWN  10
#define MOST_KB	    (64 * 1024)
#define MOST_CPU_S  2
#define MOST_WALL_S 60 /* a saturated machine; the end of one that hangs */
/* A gap in the times is up to 100 empty intervals: of 100 tasks, in JSON 44 KB each. */
#define MOST_OUTPUT (8u << 20)
#define MOST_ERRORS (4u << 10)
#define PIPE_ROOM   (1u << 16) /* what a pipe takes before anybody reads */

static char folder[64], script[96];

/* How a damaged file is shown. */
static const char *const outputs[][4] = {
	{ "-j" },
	{ "--batch" },
	{ "-x", "," },
	{ "-j", "-d", "0.1" },
	{ "--script", script, "--speed", "1000000" },
};
#define NOUTPUTS (sizeof(outputs) / sizeof(outputs[0]))

struct run {
	pid_t pid; /* 0: none */
	uint64_t number;
	bool has_pipe;
	char in[128], out[128], err[128];
};

struct most {
	long kb;
	double cpu_s;
	off_t output;
};

static const char *program, *build;
static glob_t seeds;
static unsigned int failed[MOST_SEEDS], nshown;
static struct most most;
static struct damage file;

static uint64_t setting(const char *name, uint64_t value)
{
	const char *text = getenv(name);

	return text != NULL && text[0] != '\0' ? strtoull(text, NULL, 10) : value;
}

static size_t seed_of(uint64_t number)
{
	return (size_t)(number % seeds.gl_pathc);
}

/* Each way to show a file, by name and through a pipe, once in so many numbers of a seed. */
#define NWAYS (NOUTPUTS * 3)

static const char *const *options_of(uint64_t number)
{
	return outputs[number / seeds.gl_pathc % NOUTPUTS];
}

static bool is_for_pipe(uint64_t number)
{
	return number / seeds.gl_pathc % 3 == 2;
}

static void write_file(const char *path, const void *bytes, size_t len)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	if (fd < 0 || write(fd, bytes, len) != (ssize_t)len)
		bail("%s cannot be written", path);
	close(fd);
}

static void load_damaged(uint64_t number)
{
	const char *path = seeds.gl_pathv[seed_of(number)];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd >= 0 ? read(fd, file.bytes, sizeof(file.bytes)) : -1;

	if (got <= 0 || got == sizeof(file.bytes))
		bail("%s cannot be read, or is too large", path);
	file.len = (size_t)got;
	close(fd);
	damage(&file, number);
}

/* The file in a pipe: the end to read from. */
static int as_pipe(void)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) != 0 ||
	    write(ends[1], file.bytes, file.len) != (ssize_t)file.len)
		bail("no pipe");
	close(ends[1]);
	return ends[0];
}

static void redirect(const char *path, int fd)
{
	const int opened = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	if (opened < 0 || dup2(opened, fd) != fd)
		_exit(126);
}

static _Noreturn void become_program(const struct run *run, int in)
{
	const char *args[8] = { program, "-i", run->has_pipe ? "-" : run->in };
	/* More than is allowed, so that a test says how much it was. */
	const struct rlimit output = { MOST_OUTPUT * 8, MOST_OUTPUT * 8 };

	memcpy(args + 3, options_of(run->number), sizeof(outputs[0]));
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	alarm(MOST_WALL_S);
	setrlimit(RLIMIT_FSIZE, &output);
	setenv("COLUMNS", "100", 1);
	setenv("LINES", "30", 1);
	if (dup2(in, STDIN_FILENO) != STDIN_FILENO)
		_exit(126);
	redirect(run->out, STDOUT_FILENO);
	redirect(run->err, STDERR_FILENO);
	execv(program, (char *const *)args);
	_exit(127);
}

static void start(struct run *run, uint64_t number)
{
	load_damaged(number);
	run->number = number;
	run->has_pipe = is_for_pipe(number) && file.len <= PIPE_ROOM;
	write_file(run->in, file.bytes, file.len);
	const int in = run->has_pipe ? as_pipe() : open("/dev/null", O_RDONLY | O_CLOEXEC);

	fflush(stdout);
	run->pid = fork();
	if (run->pid == 0)
		become_program(run, in);
	if (run->pid < 0)
		bail("no process");
	close(in);
}

static bool is_control(unsigned char byte)
{
	return (byte < ' ' && byte != '\n' && byte != '\t') || byte == 0x7f;
}

/*
 * A byte of a text that a terminal would obey.  Without stdio: a program's ru_maxrss is at least what this
 * process had, which grows with freed buffers that AddressSanitizer holds back.
 */
static bool has_control(const char *path)
{
	static unsigned char bytes[1u << 16];
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool found = false;
	ssize_t got;

	while (fd >= 0 && !found && (got = read(fd, bytes, sizeof(bytes))) > 0) {
		for (ssize_t i = 0; i < got; i++)
			found |= is_control(bytes[i]);
	}
	if (fd >= 0)
		close(fd);
	return found;
}

static off_t size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? st.st_size : 0;
}

static double seconds(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

/* What is wrong with the end of a run, or NULL. */
static const char *fault_of(const struct run *run, int status, const struct rusage *used)
{
	static char text[64];
	const double cpu_s = seconds(used->ru_utime) + seconds(used->ru_stime);
	const off_t output = size_of(run->out), errors = size_of(run->err);
	const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;

	most.kb = used->ru_maxrss > most.kb ? used->ru_maxrss : most.kb;
	most.cpu_s = cpu_s > most.cpu_s ? cpu_s : most.cpu_s;
	most.output = output > most.output ? output : most.output;
	snprintf(text, sizeof(text), "status %d", code);
	if (WIFSIGNALED(status))
		snprintf(text, sizeof(text), "signal %d", WTERMSIG(status));
	if (code != 0 && code != 1 && code != 3)
		return text;
	if (code != 0 && errors == 0)
		return "failed, and says nothing";
	if (used->ru_maxrss > MOST_KB)
		return "too much memory";
	if (cpu_s > MOST_CPU_S)
		return "too much CPU time";
	if (output > MOST_OUTPUT || errors > MOST_ERRORS)
		return "too much output";
	if (has_control(run->out) || has_control(run->err))
		return "control characters";
	return NULL;
}

static void keep(const struct run *run)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/damaged", build);
	mkdir(path, 0755);
	snprintf(path, sizeof(path), "%s/damaged/%llu.data", build,
		 (unsigned long long)run->number);
	load_damaged(run->number);
	write_file(path, file.bytes, file.len);
}

static void judge(struct run *run, int status, const struct rusage *used)
{
	const char *fault = fault_of(run, status, used);
	const size_t seed = seed_of(run->number);

	run->pid = 0;
	if (fault == NULL)
		return;
	failed[seed]++;
	if (nshown++ >= MOST_SHOWN)
		return;
	keep(run);
	diag("DAMAGED_FROM=%llu, of %s, %s%s: %s; %ld KB, %.2f s, %lld bytes",
	     (unsigned long long)run->number, seeds.gl_pathv[seed], options_of(run->number)[0],
	     run->has_pipe ? ", a pipe" : "", fault, used->ru_maxrss,
	     seconds(used->ru_utime) + seconds(used->ru_stime), (long long)size_of(run->out));
}

/* Waits for one of the runs to end. */
static void take_end(struct run *runs, size_t nruns)
{
	struct rusage used;
	int status;
	pid_t pid;

	do
		pid = wait4(-1, &status, 0, &used);
	while (pid < 0 && errno == EINTR);
	for (size_t i = 0; i < nruns; i++)
		if (runs[i].pid == pid)
			judge(&runs[i], status, &used);
}

static struct run *free_run(struct run *runs, size_t nruns)
{
	for (;;) {
		for (size_t i = 0; i < nruns; i++)
			if (runs[i].pid == 0)
				return &runs[i];
		take_end(runs, nruns);
	}
}

static void run_all(uint64_t first, uint64_t count, size_t njobs)
{
	struct run runs[MOST_JOBS] = { 0 };

	for (size_t i = 0; i < njobs; i++) {
		snprintf(runs[i].in, sizeof(runs[i].in), "%s/%zu.in", folder, i);
		snprintf(runs[i].out, sizeof(runs[i].out), "%s/%zu.out", folder, i);
		snprintf(runs[i].err, sizeof(runs[i].err), "%s/%zu.err", folder, i);
	}
	for (uint64_t i = 0; i < count; i++)
		start(free_run(runs, njobs), first + i);
	for (size_t i = 0; i < njobs; i++) {
		while (runs[i].pid != 0)
			take_end(runs, njobs);
		unlink(runs[i].in);
		unlink(runs[i].out);
		unlink(runs[i].err);
	}
}

static void set_up(void)
{
	static const char keys[] = "dump\nkey 3\ndump\nkey 5\nkey Enter\ndump\nkey 7\ndump\n";
	const char *pattern = getenv("DAMAGED_SEEDS"), *where = getenv("TMPDIR");

	build = getenv("BUILD") != NULL ? getenv("BUILD") : "build";
	program = getenv("PERFTOP") != NULL ? getenv("PERFTOP") : "build/perftop-ng";
	if (glob(pattern != NULL ? pattern : "tests/data/*.data", 0, NULL, &seeds) != 0 ||
	    seeds.gl_pathc > MOST_SEEDS)
		bail("no files to damage, or more than %d", MOST_SEEDS);
	snprintf(folder, sizeof(folder), "%.40s/perftop-test.XXXXXX",
		 where != NULL ? where : "/tmp");
	/* Under sudo the program reads as the user who called it. */
	if (mkdtemp(folder) == NULL || chmod(folder, 0755) != 0)
		bail("no folder");
	snprintf(script, sizeof(script), "%s/script", folder);
	write_file(script, keys, sizeof(keys) - 1);
	/* Freed memory that AddressSanitizer holds back would count as the program's. */
	setenv("ASAN_OPTIONS", "quarantine_size_mb=1:detect_stack_use_after_return=0", 1);
}

int main(void)
{
	const uint64_t njobs = setting("DAMAGED_JOBS", 1);

	plan_lazy();
	set_up();
	const uint64_t count = setting("DAMAGED", NWAYS * seeds.gl_pathc);

	run_all(setting("DAMAGED_FROM", 0), count, njobs < MOST_JOBS ? (size_t)njobs : MOST_JOBS);
	for (size_t i = 0; i < seeds.gl_pathc; i++)
		ok(failed[i] == 0, "%s: %llu damaged files", seeds.gl_pathv[i],
		   (unsigned long long)((count + seeds.gl_pathc - 1 - i) / seeds.gl_pathc));
	diag("at most %ld KB, %.3f s of CPU time, %lld bytes of output", most.kb, most.cpu_s,
	     (long long)most.output);
	unlink(script);
	rmdir(folder);
	globfree(&seeds);
	return done();
}
