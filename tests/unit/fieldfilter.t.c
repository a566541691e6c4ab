/* SPDX-License-Identifier: MIT */
#include "event/fieldfilter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "messages.h"
#include "tap.h"

/* As the kernel writes it, with the kinds of field that there are. */
static const char format[] =
	"name: made_up\n"
	"ID: 372\n"
	"format:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
	"\n"
	"\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
	"\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"
	"\tfield:unsigned long gfp_flags;\toffset:40;\tsize:8;\tsigned:0;\n"
	"\tfield:__data_loc char[] name;\toffset:48;\tsize:4;\tsigned:0;\n"
	"\tfield:__rel_loc char[] other;\toffset:52;\tsize:4;\tsigned:0;\n"
	"\tfield:__data_loc u64[] addrs;\toffset:56;\tsize:4;\tsigned:0;\n"
	"\tfield:__data_loc cpumask_t cpumask;\toffset:60;\tsize:4;\tsigned:0;\n"
	"\tfield:unsigned long args[6];\toffset:64;\tsize:48;\tsigned:0;\n"
	"\tfield:__u8 saddr[4];\toffset:112;\tsize:4;\tsigned:0;\n"
	"\tfield:const char * filename;\toffset:120;\tsize:8;\tsigned:0;\n"
	"\tfield:void * function;\toffset:128;\tsize:8;\tsigned:0;\n"
	"\tfield:broken\n"
	"\n"
	"print fmt: \"x=%s\", \"field:int no_field;\"\n";

static struct fields fields;

static void takes(const char *text)
{
	struct fieldfilter_fault fault;

	if (!ok(fieldfilter_check(text, &fields, &fault), "takes: %s", text))
		diag("column %zu, length %zu: %s", fault.column, fault.length, fault.reason);
}

/* `marks` is the fault as it is shown under the text: blanks, ^ and ~. */
static void refuses(const char *text, const char *marks)
{
	struct fieldfilter_fault fault;
	char got[128];

	if (!ok(!fieldfilter_check(text, &fields, &fault), "refuses: %s", text))
		return;
	snprintf(got, sizeof(got), "%*s^", (int)fault.column, "");
	for (size_t i = 1; i < fault.length && i < 60; i++)
		strcat(got, "~");
	is_str(got, marks, "there");
	is_message(fault.reason, "filter: %s", text);
}

static void unknown(const char *text, const char *marks, const char *nearest)
{
	struct fieldfilter_fault fault;

	refuses(text, marks);
	fieldfilter_check(text, &fields, &fault);
	is_str(fault.nearest, nearest, "and the nearest is '%s'", nearest);
	ok(fault.is_field_unknown, "and a list of the fields helps");
}

static void check_right_ones(void)
{
	takes("prev_pid == 1");
	takes("prev_pid==1");
	takes("  prev_pid\t!=  -1 \n");
	takes("prev_pid < 010");
	takes("prev_pid <= 0x1F");
	takes("prev_pid > 0");
	takes("prev_pid >= -0x5");
	takes("prev_pid & 1");
	takes("prev_pid&1&&prev_pid&2");
	takes("prev_pid == 99999999999");
	takes("gfp_flags == 0xffffffffffffffff");
	takes("common_pid == 1 || common_type == 1");
	takes("CPU == 1 && cpu != 0");
	takes("COMM == \"bash\" || comm ~ 'ba*'");
	takes("prev_comm == \"\"");
	takes("prev_comm != 'a b && ( c'");
	takes("prev_comm ~ \"*\"");
	takes("name == \"x\" && other == 'it is \"x\"'");
	takes("!prev_pid == 1");
	takes("!!(prev_pid == 1)");
	takes("! ( prev_pid == 1 )");
	takes("((prev_pid == 1) || !(prev_pid == 2 && CPU == 0)) && cpu != 1");
	takes("CPU & CPUS{0-1}");
	takes("prev_pid == CPUS{0}");
	takes("cpumask & CPUS{0,2-3}");
	takes("cpumask == 1");
	takes("saddr == 0x100007f");
	takes("filename.ustring ~ \"*x\"");
	takes("prev_comm.ustring == \"x\"");
	takes("function.function == do_exit");
	takes("(function.function != do_exit ) && prev_pid == 1");
	takes("function == 0xffffffff81000000");
}

