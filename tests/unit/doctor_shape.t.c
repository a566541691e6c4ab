/* SPDX-License-Identifier: MIT */
#include "cli/doctor.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "tap.h"

static void check_output(void)
{
	struct doctor_check checks[] = {
		{ .name = "tracefs", .is_ok = true, .what = (char *)"/sys/kernel/tracing" },
		{ .name = "software",
		  .what = (char *)"EACCES: a \"cause\"\x1b[2J\\",
		  .error = EACCES,
		  .fix = (char *)"sudo perftop-ng" },
		{ .name = "kprobe", .what = (char *)"not here", .error = 0 },
	};
	struct doctor doctor = { checks, 3 };
	struct strbuf out;

	strbuf_init(&out);
	doctor_text(&doctor, &out);
	is_str(out.text,
	       "ok  tracefs            /sys/kernel/tracing\n"
	       "no  software           EACCES: a \"cause\"\\x1b[2J\\\n"
	       "                       $ sudo perftop-ng\n"
	       "no  kprobe             not here\n",
	       "as text: a line each, fixes to paste");
	strbuf_clear(&out);
	doctor_json(&doctor, &out);
	is_str(out.text,
	       "{\"schema\":1,\"doctor\":["
	       "{\"check\":\"tracefs\",\"ok\":true,\"what\":\"/sys/kernel/tracing\",\"errno\":null,"
	       "\"fix\":null},"
	       "{\"check\":\"software\",\"ok\":false,\"what\":\"EACCES: a \\\"cause\\\"\\\\x1b[2J\\\\\","
	       "\"errno\":\"EACCES\",\"fix\":\"sudo perftop-ng\"},"
	       "{\"check\":\"kprobe\",\"ok\":false,\"what\":\"not here\",\"errno\":null,\"fix\":null}]}\n",
	       "as JSON: one line, every key");
	strbuf_fini(&out);
}

int main(void)
{
	struct doctor doctor;

	plan_lazy();
	check_output();

	/* Under sudo it would list the opener's capabilities too. */
	unsetenv("SUDO_UID");
	unsetenv("SUDO_GID");
	doctor_examine_here(&doctor, NULL);
	is_u64(doctor.count, 24, "24 checks");
	for (size_t i = 0; i < doctor.count; i++) {
		const struct doctor_check *check = &doctor.checks[i];

		ok(check->what != NULL && check->what[0] != '\0', "%s says what it found",
		   check->name);
		ok(!check->is_ok || (check->error == 0 && check->fix == NULL),
		   "and has no error or fix if it is ok");
		ok(check->what != NULL && strchr(check->what, '\n') == NULL, "in one line");
	}
	doctor_fini(&doctor);
	doctor_fini(&doctor);
	return done();
}
