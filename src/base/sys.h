/* SPDX-License-Identifier: MIT */
/*
 * sys - small system calls: clocks, one-line files, whole reads and writes, memory, a thread's end.
 * Any thread.
 */
#ifndef BASE_SYS_H
#define BASE_SYS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NSEC_PER_SEC  1000000000ull
#define NSEC_PER_MSEC 1000000ull

/* A shell's exit status for a program killed by a signal: this plus the signal's number. */
#define EXIT_SIGNALED 128

/* CLOCK_MONOTONIC: the clock of all intervals. */
uint64_t sys_monotonic_ns(void);

struct pollfd;

/* poll(2); on failure (no memory, a signal) it sleeps 5 ms, so that no caller spins: -1. */
int sys_poll(struct pollfd *fds, unsigned int count, int timeout_msec);

/* A timeout for sys_poll(): time until then, rounded up; 0 if past, -1 (none) for UINT64_MAX. */
int sys_msec_until(uint64_t until_ns);

/* Join a thread, waiting until `until_ns` (CLOCK_MONOTONIC): false when it still runs. */
bool sys_join(pthread_t thread, uint64_t until_ns);

/* CLOCK_REALTIME: for display only, never subtracted. */
int64_t sys_wall_ns(void);

/* CPU time of this process, all threads, user and system. */
uint64_t sys_cpu_ns(void);

/* CPU time of the calling thread, user and system. */
uint64_t sys_thread_cpu_ns(void);

/* Resident memory of this process in bytes, shared and locked pages included; 0 when unknown. */
uint64_t sys_rss_bytes(void);

/* The same from the text of the file that says it, which is shorter than SYS_STATM_MAX. */
#define SYS_STATM     "/proc/self/statm"
#define SYS_STATM_MAX 256
uint64_t sys_parse_rss(const char *statm);

/*
 * The positive numbers among the names in a folder, as of processes in /proc or of threads in /proc/PID/task: how
 * many, or -1 and errno.  The caller frees *numbers, NULL without any.
 */
long sys_list_numbers(const char *path, pid_t **numbers);

/* The first `room - 1` bytes of a file, terminated: their number, or -1 and errno. */
long sys_read_file(const char *path, char *out, size_t room);

/* The first line of a file, as much as fits: false and errno, and it is "". */
bool sys_read_line(const char *path, char *out, size_t room);

/*
 * The whole of a file of unknown size (tracefs, /proc), terminated, the caller frees;
 * NULL and errno.
 */
char *sys_slurp(const char *path, size_t max_bytes, size_t *len);

/* The same for an open file (borrowed), from its current offset. */
char *sys_slurp_fd(int fd, size_t max_bytes, size_t *len);

/* Read at an offset, fewer bytes than asked for only at the file's end: how many, or -1 and errno. */
long sys_read_at(int fd, void *out, size_t len, uint64_t at);

/* Write all of it at an offset: 0, or -1 and errno. */
int sys_write_at(int fd, const void *bytes, size_t len, uint64_t at);

/* Whether a capability, by its number in linux/capability.h, is effective in this thread. */
bool sys_has_capability(int number);

/* Parse a uid or gid, digits only: false for anything else, and for (uid_t)-1. */
bool sys_parse_id(const char *text, uint32_t *id);

/* The path of `name` relative to the folder of the executable: false when unknown or too long. */
bool sys_program_path(const char *name, char *out, size_t room);

/* Read a file that holds one integer: 0 and *value, or -1 and errno. */
int sys_read_int(const char *path, long long *value);

/* Parse an integer that a newline may follow: 0 and *value, or -1 and errno. */
int sys_parse_int(const char *text, long long *value);

#endif
