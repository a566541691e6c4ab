/* SPDX-License-Identifier: MIT */
/* Which kernels open the mappings of other processes with CAP_PERFMON alone. */
#include "opener/caps.h"

#include "tap.h"

int main(void)
{
	static const char *const before[] = { "6.14.11", "6.1.0-50-amd64", "5.10.0", "4.18.0", "" };
	static const char *const since[] = { "6.15.0-rc1", "6.18.44", "7.0.0", "10.1" };

	plan_lazy();
	for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++)
		is_u64(caps_maps(before[i]), CAPS_BIT(CAP_SYS_PTRACE), "\"%s\": CAP_SYS_PTRACE",
		       before[i]);
	for (size_t i = 0; i < sizeof(since) / sizeof(since[0]); i++)
		is_u64(caps_maps(since[i]), CAPS_NONE, "\"%s\": nothing more", since[i]);
	return done();
}