static void check_names(void)
{
	unknown("prev_pidd == 1", "^~~~~~~~~", "prev_pid");
	unknown("prev_pid == 1 && prve_comm == \"a\"", "                 ^~~~~~~~~", "prev_comm");
	unknown("pid == 1", "^~~", "common_pid");
	unknown("zzzzz == 1", "^~~~~", "");
	unknown("no_field == 1", "^~~~~~~~", "");
	unknown("(broken > 1)", " ^~~~~~", "");
	refuses("1 == prev_pid", "^");
	refuses("\"a\" == prev_comm", "^");
	refuses("prev_pid == 1 && + == 1", "                 ^");
	refuses("args == 1", "^~~~");
	refuses("addrs == 1", "^~~~~");
	refuses("prev_comm.string == \"a\"", "         ^~~~~~~");
	refuses("prev_pid.ustring == \"a\"", "        ^~~~~~~~");
}

static void check_operators(void)
{
	refuses("prev_pid", "^~~~~~~~");
	refuses("prev_comm && CPU == 1", "^~~~~~~~~");
	refuses("(prev_pid)", " ^~~~~~~~");
	refuses("prev_pid || CPU == 1", "^~~~~~~~");
	refuses("prev_pid = 1", "         ^");
	refuses("prev_pid ! = 1", "         ^");
	refuses("prev_pid + 1 == 2", "         ^");
	refuses("prev_pid is 1", "         ^~");
	refuses("prev_comm !~ \"a\"", "          ^~");
	refuses("prev_comm < \"a\"", "          ^");
	refuses("prev_comm >= \"a\"", "          ^~");
	refuses("prev_comm & \"a\"", "          ^");
	refuses("prev_pid ~ 5", "         ^");
	refuses("filename ~ \"*x\"", "^~~~~~~~");
	refuses("filename == 0", "^~~~~~~~");
	refuses("function.function < do_exit", "                  ^");
	refuses("CPU < CPUS{0}", "    ^");
	refuses("prev_pid ==", "         ^~");
	refuses("prev_pid == && CPU == 1", "         ^~");
	refuses("(prev_pid >)", "          ^");
}

static void check_values(void)
{
	refuses("prev_comm == bash", "             ^~~~");
	refuses("prev_comm == 5", "             ^");
	refuses("COMM ~ ba*", "       ^~~");
	refuses("prev_comm == \"bash", "             ^~~~~");
	refuses("prev_comm == \"bash' && CPU == 1", "             ^~~~~~~");
	refuses("prev_pid == \"5\"", "            ^~~");
	refuses("prev_pid == five", "            ^~~~");
	refuses("prev_pid == 5k", "            ^~");
	refuses("prev_pid == 09", "            ^~");
	refuses("prev_pid == 1.5", "            ^~~");
	refuses("prev_pid == +5", "            ^~");
	refuses("prev_pid == --5", "            ^~~");
	refuses("prev_pid == -", "            ^");
	refuses("gfp_flags == -", "             ^");
	refuses("gfp_flags == -1", "             ^~");
	refuses("prev_pid == 0x00000000000000000000001", "            ^~~~~~~~~~~~~~~~~~~~~~~~~");
	refuses("prev_pid == 99999999999999999999", "            ^~~~~~~~~~~~~~~~~~~~");
	refuses("prev_pid == prev_state", "            ^~~~~~~~~~");
	refuses("CPU & CPUS{0-", "      ^~~~~~~");
	refuses("CPU & CPUS{}", "      ^~~~~~");
	refuses("CPU & CPUS{zz} && CPU == 1", "      ^~~~~~~~");
	refuses("(function.function == do_exit)", "                             ^");
}

static void check_structure(void)
{
	refuses("", "^");
	refuses("  ", "^");
	refuses("()", " ^");
	refuses("(", "^");
	refuses("!", "^");
	refuses("prev_pid == 1 &&", "              ^~");
	refuses("prev_pid == 1 || ", "              ^~");
	refuses("(prev_pid == 1 &&)", "                 ^");
	refuses("&& prev_pid == 1", "^~");
	refuses("prev_pid == 1 || || CPU == 1", "                 ^~");
	refuses("prev_pid == 1)", "             ^");
	refuses("(prev_pid == 1) && CPU == 1)", "                           ^");
	refuses("(prev_pid == 1", "^");
	refuses("(CPU == 1 && (prev_pid == 1)", "^");
	refuses("((CPU == 1) && (prev_pid == 1", "               ^");
	refuses("prev_pid == 1 CPU == 1", "              ^~~");
	refuses("prev_pid == 1 & CPU == 2", "              ^");
	refuses("prev_pid == 1 and CPU == 2", "              ^~~");
	refuses("prev_pid == 1; CPU == 2", "            ^~");
	refuses("prev_comm == \"a\\\"b\"", "                 ^");
}

