/* SPDX-License-Identifier: MIT */
/*
 * ptytime [-k KEYS] [-K PAIR] [-s COLUMNSxLINES] [-w MSEC] COMMAND [ARG...]: runs a screen program on a
 * new terminal (100x30) and prints, in ms, a line each:
 *
 *	first TIME        exec to the first byte of a frame that holds the word "perftop-ng"
 *	rows TIME         exec to the first row (the word "context-switches" or "raw_syscalls")
 *	key TIME          a key (alternately those of PAIR, jk) to the next byte on the screen, KEYS times
 *	quit TIME         q to the program's end, as its parent sees it
 *	cpu TIME          what the program took, user and system
 *
 * It waits MSEC ms (default 1500) between the first rows and the keys, and 30 ms between keys.
 */
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now_ms(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return (double)at.tv_sec * 1e3 + (double)at.tv_nsec / 1e6;
}

static char seen[1 << 20];
static size_t seen_len;

static bool has(const char *word)
{
	return memmem(seen, seen_len, word, strlen(word)) != NULL;
}

/* As a terminal does when it is asked which one it is (DA1): without an answer a program waits at its end. */
static void answer(int fd)
{
	static const char vt220[] = "\033[?62c";
	static bool is_done;

	if (is_done || !has("\033[c"))
		return;
	is_done = write(fd, vt220, sizeof(vt220) - 1) > 0;
}

/* Read what comes within `msec`: whether something did. */
static bool take_output(int fd, int msec)
{
	struct pollfd wait = { .fd = fd, .events = POLLIN };
	char bytes[65536];

	if (poll(&wait, 1, msec) <= 0)
		return false;

	ssize_t got = read(fd, bytes, sizeof(bytes));
	if (got <= 0)
		return false;
	if (seen_len + (size_t)got < sizeof(seen)) {
		memcpy(seen + seen_len, bytes, (size_t)got);
		seen_len += (size_t)got;
	}
	answer(fd);
	return true;
}

static void swallow(int fd, double msec)
{
	for (double end = now_ms() + msec; now_ms() < end;)
		take_output(fd, 5);
}

static void measure_start(int fd, double start)
{
	bool has_first = false;

	while (now_ms() - start < 5000) {
		take_output(fd, 1);
		if (!has_first && has("perftop-ng")) {
			printf("first %.1f\n", now_ms() - start);
			has_first = true;
		}
		if (has("context-switches") || has("raw_syscalls")) {
			printf("rows %.1f\n", now_ms() - start);
			return;
		}
	}
}

static void measure_keys(int fd, int keys, const char *pair)
{
	for (int i = 0; i < keys; i++) {
		swallow(fd, 30);
		double start = now_ms();

		if (write(fd, &pair[i % 2], 1) != 1)
			return;
		while (now_ms() - start < 5000 && !take_output(fd, 50))
			continue;
		printf("key %.1f\n", now_ms() - start);
	}
}

static int measure_quit(int fd, pid_t pid)
{
	double start = now_ms();
	int status = 0;

	if (write(fd, "q", 1) != 1)
		return 1;
	while (waitpid(pid, &status, WNOHANG) == 0 && now_ms() - start < 60000)
		take_output(fd, 1);
	printf("quit %.1f\n", now_ms() - start);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static double ms_of(struct timeval time)
{
	return (double)time.tv_sec * 1e3 + (double)time.tv_usec / 1e3;
}

static void print_cpu(void)
{
	struct rusage used;

	if (getrusage(RUSAGE_CHILDREN, &used) == 0)
		printf("cpu %.1f\n", ms_of(used.ru_utime) + ms_of(used.ru_stime));
}

int main(int argc, char **argv)
{
	struct winsize size = { .ws_row = 30, .ws_col = 100 };
	const char *pair = "jk";
	int keys = 0, wait = 1500, option, fd;

	while ((option = getopt(argc, argv, "+k:K:s:w:")) != -1) {
		if (option == 'k')
			keys = atoi(optarg);
		else if (option == 'K' && strlen(optarg) == 2)
			pair = optarg;
		else if (option == 's' &&
			 sscanf(optarg, "%hux%hu", &size.ws_col, &size.ws_row) == 2)
			continue;
		else if (option == 'w')
			wait = atoi(optarg);
		else
			return 129;
	}
	if (optind == argc)
		return 129;

	double start = now_ms();
	pid_t pid = forkpty(&fd, NULL, NULL, &size);
	if (pid < 0)
		return 1;
	if (pid == 0) {
		setenv("TERM", "xterm-256color", 1);
		execvp(argv[optind], argv + optind);
		_exit(127);
	}
	measure_start(fd, start);
	swallow(fd, wait);
	measure_keys(fd, keys, pair);

	int status = measure_quit(fd, pid);
	print_cpu();
	return status;
}
