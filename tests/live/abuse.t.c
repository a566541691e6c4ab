/* SPDX-License-Identifier: MIT */
/* The real opener, asked by a compromised main for more than the program ever needs. */
#include <errno.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sys.h"
#include "opener/caller.h"
#include "opener/caps.h"
#include "opener/opener.h"
#include "opener/protocol.h"
#include "opener/wire.h"
#include "tap.h"

#define NOBODY	       65534
#define RING_PAGES     (1ull << 20)
#define KERNEL_ADDRESS 0xffffffff81000000

static struct caller nobody = { .by = "--as", .uid = NOBODY, .gid = NOBODY };
static uint32_t uprobe_type;

static int start(bool may_probe, int command_pidfd)
{
	struct opener_config config = {
		.caller = &nobody,
		.command_pidfd = command_pidfd,
		.may_probe = may_probe,
	};
	int sock = opener_start(&config);

	if (sock < 0)
		bail("no opener");
	return sock;
}

static void stop(int sock)
{
	close(sock);
	wait(NULL);
}

/* The errno of the answer; 0 and the fd, if one came along. */
static int ask(int sock, const struct opener_request *request, int *fd, uint32_t *handle)
{
	struct opener_answer answer = { .error = -1 };

	if (wire_send(sock, request, sizeof(*request), WIRE_NO_FD) != 0 ||
	    wire_receive(sock, &answer, sizeof(answer), fd) != (ssize_t)sizeof(answer))
		return -1;
	if (handle != NULL)
		*handle = answer.handle;
	return answer.error;
}

static int ask_only(int sock, const struct opener_request *request)
{
	int fd = WIRE_NO_FD, error = ask(sock, request, &fd, NULL);

	if (fd != WIRE_NO_FD)
		close(fd);
	return error;
}

static struct opener_request open_of(uint32_t type, uint64_t config)
{
	return (struct opener_request){
		.kind = OPENER_OPEN,
		.handle = OPENER_NO_HANDLE,
		.pid = -1,
		.attr = { .type = type,
			  .config = config,
			  .size = sizeof(struct perf_event_attr),
			  .disabled = 1 },
	};
}

static struct opener_request uprobe_at(const char *path, uint64_t offset)
{
	struct opener_request request = open_of(uprobe_type, 0);

	request.has_text = OPENER_HAS_TEXT;
	snprintf(request.text, sizeof(request.text), "%s", path);
	request.attr.config2 = offset;
	return request;
}

static struct opener_request breakpoint_at(uint64_t address)
{
	struct opener_request request = open_of(PERF_TYPE_BREAKPOINT, 0);

	request.attr.config1 = address;
	request.attr.config2 = 8; /* bp_len: HW_BREAKPOINT_LEN_8 */
	request.attr.bp_type = 2; /* HW_BREAKPOINT_W */
	return request;
}

/* Of the one child that we have: its permitted set. */
static uint64_t caps_of_opener(void)
{
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct data[2];
	char path[64], text[64];

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
	if (sys_read_file(path, text, sizeof(text)) <= 0)
		bail("no list of children (CONFIG_PROC_CHILDREN)");
	header.pid = atoi(text);
	if (header.pid == 0 || syscall(SYS_capget, &header, data) != 0)
		bail("no opener");
	return (uint64_t)data[1].permitted << 32 | data[0].permitted;
}

static bool has_cap(int cap)
{
	return (caps_of_opener() & CAPS_BIT(cap)) != 0;
}

/*
 * It is kept for every event where Debian's kernel.perf_event_paranoid is 3, and before Linux 5.8, which
 * has no CAP_PERFMON (caps_perf()).
 */
static bool needs_sys_admin(void)
{
	long long level = 2;

	sys_read_int("/proc/sys/kernel/perf_event_paranoid", &level);
	return level > 2 || prctl(PR_CAPBSET_READ, CAP_PERFMON, 0, 0, 0) < 0;
}

/* --- what it refuses ---------------------------------------------------------------------------- */

static void test_others_data(int sock)
{
	struct opener_request request = open_of(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES);

	request.attr.sample_period = 1;
	request.attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID;
	is_int(ask_only(sock, &request), 0, "an event as the program opens them opens");
	request.attr.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER |
				    PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_ADDR;
	request.attr.sample_regs_user = 0xff;
	request.attr.sample_stack_user = 4096;
	is_int(ask_only(sock, &request), EPERM,
	       "not the stacks, registers and addresses of all tasks");
}

static void test_files(int sock)
{
	struct opener_request request = { .kind = OPENER_FILE, .file = TRACEFS_FORMAT };

	strcpy(request.system, "../../../../../etc");
	strcpy(request.name, "shadow");
	ok(ask_only(sock, &request) > 0, "no file outside of tracefs");
	request.file = (OPENER_MAPS + 1);
	is_int(ask_only(sock, &request), EINVAL, "no file that it does not know");
	request.file = OPENER_MAPS;
	is_int(ask_only(sock, &request), EINVAL, "no mappings of the opener's own");
	request.pid = -1;
	is_int(ask_only(sock, &request), EINVAL, "nor of no process");
}

