/* SPDX-License-Identifier: MIT */
#include "decode/format.h"

#include "base/sys.h"
#include "tap.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* tests/data/NAME.format: of Linux 6.18, as tracefs has them. */
#define SWITCH_ID    372
#define SWITCH_BYTES 64

static struct formats *formats;

static uint64_t learn(const char *system, const char *name)
{
	char path[128];
	size_t len;
	unsigned int id = 0;

	snprintf(path, sizeof(path), "tests/data/%s.format", name);
	char *text = sys_slurp(path, 65536, &len);
	if (text == NULL)
		bail("no %s", path);
	if (sscanf(strstr(text, "ID: "), "ID: %u", &id) != 1)
		bail("no ID in %s", path);
	formats_add(formats, system, text, len);
	free(text);
	return id;
}

/* At the end of a page before an unreadable one: a read one byte too far ends the test. */
static unsigned char *copy_at_end(const void *raw, size_t size)
{
	static unsigned char *pages;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	if (pages == NULL) {
		pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			     -1, 0);
		if (pages == MAP_FAILED || mprotect(pages + page, page, PROT_NONE) != 0)
			bail("no page without rights: %s", strerror(errno));
	}
	return memcpy(pages + page - size, raw, size);
}

/* NULL when it is refused. */
static char *print(uint64_t id, const void *raw, size_t size)
{
	const unsigned char *copy = copy_at_end(raw, size);
	struct strbuf out;

	strbuf_init(&out);
	strbuf_puts(&out, ">");
	bool has_text = formats_print(formats, id, 0, copy, size, &out);
	if (!has_text) {
		if (strcmp(out.text, ">") != 0)
			ok(false, "a refused sample appended '%s'", out.text);
		strbuf_fini(&out);
		return NULL;
	}
	char *text = strbuf_take(&out);
	strbuf_fini(&out);
	return text;
}

static void prints(uint64_t id, const void *raw, size_t size, const char *want, const char *what)
{
	char *got = print(id, raw, size);

	is_str(got, want, "%s", what);
	free(got);
}

/* --- sched_switch: fixed fields, a print format with flags ------------------------------------ */

struct sched_switch {
	uint16_t type;
	uint8_t flags, preempt_count;
	int32_t common_pid;
	char prev_comm[16];
	int32_t prev_pid, prev_prio;
	int64_t prev_state;
	char next_comm[16];
	int32_t next_pid, next_prio;
	uint32_t padding;
};

static void check_switch(void)
{
	struct sched_switch raw = { .type = SWITCH_ID,
				    .common_pid = 41,
				    .prev_comm = "golden",
				    .prev_pid = 41,
				    .prev_prio = 120,
				    .prev_state = 1,
				    .next_comm = "swapper/0",
				    .next_prio = 120 };
	unsigned int printed = 0;

	ok(!formats_knows(formats, SWITCH_ID), "a format that was not added");
	ok(print(SWITCH_ID, &raw, sizeof(raw)) == NULL, "prints nothing");
	is_u64(learn("sched", "sched_switch"), SWITCH_ID, "sched_switch is added");
	ok(formats_knows(formats, SWITCH_ID), "and known");
	ok(!formats_knows(formats, SWITCH_ID + 1), "its neighbour is not");
	is_u64(formats_offset(formats, SWITCH_ID, "prev_pid", 4),
	       offsetof(struct sched_switch, prev_pid), "where a field is");
	is_u64(formats_offset(formats, SWITCH_ID, "prev_pid", 8), 0, "of another size: nowhere");
	is_u64(formats_offset(formats, SWITCH_ID, "pid", 4), 0, "one that is not there");
	is_u64(formats_offset(formats, SWITCH_ID + 1, "prev_pid", 4), 0, "nor of no format");
	prints(SWITCH_ID, &raw, sizeof(raw),
	       ">prev_comm=golden prev_pid=41 prev_prio=120 prev_state=S ==> next_comm=swapper/0 "
	       "next_pid=0 next_prio=120",
	       "as the kernel's print format has it");
	raw.prev_state = 0;
	memset(raw.prev_comm, 'x', sizeof(raw.prev_comm));
	prints(SWITCH_ID, &raw, SWITCH_BYTES,
	       ">prev_comm=xxxxxxxxxxxxxxxx prev_pid=41 prev_prio=120 prev_state=R ==> "
	       "next_comm=swapper/0 next_pid=0 next_prio=120",
	       "a name without its NUL ends with its field");

	for (size_t size = 0; size < SWITCH_BYTES; size++)
		printed += print(SWITCH_ID, &raw, size) != NULL;
	is_u64(printed, 0, "shorter samples are refused, at every length");
}

