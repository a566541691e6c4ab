/* SPDX-License-Identifier: MIT */
#include "run/signals.h"

#include <signal.h>
#include <stddef.h>
#include <sys/signalfd.h>
#include <unistd.h>

/* Set once, before any thread; read in a signal handler. */
static void (*restore_terminal)(void);

int signals_open(bool has_screen)
{
	sigset_t set;

	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGQUIT);
	if (has_screen) {
		sigaddset(&set, SIGTSTP);
		sigaddset(&set, SIGCONT);
		sigaddset(&set, SIGWINCH);
	}
	if (sigprocmask(SIG_BLOCK, &set, NULL) != 0)
		return -1;
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int signals_next(int fd)
{
	struct signalfd_siginfo info;

	return read(fd, &info, sizeof(info)) == (ssize_t)sizeof(info) ? (int)info.ssi_signo : 0;
}

static void on_fatal(int number)
{
	if (restore_terminal != NULL)
		restore_terminal();
	/* SA_RESETHAND has restored the default action: terminate with its core and status. */
	raise(number);
}

void signals_on_fatal(void (*restore)(void))
{
	static const int fatal[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP };
	struct sigaction action = { .sa_handler = on_fatal, .sa_flags = (int)SA_RESETHAND };

	restore_terminal = restore;
	for (size_t i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++)
		sigaction(fatal[i], &action, NULL);
}

void signals_stop_self(void)
{
	/* SIGTSTP is blocked here; SIGSTOP cannot be blocked, and is the same to the shell. */
	kill(getpid(), SIGSTOP);
}
