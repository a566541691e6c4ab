/* SPDX-License-Identifier: MIT */
#include "opener/caps.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/features.h"

#define NUMBER_MAX 63

/* Remove one capability from the effective set, or add it again.  0, or -1 and errno. */
static int set_effective(int cap, bool is_effective)
{
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &header, data) != 0)
		return -1;
	uint32_t bit = 1u << cap % 32;
	if (is_effective)
		data[cap / 32].effective |= bit;
	else
		data[cap / 32].effective &= ~bit;
	return (int)syscall(SYS_capset, &header, data);
}

/*
 * Debian's kernels (and others with its patch) refuse every event without CAP_SYS_ADMIN while
 * kernel.perf_event_paranoid is 3, even with CAP_PERFMON.  Every other kernel allows the event that
 * features_probe() opens, on this thread in user mode.
 */
static bool is_perfmon_refused(void)
{
	struct features features;

	if (set_effective(CAP_SYS_ADMIN, false) != 0)
		return false;
	features_probe(&features);
	set_effective(CAP_SYS_ADMIN, true);
	return !features.has_perf &&
	       (features.errno_perf == EACCES || features.errno_perf == EPERM);
}

uint64_t caps_perf(void)
{
	/* EINVAL: this kernel does not know the number. */
	if (prctl(PR_CAPBSET_READ, CAP_PERFMON, 0, 0, 0) < 0)
		return CAPS_BIT(CAP_SYS_ADMIN);
	return CAPS_BIT(CAP_PERFMON) | (is_perfmon_refused() ? CAPS_BIT(CAP_SYS_ADMIN) : 0);
}

uint64_t caps_maps(const char *release)
{
	unsigned int major = 0, minor = 0;

	if (sscanf(release, "%u.%u", &major, &minor) == 2 &&
	    (major > 6 || (major == 6 && minor >= 15)))
		return CAPS_NONE;
	return CAPS_BIT(CAP_SYS_PTRACE);
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

int caps_keep(uint64_t caps)
{
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &header, data) != 0)
		return -1;
	for (int i = 0; i < 2; i++) {
		data[i].permitted &= (uint32_t)(caps >> 32 * i);
		data[i].effective &= (uint32_t)(caps >> 32 * i);
	}
	return (int)syscall(SYS_capset, &header, data);
}

int caps_seal(void)
{
	for (unsigned long cap = 0; cap <= NUMBER_MAX; cap++) {
		int is_in = prctl(PR_CAPBSET_READ, cap, 0, 0, 0);

		if (is_in < 0)
			break; /* beyond this kernel's last one */
		if (is_in > 0 && prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) != 0)
			return -1;
	}
	return 0;
}