/* A process of root's, which the user of the opener may not look into. */
static void test_mappings(void)
{
	struct opener_request request = { .kind = OPENER_FILE, .file = OPENER_MAPS };
	struct opener_request sample = open_of(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
	struct opener_request seal = { .kind = OPENER_SEAL };
	struct utsname system;
	int sock = start(false, WIRE_NO_FD);

	if (uname(&system) != 0)
		bail("uname");
	bool is_enough = caps_maps(system.release) == CAPS_NONE;
	request.pid = getpid();
	is_int(ask_only(sock, &request), 0, "the mappings of a process");
	sample.attr.sample_type = PERF_SAMPLE_IP;
	is_int(ask_only(sock, &sample), 0, "an event that samples addresses");
	is_int(ask_only(sock, &seal), 0, "sealed");
	is_int(ask_only(sock, &request), 0, "they open after the seal, too");
	ok(has_cap(CAP_SYS_PTRACE) == !is_enough, "for which it keeps CAP_SYS_PTRACE: %d",
	   !is_enough);
	stop(sock);
}

/* The opener holds each ring until main reports that it has mapped it, too. */
static void test_memory(int sock)
{
	struct opener_request request = open_of(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
	struct opener_request map = { .kind = OPENER_MAP, .pages = RING_PAGES };
	int fd = WIRE_NO_FD;

	is_int(ask(sock, &request, &fd, &map.handle), 0, "an event for a ring");
	ok(ask_only(sock, &map) != 0, "but no ring of 4 GiB");
	close(fd);
}

static void test_signals(void)
{
	struct opener_request request = { .kind = OPENER_END, .flags = SIGSTOP };
	int sock = start(false, WIRE_NO_FD);

	is_int(ask_only(sock, &request), EINVAL, "no signal but those that end it");
	request.flags = SIGKILL;
	is_int(ask_only(sock, &request), ESRCH, "and none without a command");
	stop(sock);
}

/* --- probes: they rewrite an instruction, a breakpoint is set anywhere ---------------------------- */

static void test_no_probe(void)
{
	struct opener_request uprobe = uprobe_at("/proc/self/exe", 64);
	struct opener_request breakpoint = breakpoint_at(KERNEL_ADDRESS);
	struct opener_request seal = { .kind = OPENER_SEAL };
	int sock = start(false, WIRE_NO_FD);

	test_others_data(sock);
	test_files(sock);
	test_memory(sock);
	is_int(ask_only(sock, &seal), 0, "sealed");
	is_int(ask_only(sock, &uprobe), EPERM, "no uprobe");
	is_int(ask_only(sock, &breakpoint), EPERM, "no breakpoint");
	ok(!has_cap(CAP_DAC_READ_SEARCH) && !has_cap(CAP_SYSLOG) && !has_cap(CAP_SYS_PTRACE),
	   "for counts alone it keeps neither DAC_READ_SEARCH nor SYSLOG nor SYS_PTRACE");
	stop(sock);
}

/* Before the seal, too, the kernel refuses what takes a capability that no event of -e needs. */
static void test_no_sys_admin(void)
{
	struct opener_request uprobe = uprobe_at("/proc/self/exe", 64);
	struct opener_request breakpoint = breakpoint_at(KERNEL_ADDRESS);

	if (needs_sys_admin()) {
		skip(3, "CAP_SYS_ADMIN is needed for every event here");
		return;
	}
	int sock = start(false, WIRE_NO_FD);
	ok(!has_cap(CAP_SYS_ADMIN), "without a probe among the events: no CAP_SYS_ADMIN");
	ok(ask_only(sock, &uprobe) != 0, "no uprobe");
	ok(ask_only(sock, &breakpoint) != 0, "no breakpoint in the kernel");
	stop(sock);
}

/* Of a file that only root may read, as `-e uprobe:…` names one. */
static void test_probe(void)
{
	char path[] = "/tmp/perftop-abuse.XXXXXX";
	struct opener_request seal = { .kind = OPENER_SEAL };
	char text[4096] = "";
	int file = mkstemp(path), sock = start(true, WIRE_NO_FD);

	if (file < 0 || write(file, text, sizeof(text)) != (ssize_t)sizeof(text))
		bail("no file");
	memset(text, 0x90, sizeof(text)); /* nop, to a uprobe of x86 an instruction like others */
	if (pwrite(file, text, sizeof(text), 0) != (ssize_t)sizeof(text) || fchmod(file, 0600) != 0)
		bail("no file");
	close(file);

	struct opener_request asked = uprobe_at(path, 64), other = uprobe_at(path, 65);
	is_int(ask_only(sock, &asked), 0, "the uprobe that was asked for opens");
	is_int(ask_only(sock, &seal), 0, "sealed");
	is_int(ask_only(sock, &other), EPERM, "none at another offset");
	other = uprobe_at("/bin/sh", 64);
	is_int(ask_only(sock, &other), EPERM, "none in another file");
	other = breakpoint_at(KERNEL_ADDRESS);
	is_int(ask_only(sock, &other), EPERM, "no breakpoint in the kernel");
	other = asked;
	other.attr.config = 1; /* a uretprobe in its place */
	is_int(ask_only(sock, &other), EPERM, "no uretprobe in its place");
	is_int(ask_only(sock, &asked), 0, "the one that was asked for opens again");
	ok(has_cap(CAP_SYS_ADMIN), "for which it keeps CAP_SYS_ADMIN");
	unlink(path);
	stop(sock);
}

int main(void)
{
	long long type;

	if (geteuid() != 0)
		skip_all("needs root");
	if (sys_read_int("/sys/bus/event_source/devices/uprobe/type", &type) != 0)
		skip_all("no uprobes here");
	uprobe_type = (uint32_t)type;

	plan_lazy();
	test_no_probe();
	test_no_sys_admin();
	test_mappings();
	test_signals();
	test_probe();
	return done();
}
