/* SPDX-License-Identifier: MIT */
#include "opener/seccomp.h"

#include "opener/instrumented.h"

#if defined(HAVE_LIBSECCOMP) && !IS_INSTRUMENTED

#include <asm/ioctls.h>
#include <asm/termbits.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#ifndef PR_SET_VMA /* since Linux 5.17 */
#define PR_SET_VMA 0x53564d41
#endif

/*
 * Recorded with strace -f over the runs of tests/live/opener.t.sh (glibc 2.36 on
 * x86-64), plus the equivalents of other architectures and C libraries.
 * Both processes:
 */
static const int common[] = {
	/* files */
	SCMP_SYS(read),
	SCMP_SYS(readv),
	SCMP_SYS(pread64),
	SCMP_SYS(write),
	SCMP_SYS(writev),
	SCMP_SYS(pwrite64),
	SCMP_SYS(close),
	SCMP_SYS(lseek),
	SCMP_SYS(_llseek),
	SCMP_SYS(fstat),
	SCMP_SYS(fstat64),
	SCMP_SYS(newfstatat),
	SCMP_SYS(fstatat64),
	SCMP_SYS(statx),
	SCMP_SYS(poll),
	SCMP_SYS(ppoll),
	SCMP_SYS(ppoll_time64),
	SCMP_SYS(recvmsg),
	SCMP_SYS(sendmsg),
	SCMP_SYS(fcntl),
	SCMP_SYS(fcntl64),
	SCMP_SYS(openat),
	SCMP_SYS(open),
	/* memory */
	SCMP_SYS(brk),
	SCMP_SYS(munmap),
	SCMP_SYS(mremap),
	SCMP_SYS(madvise),
	/* ourselves */
	SCMP_SYS(getpid),
	SCMP_SYS(gettid),
	SCMP_SYS(getuid),
	SCMP_SYS(geteuid),
	SCMP_SYS(getgid),
	SCMP_SYS(getegid),
	SCMP_SYS(getppid),
	SCMP_SYS(uname),
	SCMP_SYS(getrandom),
	SCMP_SYS(rt_sigaction),
	SCMP_SYS(rt_sigprocmask),
	SCMP_SYS(rt_sigreturn),
	SCMP_SYS(sigreturn),
	SCMP_SYS(restart_syscall),
	SCMP_SYS(futex),
	SCMP_SYS(futex_time64),
	SCMP_SYS(clock_gettime),
	SCMP_SYS(clock_gettime64),
	SCMP_SYS(exit),
	SCMP_SYS(exit_group),
};

