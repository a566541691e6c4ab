/* SPDX-License-Identifier: MIT */
/*
 * culprit KIND: one task, named KIND, that loads the machine in one way until it is ended, or for
 * 60 s at most:
 *	futex	wakes a second thread over a futex, and is woken by it
 *	yield	polls with sched_yield()
 *	faults	maps, touches and unmaps 64 pages
 *	forks	forks children that end at once
 *	timers	is signalled by 20 timers of 5 ms
 *	softirq	sends small datagrams to itself over loopback
 *	sync	writes 64 bytes to a file that is on the disk before the next ones
 *	failing	opens a file that is not there
 *	load	background for the others: two tasks, each busy about a fifth of the time with some of
 *		everything above
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LONGEST_S 60
#define PAGE_SIZE 4096

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static double now_s(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return (double)at.tv_sec + (double)at.tv_nsec / 1e9;
}

/* --- one round of each ---------------------------------------------------------------------- */

static void touch_pages(size_t n)
{
	char *pages = mmap(NULL, n * PAGE_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			   -1, 0);

	if (pages == MAP_FAILED)
		die("mmap");
	for (size_t i = 0; i < n; i++)
		pages[i * PAGE_SIZE] = 1;
	munmap(pages, n * PAGE_SIZE);
}

static void fork_one(void)
{
	pid_t child = fork();

	if (child == 0)
		_exit(0);
	if (child < 0)
		die("fork");
	waitpid(child, NULL, 0);
}

/* A UDP socket connected to itself over loopback. */
static int loopback_socket(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(address);
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&address, len) != 0 ||
	    getsockname(fd, (struct sockaddr *)&address, &len) != 0 ||
	    connect(fd, (struct sockaddr *)&address, len) != 0)
		die("a socket on loopback");
	return fd;
}

static void send_one(int fd)
{
	char packet[64] = { 0 };

	if (send(fd, packet, sizeof(packet), 0) < 0 || recv(fd, packet, sizeof(packet), 0) < 0)
		die("loopback");
}

/* --- the culprits --------------------------------------------------------------------------- */

static atomic_int turn;

static void take_turns(int mine)
{
	for (;;) {
		while (atomic_load(&turn) != mine)
			syscall(SYS_futex, &turn, FUTEX_WAIT_PRIVATE, !mine, NULL, NULL, 0);
		atomic_store(&turn, !mine);
		syscall(SYS_futex, &turn, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	}
}

static void *second_thread(void *unused)
{
	(void)unused;
	take_turns(1);
	return NULL;
}

static void futex(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, second_thread, NULL) != 0)
		die("pthread_create");
	take_turns(0);
}

static void yield(void)
{
	for (;;)
		sched_yield();
}

static void faults(void)
{
	for (;;)
		touch_pages(64);
}

static void forks(void)
{
	for (;;)
		fork_one();
}

static void timers(void)
{
	struct itimerspec every = { .it_value.tv_nsec = 5000000, .it_interval.tv_nsec = 5000000 };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL };
	sigset_t set;
	int signal;

	sigemptyset(&set);
	for (int i = 0; i < 20; i++) {
		timer_t timer;

		event.sigev_signo = SIGRTMIN + i;
		sigaddset(&set, event.sigev_signo);
		sigprocmask(SIG_BLOCK, &set, NULL);
		every.it_value.tv_nsec += 250000;
		if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0 ||
		    timer_settime(timer, 0, &every, NULL) != 0)
			die("timer");
	}
	while (sigwait(&set, &signal) == 0)
		;
}

static void softirq(void)
{
	int fd = loopback_socket();

	for (;;)
		send_one(fd);
}

/* In /var/tmp, which is on a disk where /tmp is in memory; without a name it goes with the culprit. */
static void sync_writes(void)
{
	char path[] = "/var/tmp/perftop-culprit.XXXXXX", line[64] = { 0 };
	int fd = mkostemp(path, O_DSYNC | O_CLOEXEC);

	if (fd < 0)
		die(path);
	unlink(path);
	for (off_t at = 0;; at = (at + (off_t)sizeof(line)) % (1 << 20)) {
		if (pwrite(fd, line, sizeof(line), at) < 0)
			die(path);
	}
}

static void failing(void)
{
	for (;;)
		open("/does-not-exist", O_RDONLY | O_CLOEXEC);
}

/* --- the background ------------------------------------------------------------------------- */

static void load_one(void)
{
	int fd = loopback_socket();

	for (int round = 0;; round++) {
		double until = now_s() + 0.002;

		touch_pages(4);
		send_one(fd);
		open("/does-not-exist", O_RDONLY | O_CLOEXEC);
		if (round % 25 == 0)
			fork_one();
		for (int i = 0; i < 50; i++)
			syscall(SYS_getppid);
		while (now_s() < until)
			;
		nanosleep(&(struct timespec){ .tv_nsec = 8000000 }, NULL);
	}
}

static void load(void)
{
	if (fork() == 0)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	load_one();
}

static const struct {
	const char *name;
	void (*run)(void);
} kinds[] = {
	{ "futex", futex },	 { "yield", yield },	 { "faults", faults },
	{ "forks", forks },	 { "timers", timers },	 { "softirq", softirq },
	{ "sync", sync_writes }, { "failing", failing }, { "load", load },
};

int main(int argc, char **argv)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (size_t i = 0; argc == 2 && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(argv[1], kinds[i].name) == 0) {
			prctl(PR_SET_NAME, argv[1]);
			alarm(LONGEST_S);
			kinds[i].run();
			return 0;
		}
	}
	fprintf(stderr, "culprit: one of");
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		fprintf(stderr, " %s", kinds[i].name);
	fputc('\n', stderr);
	return 2;
}
