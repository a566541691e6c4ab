/* SPDX-License-Identifier: MIT */
/*
 * doctor-inside - what the files of the doctor share:
 *
 *     doctor.c        the system, its limits, all checks in order
 *     doctor-kinds.c  each kind of event, by opening one
 *     doctor-print.c  the output of --doctor
 */
#ifndef CLI_DOCTOR_INSIDE_H
#define CLI_DOCTOR_INSIDE_H

#include "cli/doctor.h"

/* The error of a check that failed without an errno. */
#define DOCTOR_NO_ERRNO (-1)

/* Append a check, which failed unless `error` is 0; `fix`, or NULL, is copied. */
void doctor_add(struct doctor *doctor, const char *name, int error, const char *fix,
		const char *format, ...) __attribute__((format(printf, 5, 6)));

/* The fix where rights are missing; NULL: it has root's already. */
const char *doctor_sudo(const struct doctor_place *place);

/* A check for each kind of event that has a test event, on this CPU and for our own task. */
void doctor_kinds(struct doctor *doctor, const struct doctor_place *place, int cpu);

#endif
