/* SPDX-License-Identifier: MIT */
#include "cli/libraries.h"

#include "opener/instrumented.h"

#ifdef HAVE_LIBELF
#define HAS_ELF true
#else
#define HAS_ELF false
#endif

/* A sanitizer's runtime needs further system calls: see opener/seccomp.c. */
#if defined(HAVE_LIBSECCOMP) && !IS_INSTRUMENTED
#define HAS_SECCOMP true
#else
#define HAS_SECCOMP false
#endif

#ifdef HAVE_LIBZSTD
#define HAS_ZSTD true
#else
#define HAS_ZSTD false
#endif

const struct library *library_at(size_t index)
{
	static const struct library libraries[LIBRARIES] = {
		{ "libelf", HAS_ELF, "uprobes by symbol, functions of user code" },
		{ "libseccomp", HAS_SECCOMP, "the system call filter under sudo" },
		{ "libzstd", HAS_ZSTD, "compressed perf.data, a longer history" },
	};

	return &libraries[index];
}
