/* SPDX-License-Identifier: MIT */
/*
 * doctor - --doctor, and D on the screen: what can be watched here, what cannot, why, and the smallest fix.
 *
 * A check is one finding.  A failed one has the errno's name if the kernel returned
 * one, and, if it can be fixed, a line to paste into a shell.
 */
#ifndef CLI_DOCTOR_H
#define CLI_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct doctor_check {
	const char *name; /* "tracepoint": stays the same for scripts */
	bool is_ok;
	char *what; /* what was found, or why it is missing (owned) */
	int error;  /* errno, or 0 */
	char *fix;  /* a line to paste, or NULL (owned) */
};

struct doctor {
	struct doctor_check *checks;
	size_t count;
};

struct access;
struct caller;
struct catalog;
struct closer;
struct features;

/* With whose rights it looks; all borrowed. */
struct doctor_place {
	const struct access *access; /* opens the test events, and the kernel's files */
	const struct catalog *catalog;
	const struct features *features;
	const struct caller *caller; /* the user that root runs it for; NULL: none */
	const char *caller_fault;    /* why that is unclear, or NULL */
	uint64_t caps;		     /* the capabilities of the access: CAPS_BIT() */
	struct closer *closer;	     /* closes the test events in the background; or NULL */
};

/*
 * Run all checks.  Takes some 30 ms, and without a closer 300 more until the test events are closed.
 * Needs no rights.  doctor_fini() afterwards.
 */
void doctor_examine(struct doctor *doctor, const struct doctor_place *place);

/* The same with the rights of this process.  `as`: the user of --as, or NULL. */
void doctor_examine_here(struct doctor *doctor, const char *as);
void doctor_fini(struct doctor *doctor);

struct strbuf;

/* Append a line for each check, its fix below it; the same as one JSON object, `schema` first. */
void doctor_text(const struct doctor *doctor, struct strbuf *out);
void doctor_json(const struct doctor *doctor, struct strbuf *out);

/* Examine and print: the exit status. */
int doctor_run(bool is_json, const char *as);

#endif
