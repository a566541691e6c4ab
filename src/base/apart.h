/* SPDX-License-Identifier: MIT */
/*
 * apart - for the few cases of functions that run for each record.
 *
 * gcc inlines a static function with one caller.  The caller then saves the registers and keeps the
 * stack that only these few cases need, each time (doc/performance.md, Loss).
 */
#ifndef BASE_APART_H
#define BASE_APART_H

#define APART __attribute__((noinline))

#endif
