/* SPDX-License-Identifier: MIT */
/*
 * tap - a test is a main() that reports its checks in the Test Anything Protocol.
 *
 *     int main(void)
 *     {
 *             plan(2);                              (or plan_lazy(), to count as we go)
 *             ok(ring != NULL, "a ring opens");
 *             is_int(ring_next(ring), 0, "and is empty");
 *             return done();
 *     }
 *
 * Every check returns whether it passed, so that a test can stop early.  Got and expected values
 * are evaluated once.  Only one thread may use it: other threads report through that one.
 */
#ifndef TAP_H
#define TAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define TAP_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

/* How many checks there will be, skipped ones included; or: as many as there are, at least one. */
void plan(unsigned int n);
void plan_lazy(void);

#define ok(cond, ...)		  tap_ok((cond) ? true : false, #cond, __FILE__, __LINE__, __VA_ARGS__)
#define is_int(got, want, ...)	  tap_is_int((got), (want), __FILE__, __LINE__, __VA_ARGS__)
#define is_u64(got, want, ...)	  tap_is_u64((got), (want), __FILE__, __LINE__, __VA_ARGS__)
#define is_str(got, want, ...)	  tap_is_str((got), (want), __FILE__, __LINE__, __VA_ARGS__)
#define is_mem(got, want, n, ...) tap_is_mem((got), (want), (n), __FILE__, __LINE__, __VA_ARGS__)

/* In place of the next n checks. */
void skip(unsigned int n, const char *fmt, ...) TAP_PRINTF(2, 3);

/* In place of all checks, before any plan; exits 0. */
_Noreturn void skip_all(const char *fmt, ...) TAP_PRINTF(1, 2);

/* The checks from here to todo_end() are known to fail: shown, not counted as failures. */
void todo(const char *fmt, ...) TAP_PRINTF(1, 2);
void todo_end(void);

/* A remark for prove -v, on stdout (why a check failed is on stderr); each line gets a "# ". */
void diag(const char *fmt, ...) TAP_PRINTF(1, 2);

/* Nothing more can be tested, in this test or any other: ends the whole run; exits 255. */
_Noreturn void bail(const char *fmt, ...) TAP_PRINTF(1, 2);

/* main's exit status: 0 when every check passed and the plan was met, else 1. */
int done(void);

/* Whether this process may watch a whole CPU: live tests skip_all() without it. */
bool tap_can_perf(void);

/* What the macros above call. */
bool tap_ok(bool passed, const char *expr, const char *file, int line, const char *fmt, ...)
	TAP_PRINTF(5, 6);
bool tap_is_int(int64_t got, int64_t want, const char *file, int line, const char *fmt, ...)
	TAP_PRINTF(5, 6);
bool tap_is_u64(uint64_t got, uint64_t want, const char *file, int line, const char *fmt, ...)
	TAP_PRINTF(5, 6);
bool tap_is_str(const char *got, const char *want, const char *file, int line, const char *fmt, ...)
	TAP_PRINTF(5, 6);
bool tap_is_mem(const void *got, const void *want, size_t len, const char *file, int line,
		const char *fmt, ...) TAP_PRINTF(6, 7);

#endif