/* The longest that the kernel takes, one byte more, and the deepest nesting that fits. */
static void check_limits(void)
{
	struct fieldfilter_fault fault;
	char text[FIELDFILTER_MAX + 2];

	memset(text, ' ', sizeof(text));
	memcpy(text, "CPU == 1", 8);
	text[FIELDFILTER_MAX] = '\0';
	ok(fieldfilter_check(text, &fields, &fault), "takes 4095 bytes");
	text[FIELDFILTER_MAX] = ' ';
	text[FIELDFILTER_MAX + 1] = '\0';
	ok(!fieldfilter_check(text, &fields, &fault), "refuses 4096 bytes");
	is_u64(fault.column, FIELDFILTER_MAX, "at the first that is too many");

	memset(text, '(', FIELDFILTER_MAX);
	text[FIELDFILTER_MAX] = '\0';
	ok(!fieldfilter_check(text, &fields, &fault), "refuses 4095 open parentheses");
	is_u64(fault.column, FIELDFILTER_MAX - 1, "at the last one");

	snprintf(text, sizeof(text), "COMM == \"%0255d\"", 0);
	ok(fieldfilter_check(text, &fields, &fault), "takes a text of 255 bytes");
	snprintf(text, sizeof(text), "COMM == \"%0256d\"", 0);
	ok(!fieldfilter_check(text, &fields, &fault), "refuses a text of 256 bytes");
	is_u64(fault.column, 8, "where it begins");
}

static void check_fields(void)
{
	struct fields probe, own;
	struct strbuf text;

	strbuf_init(&text);
	fields_print(&fields, &text);
	is_str(text.text,
	       "prev_comm (string), prev_pid, prev_state, gfp_flags, name (string), other (string), "
	       "cpumask (CPUs), saddr, filename.ustring (string), function, common_type, "
	       "common_flags, common_preempt_count, common_pid, CPU, cpu, COMM (string), "
	       "comm (string)",
	       "the fields as a list, the event's own first, without arrays");
	strbuf_clear(&text);
	fields_of_probe(&probe);
	fields_print(&probe, &text);
	is_str(text.text,
	       "common_type, common_flags, common_preempt_count, common_pid, CPU, cpu, "
	       "COMM (string), comm (string)",
	       "a probe has the common ones");
	fields_fini(&probe);
	strbuf_fini(&text);

	fields_parse(&own,
		     "\tfield:int comm;\toffset:8;\tsize:4;\tsigned:1;\n"
		     "\tfield:const char * name;\toffset:8;\tsize:8;\tsigned:0;\n"
		     "field:\nfield:;\nfield:int ;\nfield:x[3];\nfield:char y]; field",
		     false);
	const struct field *comm = fields_find(&own, "comm", 4);
	ok(comm != NULL && comm->type == FIELD_NUMBER && comm->is_signed,
	   "the event's own comm hides the common one");
	ok(fields_find(&own, "name", 4)->type == FIELD_STRING,
	   "a pointer of the kernel's is a text");
	is_u64(own.count, 5, "broken lines are passed over");
	fields_fini(&own);
}

static void check_join(void)
{
	char *one = fieldfilter_join(NULL, "a == 1 || b == 2");
	char *two = fieldfilter_join(one, "c == 3");
	char *three = fieldfilter_join(two, "f.function == g");

	is_str(one, "a == 1 || b == 2", "one filter stays as it is");
	is_str(two, "(a == 1 || b == 2) && (c == 3)", "two are and-ed");
	is_str(three, "((a == 1 || b == 2) && (c == 3) ) && (f.function == g )",
	       "a function's name is followed by a blank");
	free(one);
	free(two);
	free(three);
}

int main(void)
{
	plan_lazy();
	fields_parse(&fields, format, true);
	check_right_ones();
	check_names();
	check_operators();
	check_values();
	check_structure();
	check_limits();
	check_fields();
	check_join();
	fields_fini(&fields);
	return done();
}
