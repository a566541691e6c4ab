/* SPDX-License-Identifier: MIT */
/*
 * breakpoints: whether this machine's breakpoints count, as some virtual machines' do not: 0 if they do, or
 * if they may not be opened; 1, with why on stdout, if they are opened and nothing hits them.
 */
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TIMES 10

static volatile int variable;

static int open_breakpoint(uint32_t type, const volatile void *at, uint64_t len)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_BREAKPOINT,
					.size = sizeof(attr),
					.bp_type = type,
					.bp_addr = (uintptr_t)at,
					.bp_len = len,
					.exclude_kernel = 1,
					.exclude_hv = 1 };

	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

__attribute__((noinline)) static void function(void)
{
	__asm__ volatile("");
}

static int is_silent(int fd, const char *what)
{
	uint64_t count = TIMES;

	if (fd < 0 || read(fd, &count, sizeof(count)) != sizeof(count) || count == TIMES)
		return 0;
	printf("a breakpoint on %s counted %llu of %d here, without perftop-ng\n", what,
	       (unsigned long long)count, TIMES);
	return 1;
}

int main(void)
{
	int data = open_breakpoint(HW_BREAKPOINT_W, &variable, sizeof(variable));
	int code =
		open_breakpoint(HW_BREAKPOINT_X, (const void *)(uintptr_t)function, sizeof(long));

	for (int i = 0; i < TIMES; i++) {
		variable = i;
		function();
	}
	return is_silent(data, "data") | is_silent(code, "code");
}
