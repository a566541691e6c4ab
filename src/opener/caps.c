/* SPDX-License-Identifier: MIT */
#include "opener/caps.h"

#include <errno.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Since Linux 5.8; headers may be older. */
#define NUMBER_PERFMON 38
#define NUMBER_MAX     63

uint64_t caps_perf(void)
{
	/* EINVAL: this kernel does not know the number. */
	return prctl(PR_CAPBSET_READ, NUMBER_PERFMON, 0, 0, 0) >= 0 ? CAPS_BIT(NUMBER_PERFMON) :
								      CAPS_BIT(CAP_SYS_ADMIN);
}

uint64_t caps_permitted(void)
{
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct data[2] = { { 0 } };

	if (syscall(SYS_capget, &header, data) != 0)
		return CAPS_NONE;
	return (uint64_t)data[1].permitted << 32 | data[0].permitted;
}

int caps_set(uint64_t caps)
{
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct data[2] = {
		{ .effective = (uint32_t)caps, .permitted = (uint32_t)caps },
		{ .effective = (uint32_t)(caps >> 32), .permitted = (uint32_t)(caps >> 32) },
	};

	if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0 && errno != EINVAL)
		return -1;
	return (int)syscall(SYS_capset, &header, data);
}

int caps_seal(void)
{
	for (unsigned long cap = 0; cap <= NUMBER_MAX; cap++) {
		int is_in = prctl(PR_CAPBSET_READ, cap, 0, 0, 0);

		if (is_in < 0)
			break; /* beyond the last that this kernel knows */
		if (is_in > 0 && prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) != 0)
			return -1;
	}
	return 0;
}
