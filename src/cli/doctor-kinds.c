/* SPDX-License-Identifier: MIT */
#include "cli/doctor-inside.h"

#include <errno.h>
#include <stdlib.h>

#include "capture/closer.h"
#include "event/kind.h"
#include "event/probe.h"
#include "event/why.h"

#define TESTS_MOST (EVENT_KINDS_COUNT * 3) /* of struct probe's errors */

/*
 * The test events stay open until the last was opened: while one is being closed the next of its kind
 * takes up to 95 ms to open (Linux 6.18, uprobes and tracepoints).
 */
struct tests {
	const struct doctor_place *place;
	int fds[TESTS_MOST];
	size_t count;
};

/* Open a test event as the run opens its events. */
static int open_test(void *ctx, const struct perf_event_attr *attr, const char *text, pid_t pid,
		     int cpu)
{
	struct tests *tests = ctx;
	const struct access *access = tests->place->access;
	int fd = access->open_event(access->ctx, attr, text, pid, cpu, -1, 0);

	if (fd < 0)
		return errno;
	tests->fds[tests->count++] = fd;
	return 0;
}

static void close_tests(const struct tests *tests)
{
	const struct doctor_place *place = tests->place;

	for (size_t i = 0; i < tests->count; i++) {
		if (place->closer != NULL)
			closer_take(place->closer, tests->fds[i]);
		else
			place->access->close_event(place->access->ctx, tests->fds[i]);
	}
}

static const char *fix_of(const struct doctor_place *place, const struct kind_probe *asked,
			  int error)
{
	switch (error) {
	case EACCES:
	case EPERM:
		return doctor_sudo(place);
	case ENOENT:
	case EOPNOTSUPP:
	case ENODEV:
		return asked->instead;
	case EBUSY:
		return "sudo sysctl kernel.nmi_watchdog=0";
	default:
		return NULL;
	}
}

static const char *what_else(const struct probe *probe)
{
	if (probe->task_error == 0)
		return "; own tasks: yes";
	return probe->user_error == 0 ? "; own tasks: yes, in user mode" : "";
}

/* For a kind without a known type or id to open. */
static void add_unknown(struct doctor *doctor, const struct doctor_place *place,
			const struct kind_probe *asked, int error)
{
	if (error == EACCES)
		doctor_add(doctor, asked->name, error, doctor_sudo(place),
			   "EACCES: tracepoint ids are in tracefs, which only root may read");
	else if (error == ENODATA)
		doctor_add(doctor, asked->name, error, NULL, "ENODATA: %s", tracefs_why(error));
	else
		doctor_add(doctor, asked->name, error, fix_of(place, asked, error), "ENOENT: %s",
			   asked->unknown);
}

static void check_kind(struct doctor *doctor, struct tests *tests, enum event_kind kind, int cpu)
{
	const struct kind_probe *asked = &kind_of(kind)->probe;
	const struct doctor_place *place = tests->place;
	struct probe_way way = { place->catalog, open_test, tests };
	struct why_place where = { .cpu = cpu,
				   .pid = -1,
				   .fds_need = TESTS_MOST,
				   .has_root = place->access->has_root,
				   .root_lacks = place->access->root_lacks };
	struct probe probe;

	if (!probe_kind(kind, cpu, &way, &probe))
		return;
	if (probe.machine_error == 0) {
		doctor_add(doctor, asked->name, 0, NULL, "%s: the whole machine%s", asked->event,
			   probe.task_error == 0 ? " and own tasks" : "");
		return;
	}
	if (!probe.is_known) {
		add_unknown(doctor, place, asked, probe.machine_error);
		return;
	}
	if (place->access->adds_no_probes && kind_of(kind)->is_probe) {
		doctor_add(doctor, asked->name, DOCTOR_NO_ERRNO, NULL,
			   "%s: only at the start, with -e, not while it runs", asked->event);
		return;
	}

	/* The kernel checks rights before the PMU; for our own task a missing PMU gives ENOENT. */
	int error = probe.user_error == ENOENT ? ENOENT : probe.machine_error;
	struct event_spec spec = { .kind = kind };
	char *why = why_open(error, &spec, &where);
	doctor_add(doctor, asked->name, error, fix_of(place, asked, error), "%s: %s%s",
		   asked->event, why, what_else(&probe));
	free(why);
}

void doctor_kinds(struct doctor *doctor, const struct doctor_place *place, int cpu)
{
	struct tests tests = { .place = place };

	for (enum event_kind kind = 0; kind < EVENT_KINDS_COUNT; kind++)
		check_kind(doctor, &tests, kind, cpu);
	close_tests(&tests);
}
