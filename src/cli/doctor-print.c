/* SPDX-License-Identifier: MIT */
#include "cli/doctor.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/text.h"
#include "event/why.h"

#define NAME_WIDTH 17

void doctor_text(const struct doctor *doctor, struct strbuf *out)
{
	for (size_t i = 0; i < doctor->count; i++) {
		const struct doctor_check *check = &doctor->checks[i];

		strbuf_printf(out, "%s  %-*s  ", check->is_ok ? "ok" : "no", NAME_WIDTH,
			      check->name);
		text_add_safe(out, check->what);
		strbuf_putc(out, '\n');
		if (check->fix == NULL)
			continue;
		strbuf_printf(out, "    %-*s  $ ", NAME_WIDTH, "");
		text_add_safe(out, check->fix);
		strbuf_putc(out, '\n');
	}
}

/* Only paths and PMU names may contain characters to escape. */
static void put_string(struct strbuf *out, const char *text)
{
	struct strbuf safe;

	if (text == NULL) {
		strbuf_puts(out, "null");
		return;
	}
	strbuf_init(&safe);
	text_add_safe(&safe, text);
	strbuf_putc(out, '"');
	for (const char *at = safe.text; *at != '\0'; at++) {
		if (*at == '"' || *at == '\\')
			strbuf_putc(out, '\\');
		strbuf_putc(out, *at);
	}
	strbuf_putc(out, '"');
	strbuf_fini(&safe);
}

static void put_check(struct strbuf *out, const struct doctor_check *check)
{
	strbuf_puts(out, "{\"check\":");
	put_string(out, check->name);
	strbuf_printf(out, ",\"ok\":%s,\"what\":", check->is_ok ? "true" : "false");
	put_string(out, check->what);
	strbuf_puts(out, ",\"errno\":");
	put_string(out, check->error != 0 ? why_name(check->error) : NULL);
	strbuf_puts(out, ",\"fix\":");
	put_string(out, check->fix);
	strbuf_putc(out, '}');
}

void doctor_json(const struct doctor *doctor, struct strbuf *out)
{
	strbuf_puts(out, "{\"schema\":1,\"doctor\":[");
	for (size_t i = 0; i < doctor->count; i++) {
		if (i > 0)
			strbuf_putc(out, ',');
		put_check(out, &doctor->checks[i]);
	}
	strbuf_puts(out, "]}\n");
}

int doctor_run(bool is_json, const char *as)
{
	struct doctor doctor;
	struct strbuf text;

	strbuf_init(&text);
	doctor_examine_here(&doctor, as);
	if (is_json)
		doctor_json(&doctor, &text);
	else
		doctor_text(&doctor, &text);
	fputs(text.text, stdout);
	strbuf_fini(&text);
	doctor_fini(&doctor);
	if (fflush(stdout) == 0)
		return EXIT_SUCCESS;
	fprintf(stderr, "perftop-ng: standard output: %s\n", strerror(errno));
	return EXIT_FAILURE;
}