/* --- sched_process_exec: a string of its own length ------------------------------------------- */

/* The bytes of an exec of `file` whose __data_loc says `offset` and `len`. */
static size_t make_exec(unsigned char *raw, uint16_t id, const char *file, size_t file_len,
			uint32_t offset, uint32_t len)
{
	uint32_t word = len << 16 | offset;
	int32_t pid = 7, old_pid = 8;

	memset(raw, 0, 20);
	memcpy(raw, &id, sizeof(id));
	memcpy(raw + 8, &word, sizeof(word));
	memcpy(raw + 12, &pid, sizeof(pid));
	memcpy(raw + 16, &old_pid, sizeof(old_pid));
	memcpy(raw + 20, file, file_len);
	return 20 + file_len;
}

static void check_exec(void)
{
	uint16_t id = (uint16_t)learn("sched", "sched_process_exec");
	unsigned char raw[256];
	size_t size = make_exec(raw, id, "/bin/true", 10, 20, 10);
	unsigned int printed = 0;

	prints(id, raw, size, ">filename=/bin/true pid=7 old_pid=8",
	       "a string behind a __data_loc");
	for (size_t cut = 0; cut < size; cut++)
		printed += print(id, raw, cut) != NULL;
	is_u64(printed, 0, "refused at every length");

	static const struct {
		uint32_t offset, len;
	} outside[] = { { 20, 11 },   { 21, 10 },   { 30, 1 },	      { 31, 0 }, { 65535, 0 },
			{ 65535, 1 }, { 0, 65535 }, { 65535, 65535 }, { 29, 2 }, { 1000, 10 } };
	for (size_t i = 0; i < sizeof(outside) / sizeof(outside[0]); i++) {
		size = make_exec(raw, id, "/bin/true", 10, outside[i].offset, outside[i].len);
		char *text = print(id, raw, size);
		ok(text == NULL, "%u bytes at %u of %zu are outside", outside[i].len,
		   outside[i].offset, size);
		free(text);
	}
}

/* The kernel ends its strings with a NUL; a string without one must not be read beyond its end. */
static void check_unterminated(void)
{
	uint16_t id = (uint16_t)learn("sched", "sched_process_exec");
	unsigned char raw[256];

	prints(id, raw, make_exec(raw, id, "/bin/true", 9, 20, 9),
	       ">filename=/bin/true pid=7 old_pid=8", "a string without an end");
	prints(id, raw, make_exec(raw, id, "", 0, 20, 0), ">filename= pid=7 old_pid=8",
	       "one without a byte");
}

/* --- invalid formats -------------------------------------------------------------------------- */

static void check_nonsense(void)
{
	static const char *const texts[] = {
		"",
		"name: x\n",
		"name: x\nID: 70000\n",
		"garbage\n\n\n",
		"name: x\nID: 70001\nformat:\n\tfield:int a;\toffset:0;\tsize:4;\tsigned:1;\n",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		formats_add(formats, "odd", texts[i], strlen(texts[i]));
	}
	for (uint64_t id = 70000; id <= 70001; id++) {
		char *text = print(id, "12345678", 8);

		is_str(text != NULL ? text : ">", ">", "a text that is no format prints nothing");
		free(text);
	}
	ok(!formats_knows(formats, 0), "and adds no event");
}

/* A print format that libtraceevent cannot parse: the fields are shown. */
static void check_fields_only(void)
{
	static const char text[] =
		"name: odd_one\nID: 4242\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		"\n"
		"\tfield:int answer;\toffset:4;\tsize:4;\tsigned:1;\n"
		"\n"
		"print fmt: \"%d\", some_function(REC->answer, ({ int x; x; }))\n";
	int32_t raw[2] = { 4242, 42 };

	formats_add(formats, "odd", text, strlen(text));
	ok(formats_knows(formats, 4242), "a print format beyond libtraceevent");
	char *got = print(4242, raw, sizeof(raw));
	ok(got != NULL && strstr(got, "answer=42") != NULL, "leaves the fields: %s",
	   got != NULL ? got : "none");
	free(got);
	ok(print(4242, raw, 7) == NULL, "and their bounds are checked");
}

int main(void)
{
	plan_lazy();
	formats = formats_new();
	check_switch();
	check_exec();
	check_unterminated();
	check_nonsense();
	check_fields_only();
	formats_free(formats);
	formats_free(NULL);
	return done();
}
