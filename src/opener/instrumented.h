/* SPDX-License-Identifier: MIT */
/*
 * instrumented - whether this build has a sanitizer, whose runtime needs further system calls.
 */
#ifndef OPENER_INSTRUMENTED_H
#define OPENER_INSTRUMENTED_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_INSTRUMENTED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
	__has_feature(memory_sanitizer)
#define IS_INSTRUMENTED 1
#endif
#endif

#ifndef IS_INSTRUMENTED
#define IS_INSTRUMENTED 0
#endif

#endif
