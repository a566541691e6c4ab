/* SPDX-License-Identifier: MIT */
/*
 * sys - small questions to the system: clocks, one-line files, memory, a thread's end.
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

/* The exit status that a shell gives a program that a signal ended: this and the signal's number. */
#define EXIT_SIGNALED 128

/* CLOCK_MONOTONIC: what every interval is measured with. */
uint64_t sys_monotonic_ns(void);

struct pollfd;

/* poll(2); when it fails (no memory, a signal) it is as if 5 ms were over: -1, and no caller spins. */
int sys_poll(struct pollfd *fds, unsigned int count, int timeout_msec);

/* For sys_poll(): how long until then, rounded up; 0: it is past, -1: UINT64_MAX, for ever. */
int sys_msec_until(uint64_t until_ns);

/* Wait for a thread's end until `until_ns` (CLOCK_MONOTONIC): false when it still runs, and is not joined. */
bool sys_join(pthread_t thread, uint64_t until_ns);

/* CLOCK_REALTIME in seconds: only ever shown, never subtracted. */
double sys_wall_time(void);

/* CPU time of this process, all threads, user and system. */
uint64_t sys_cpu_ns(void);

/* Resident memory of this process in bytes, shared and locked pages included; 0 when unknown. */
uint64_t sys_rss_bytes(void);

/* The first `room - 1` bytes of a file, terminated: their number, or -1 and errno. */
long sys_read_file(const char *path, char *out, size_t room);

/*
 * The whole of a file of unknown size (tracefs, /proc), terminated, the caller frees;
 * NULL and errno.
 */
char *sys_slurp(const char *path, size_t max_bytes, size_t *len);

/* The same of an open file (borrowed), from where it stands. */
char *sys_slurp_fd(int fd, size_t max_bytes, size_t *len);

/* Whether this thread has a capability in effect, by its number in linux/capability.h. */
bool sys_has_capability(int number);

/* The number of a user or group, in digits alone: false when the text is none, or the one that means none. */
bool sys_parse_id(const char *text, uint32_t *id);

/* Where `name` is, seen from the folder of this program's file: false when it does not fit or is not known. */
bool sys_program_path(const char *name, char *out, size_t room);

/* A file that holds one integer: 0 and *value, or -1 and errno. */
int sys_read_int(const char *path, long long *value);

#endif