static const int main_only[] = {
	/* files, with the user's rights: -o, P, themes, terminfo, symbols, recordings */
	SCMP_SYS(stat),
	SCMP_SYS(stat64),
	SCMP_SYS(lstat),
	SCMP_SYS(lstat64),
	SCMP_SYS(access),
	SCMP_SYS(faccessat),
	SCMP_SYS(faccessat2),
	SCMP_SYS(readlink),
	SCMP_SYS(readlinkat),
	SCMP_SYS(getcwd),
	SCMP_SYS(getdents64),
	SCMP_SYS(ftruncate),
	SCMP_SYS(ftruncate64),
	SCMP_SYS(fallocate),
	SCMP_SYS(fsync),
	SCMP_SYS(fdatasync),
	SCMP_SYS(fchmod),
	SCMP_SYS(unlink),
	SCMP_SYS(unlinkat),
	SCMP_SYS(rename),
	SCMP_SYS(renameat),
	SCMP_SYS(renameat2),
	SCMP_SYS(mkdir),
	SCMP_SYS(mkdirat),
	SCMP_SYS(fstatfs),
	SCMP_SYS(fstatfs64),
	SCMP_SYS(statfs),
	SCMP_SYS(statfs64),
	SCMP_SYS(flock),
	SCMP_SYS(dup),
	SCMP_SYS(dup3),
	SCMP_SYS(fadvise64),
	SCMP_SYS(copy_file_range),
	/* waiting */
	SCMP_SYS(select),
	SCMP_SYS(_newselect),
	SCMP_SYS(pselect6),
	SCMP_SYS(pselect6_time64),
	SCMP_SYS(epoll_create1),
	SCMP_SYS(epoll_ctl),
	SCMP_SYS(epoll_wait),
	SCMP_SYS(epoll_pwait),
	SCMP_SYS(eventfd2),
	SCMP_SYS(timerfd_create),
	SCMP_SYS(timerfd_settime),
	SCMP_SYS(timerfd_settime64),
	SCMP_SYS(signalfd4),
	SCMP_SYS(pipe2),
	SCMP_SYS(nanosleep),
	SCMP_SYS(clock_nanosleep),
	SCMP_SYS(clock_nanosleep_time64),
	SCMP_SYS(clock_getres),
	SCMP_SYS(clock_getres_time64),
	SCMP_SYS(gettimeofday),
	SCMP_SYS(time),
	SCMP_SYS(wait4),
	SCMP_SYS(waitid),
	/* threads, scheduling, CPU time */
	SCMP_SYS(set_robust_list),
	SCMP_SYS(rseq),
	SCMP_SYS(membarrier),
	SCMP_SYS(sched_yield),
	SCMP_SYS(sched_setaffinity),
	SCMP_SYS(sched_getaffinity),
	SCMP_SYS(sched_setscheduler),
	SCMP_SYS(sched_getscheduler),
	SCMP_SYS(sched_setattr),
	SCMP_SYS(sched_getparam),
	SCMP_SYS(getcpu),
	SCMP_SYS(sched_get_priority_min),
	SCMP_SYS(sched_get_priority_max),
	SCMP_SYS(getpriority),
	SCMP_SYS(setpriority),
	SCMP_SYS(getrusage),
	SCMP_SYS(times),
	SCMP_SYS(sigaltstack),
	SCMP_SYS(rt_sigtimedwait),
	/* the machine */
	SCMP_SYS(sysinfo),
	SCMP_SYS(prlimit64),
	SCMP_SYS(getrlimit),
	SCMP_SYS(ugetrlimit),
	SCMP_SYS(getresuid),
	SCMP_SYS(getresgid),
	/* dropping the remaining rights: capset cannot raise any */
	SCMP_SYS(capget),
	SCMP_SYS(capset),
	SCMP_SYS(getpgrp),
	SCMP_SYS(getpgid),
	SCMP_SYS(getsid),
	SCMP_SYS(arch_prctl),
	SCMP_SYS(set_tid_address),
};

static const int opener_only[] = {
	SCMP_SYS(perf_event_open),
	SCMP_SYS(pidfd_send_signal),
	/* the seal */
	SCMP_SYS(capget),
	SCMP_SYS(capset),
};

/* For events and terminals; not TIOCSTI, which inserts input, nor any other. */
static const unsigned int ioctls[] = {
	PERF_EVENT_IOC_ENABLE,
	PERF_EVENT_IOC_DISABLE,
	PERF_EVENT_IOC_REFRESH,
	PERF_EVENT_IOC_RESET,
	PERF_EVENT_IOC_PERIOD,
	PERF_EVENT_IOC_SET_OUTPUT,
	PERF_EVENT_IOC_SET_FILTER,
	PERF_EVENT_IOC_ID,
	PERF_EVENT_IOC_PAUSE_OUTPUT,
	PERF_EVENT_IOC_MODIFY_ATTRIBUTES,
	TCGETS,
	TCSETS,
	TCSETSW,
	TCSETSF,
	TCFLSH,
	TCSBRK,
	TCXONC,
	TIOCGWINSZ,
	TIOCGPGRP,
	FIONREAD,
	FIONBIO,
#if defined(TCGETS2) && !defined(__powerpc__)
	TCGETS2,
	TCSETS2,
	TCSETSW2,
	TCSETSF2,
#endif
};

