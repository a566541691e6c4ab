/* SPDX-License-Identifier: MIT */
#include "opener/opener.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "opener/acts.h"
#include "opener/drop.h"
#include "opener/needs.h"
#include "opener/seccomp.h"
#include "opener/serve.h"
#include "opener/wire.h"

#define FIRST_FD 3 /* after the standard files */

/* Detach from terminal, session, folder and standard files, so that we keep none of them busy. */
static int let_go(void)
{
	int null = open("/dev/null", O_RDWR);

	if (null < 0 || setsid() < 0 || chdir("/") != 0)
		return -1;
	for (int fd = 0; fd < FIRST_FD; fd++) {
		if (null != fd && dup2(null, fd) < 0)
			return -1;
	}
	if (null >= FIRST_FD)
		close(null);
	return 0;
}

static void close_between(unsigned int first, unsigned int last)
{
	if (first > last)
		return;
#ifdef SYS_close_range
	if (syscall(SYS_close_range, first, last, 0) == 0)
		return;
#endif
	/* Before Linux 5.9.  Only a few fds are open yet. */
	for (unsigned int fd = first; fd <= last && fd < 1024; fd++)
		close((int)fd);
}

/* All but the standard files, the socket and the command's pidfd. */
static void close_others(int sock, int pidfd)
{
	unsigned int low = (unsigned int)sock, high = (unsigned int)sock;

	if (pidfd >= 0 && pidfd < sock)
		low = (unsigned int)pidfd;
	if (pidfd > sock)
		high = (unsigned int)pidfd;
	close_between(FIRST_FD, low - 1);
	close_between(low + 1, high - 1);
	close_between(high + 1, ~0u);
}

static void ignore_terminal(void)
{
	static const int numbers[] = { SIGINT,	SIGHUP,	 SIGTERM, SIGQUIT,
				       SIGPIPE, SIGTSTP, SIGTTIN, SIGTTOU };
	sigset_t none;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		signal(numbers[i], SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static int prepare(const struct opener_config *config, int sock, struct acts_real *real)
{
	struct rlimit files;

	prctl(PR_SET_NAME, "perftop-opener");
	ignore_terminal();
	if (let_go() != 0)
		return -1;
	close_others(sock, config->command_pidfd);
	if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
	acts_real_init(real, config->command_pidfd);
	real->rules.may_walk_user = config->may_walk_user;
	real->caps = needs_base(config->command_pidfd >= 0) |
		     (config->may_add ? needs_to_start(false) : 0);
	if (drop_to_user(config->caller, real->caps | needs_to_start(config->may_probe)) != 0)
		return -1;
	return seccomp_enter(SECCOMP_OPENER) < 0 ? -1 : 0;
}

static _Noreturn void opener_main(const struct opener_config *config, int sock)
{
	struct acts_real real;
	struct opener_answer ready = { .error = prepare(config, sock, &real) == 0 ? 0 : errno };

	if (wire_send(sock, &ready, sizeof(ready), WIRE_NO_FD) != 0 || ready.error != 0)
		_exit(1);

	struct acts acts = acts_real(&real);
	serve_run(sock, &acts, &real.rules);
	_exit(0);
}

/* Wait for the opener's first packet: ready, or the errno of its set-up. */
static int wait_ready(int sock)
{
	struct opener_answer ready;
	int fd;
	ssize_t got = wire_receive(sock, &ready, sizeof(ready), &fd);

	if (got < 0)
		return -1;
	errno = got == (ssize_t)sizeof(ready) ? ready.error : EPIPE;
	return errno == 0 ? 0 : -1;
}

int opener_start(const struct opener_config *config)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		return -1;

	pid_t pid = fork();
	if (pid == 0) {
		close(pair[0]);
		opener_main(config, pair[1]);
	}
	int error = errno;
	close(pair[1]);
	if (pid >= 0 && wait_ready(pair[0]) == 0)
		return pair[0];

	if (pid >= 0) {
		error = errno;
		waitpid(pid, NULL, 0);
	}
	close(pair[0]);
	errno = error;
	return -1;
}
