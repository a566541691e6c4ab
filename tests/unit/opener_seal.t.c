/* SPDX-License-Identifier: MIT */
/* The opener's seal: what still opens after it, and which capabilities it leaves. */
#include "opener/serve.h"

#include "fake-opener.h"
#include "opener/caps.h"
#include "opener/remote.h"
#include "tap.h"

#include <errno.h>
#include <linux/capability.h>
#include <pthread.h>

static int try_probe(const struct access *access, const char *path, uint64_t offset, int cpu)
{
	struct perf_event_attr attr = attr_of(PROBE_TYPE);

	attr.config2 = offset;
	int fd = access->open_event(access->ctx, &attr, path, -1, cpu, -1, 0);
	int error = fd < 0 ? errno : 0;
	if (fd >= 0)
		access->close_event(access->ctx, fd);
	return error;
}

static void test_seal(void)
{
	struct perf_event_attr attr = attr_of(PERF_TYPE_SOFTWARE);
	struct perf_event_attr breakpoint = attr_of(PERF_TYPE_BREAKPOINT);
	struct fake fake;
	int sock;
	pthread_t thread = start(&fake, &sock);
	struct remote *remote = remote_new(sock, NULL);
	const struct access *access = remote_access(remote);

	is_int(try_probe(access, "/bin/true", 16, 0), 0, "a probe opens before the seal");
	is_int(remote_seal(remote), 0, "it is sealed");
	is_u64(fake.caps, CAPS_BIT(CAP_SYS_ADMIN) | CAPS_BIT(CAP_DAC_READ_SEARCH),
	       "with what that probe takes");
	is_int(try_probe(access, "/bin/true", 16, 1), 0, "the same opens on another CPU");
	is_int(try_probe(access, "/bin/true", 17, 0), EPERM, "not one at another offset");
	is_int(try_probe(access, "/bin/sh", 16, 0), EPERM, "nor one in another file");
	is_int(try_attr(access, &breakpoint), EPERM, "nor a breakpoint");
	is_int(try_attr(access, &attr), 0, "other events open");
	is_int(remote_seal(remote), 0, "a second seal");
	is_u64(fake.caps, CAPS_BIT(CAP_SYS_ADMIN) | CAPS_BIT(CAP_DAC_READ_SEARCH),
	       "restores no capability");
	remote_free(remote);
	stop(&fake, thread);
}

/* What the seal leaves after one event of this kind. */
static uint64_t caps_of(struct perf_event_attr attr)
{
	struct fake fake;
	int sock;
	pthread_t thread = start(&fake, &sock);
	struct remote *remote = remote_new(sock, NULL);

	try_attr(remote_access(remote), &attr);
	remote_seal(remote);
	remote_free(remote);
	stop(&fake, thread);
	return fake.caps;
}

static uint64_t caps_after(uint32_t type, uint64_t sample_type)
{
	struct perf_event_attr attr = attr_of(type);

	attr.sample_type = sample_type;
	return caps_of(attr);
}

static uint64_t caps_after_breakpoint(uint64_t address)
{
	struct perf_event_attr attr = attr_of(PERF_TYPE_BREAKPOINT);

	attr.bp_addr = address;
	return caps_of(attr);
}

static void test_needs(void)
{
	is_u64(caps_after(PERF_TYPE_SOFTWARE, 0), CAPS_NONE, "a count takes nothing more");
	is_u64(caps_after(PERF_TYPE_SOFTWARE, PERF_SAMPLE_IP), CAPS_BIT(CAP_SYSLOG),
	       "addresses take symbols");
	is_u64(caps_after(PERF_TYPE_TRACEPOINT, 0), CAPS_BIT(CAP_DAC_READ_SEARCH),
	       "a tracepoint takes its format");
	is_u64(caps_after_breakpoint(0xffffffff81000000), CAPS_BIT(CAP_SYS_ADMIN),
	       "a breakpoint in the kernel takes SYS_ADMIN");
	is_u64(caps_after_breakpoint(0x401000), CAPS_NONE, "one in user space nothing more");
}

int main(void)
{
	plan_lazy();
	test_seal();
	test_needs();
	return done();
}