/* A call that this architecture lacks has a negative number: ignore its error. */
static int allow(scmp_filter_ctx filter, const int *numbers, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		int error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, numbers[i], 0);

		if (error != 0 && error != -EDOM)
			return error;
	}
	return 0;
}

static int allow_ioctls(scmp_filter_ctx filter)
{
	for (size_t i = 0; i < sizeof(ioctls) / sizeof(ioctls[0]); i++) {
		int error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(ioctl), 1,
					     SCMP_A1_32(SCMP_CMP_EQ, ioctls[i]));
		if (error != 0)
			return error;
	}
	return 0;
}

/* Memory, but not executable. */
static int allow_memory(scmp_filter_ctx filter)
{
	static const int numbers[] = { SCMP_SYS(mmap), SCMP_SYS(mmap2), SCMP_SYS(mprotect) };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		int error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, numbers[i], 1,
					     SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
		if (error != 0 && error != -EDOM)
			return error;
	}
	return 0;
}

/*
 * Threads, not processes.  A filter cannot check the flags of clone3; without it the C
 * library uses clone.
 */
static int allow_threads(scmp_filter_ctx filter)
{
	int error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1,
#if defined(__s390__)
				     SCMP_A1(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD));
#else
				     SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD));
#endif
	if (error == 0)
		error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
	return error;
}

/* Only to ourselves (^Z, abort). */
static int allow_signals(scmp_filter_ctx filter)
{
	static const int numbers[] = { SCMP_SYS(kill), SCMP_SYS(tgkill) };
	int error = 0;

	for (size_t i = 0; error == 0 && i < sizeof(numbers) / sizeof(numbers[0]); i++)
		error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, numbers[i], 1,
					 SCMP_A0_32(SCMP_CMP_EQ, (unsigned int)getpid()));
	return error;
}

/* Naming a thread, dropping ambient capabilities, naming memory (glibc 2.38 and later). */
static int allow_prctl(scmp_filter_ctx filter)
{
	static const unsigned int options[] = { PR_SET_NAME, PR_CAP_AMBIENT, PR_SET_VMA };
	int error = 0;

	for (size_t i = 0; error == 0 && i < sizeof(options) / sizeof(options[0]); i++)
		error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prctl), 1,
					 SCMP_A0_32(SCMP_CMP_EQ, options[i]));
	return error;
}

static int fill(scmp_filter_ctx filter, enum seccomp_role role)
{
	bool is_main = role == SECCOMP_MAIN;
	int error = allow(filter, common, sizeof(common) / sizeof(common[0]));

	if (error == 0)
		error = is_main ?
				allow(filter, main_only, sizeof(main_only) / sizeof(main_only[0])) :
				allow(filter, opener_only,
				      sizeof(opener_only) / sizeof(opener_only[0]));
	if (error == 0)
		error = allow_ioctls(filter);
	if (error == 0)
		error = allow_memory(filter);
	if (error == 0)
		error = allow_signals(filter);
	if (error == 0 && is_main)
		error = allow_prctl(filter);
	if (error == 0 && is_main)
		error = allow_threads(filter);
	return error;
}

int seccomp_enter(enum seccomp_role role)
{
#if defined(SECCOMP_KILL)
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
#else
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
#endif
	if (filter == NULL) {
		errno = ENOMEM;
		return -1;
	}
	/* Best effort: kernels before 4.14 cannot log. */
	seccomp_attr_set(filter, SCMP_FLTATR_CTL_LOG, 1);
	/* A binary tree: a linear search of a list this long would cost on every call. */
	seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);

	int error = fill(filter, role);
	if (error == 0)
		error = seccomp_load(filter);
	seccomp_release(filter);
	errno = -error;
	return error == 0 ? 0 : -1;
}

#else

int seccomp_enter(enum seccomp_role role)
{
	(void)role;
	return 1;
}

#endif
