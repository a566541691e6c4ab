/* SPDX-License-Identifier: MIT */
/* Kernel symbols for a recorded file: of the kernel that was recorded only, wherever it is now. */
#include "source/file-symbols.h"

#include "made-perfdata.h"
#include "source/kernel-id.h"
#include "tap.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define TEXT 0xffffffff90000000u /* where the kernel was */

/* Its symbols, `by` further. */
#define SYMBOLS(by)                           \
	"ffffffff9" by "00000 T _text\n"      \
	"ffffffff9" by "00100 t helper\n"     \
	"ffffffff9" by "00200 T _etext\n"     \
	"ffffffffc0002000 t load\t[module]\n" \
	"ffffffffc0001000 t prog\t[bpf]\n"

static const char there[] = SYMBOLS("00");
static const char elsewhere[] = SYMBOLS("10");
static const char hidden[] = "0000000000000000 T _text\n";

#define OURS                                         \
	{                                            \
		"one kernel's id.....", BUILD_ID_MAX \
	}
#define ANOTHER                                      \
	{                                            \
		"another kernel's id.", BUILD_ID_MAX \
	}
#define UNKNOWN           \
	{                 \
		.size = 0 \
	}

static int memory_with(const void *bytes, size_t len)
{
	int fd = memfd_create("file", MFD_CLOEXEC);

	if (fd < 0 || write(fd, bytes, len) != (ssize_t)len || lseek(fd, 0, SEEK_SET) != 0)
		bail("memfd: %s", strerror(errno));
	return fd;
}

/* --- a file ----------------------------------------------------------------------------------- */

struct recorded {
	struct build_id id;
	uint64_t text; /* 0: it does not say */
};

static struct perfdata *record(const struct recorded *recorded)
{
	char path[] = "/tmp/file_symbols.XXXXXX";
	const struct perfdata_writer_origin origin = made_origin();
	const struct perf_event_attr attr = made_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	const uint64_t id = 5;
	int fd = mkstemp(path);
	struct perfdata_writer *writer = fd >= 0 ? perfdata_writer_open(path, &origin) : NULL;
	char *error = NULL;

	if (writer == NULL)
		bail("%s: %s", path, strerror(errno));
	perfdata_writer_kernel_id(writer, &recorded->id);
	perfdata_writer_event(writer, 0, &attr, "clock", &id, 1);
	if (perfdata_writer_begin(writer) != 0 || made_samples(writer, id, 1, 1, 1) != 0 ||
	    (recorded->text != 0 && perfdata_writer_kernel(writer, recorded->text) != 0) ||
	    perfdata_writer_close(writer) != 0)
		bail("%s: %s", path, strerror(errno));
	struct perfdata *data = perfdata_open(&fd, 1, NULL, &error);
	if (data == NULL)
		bail("%s: %s", path, error);
	unlink(path);
	return data; /* its fd is left open */
}

static void read_records(struct perfdata *data, struct file_symbols *symbols)
{
	const struct perf_event_header *header;
	struct record_layout layout;
	struct record record;

	record_layout_from_attr(&perfdata_event(data, 0)->attr, &layout);
	while (perfdata_next(data, 0, &header) == 1) {
		if (record_decode(header, &layout, &record))
			file_symbols_map(symbols, &record);
	}
}

/* --- look-ups --------------------------------------------------------------------------------- */

struct case_of {
	const char *what;
	struct recorded recorded;
	const char *release, *kallsyms;
	struct build_id running;
	enum { NOTHING, KERNEL, MODULES } named; /* MODULES: the kernel, too */
	const char *note;			 /* a word of it, or NULL */
};

static void is_symbol(struct file_symbols *symbols, uint64_t address, const char *want,
		      const char *of, const char *what)
{
	const char *module = NULL, *name = file_symbols_find(symbols, address, &module);
	char got[64];

	if (name != NULL)
		snprintf(got, sizeof(got), "%s %s", name, module);
	is_str(name != NULL ? got : NULL, want, "%s: %s", what, of);
}

static void check_case(const struct case_of *one)
{
	struct perfdata *data = record(&one->recorded);
	int fd = memory_with(one->kallsyms, strlen(one->kallsyms));
	const struct running_kernel kernel = { fd, one->release, one->running };
	struct file_symbols *symbols = file_symbols_new(data, &kernel);

	read_records(data, symbols);
	is_symbol(symbols, TEXT + 0x180, one->named >= KERNEL ? "helper [kernel]" : NULL,
		  "the kernel's code", one->what);
	is_symbol(symbols, 0xffffffffc0002010, one->named == MODULES ? "load [module]" : NULL,
		  "a module's", one->what);
	is_symbol(symbols, 0xffffffffc0001010, NULL, "a BPF program's", one->what);
	const char *note = file_symbols_note(symbols);
	ok((note != NULL) == (one->note != NULL) &&
		   (note == NULL || strstr(note, one->note) != NULL),
	   "%s: %s", one->what, one->note != NULL ? "a note says why" : "no note");
	ok(file_symbols_note(symbols) == NULL, "%s: once", one->what);
	file_symbols_free(symbols);
	perfdata_free(data);
	close(fd);
}

static void check_cases(void)
{
	static const struct case_of cases[] = {
		{ "same boot", { OURS, TEXT }, "6.1", there, OURS, MODULES, NULL },
		{ "after a reboot", { OURS, TEXT }, "6.1", elsewhere, OURS, KERNEL, NULL },
		{ "another kernel", { OURS, TEXT }, "6.1", there, ANOTHER, NOTHING, "another" },
		{ "one without id", { OURS, TEXT }, "6.1", there, UNKNOWN, NOTHING, "another" },
		{ "no id, same boot", { UNKNOWN, TEXT }, "6.1", there, OURS, MODULES, NULL },
		{ "no id, other release", { UNKNOWN, TEXT }, "6.2", there, OURS, NOTHING, "another" },
		{ "no id, elsewhere", { UNKNOWN, TEXT }, "6.1", elsewhere, OURS, NOTHING, "another" },
		{ "no place", { OURS, 0 }, "6.1", there, OURS, NOTHING, "where" },
		{ "hidden", { OURS, TEXT }, "6.1", hidden, OURS, NOTHING, "hidden" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_case(&cases[i]);
}

static void check_none(void)
{
	const struct recorded recorded = { OURS, TEXT };
	struct perfdata *data = record(&recorded);
	struct file_symbols *symbols = file_symbols_new(data, NULL);

	read_records(data, symbols);
	is_symbol(symbols, TEXT, NULL, "no symbol", "without a kernel");
	ok(file_symbols_note(symbols) == NULL, "without a kernel: no note");
	file_symbols_free(symbols);
	file_symbols_free(NULL);
	perfdata_free(data);
}

/* --- the running kernel's id ------------------------------------------------------------------ */

static struct build_id id_in(const void *notes, size_t len)
{
	char path[32];
	int fd = memory_with(notes, len);

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	struct build_id id = kernel_id(path);
	close(fd);
	return id;
}

static void check_id(void)
{
	static const struct {
		uint32_t words[3];
		char name[8];
		char text[8];
		uint32_t id_words[3];
		char id_name[4];
		char id[BUILD_ID_MAX];
	} notes = { { 6, 5, 1 }, "Linux", "text", { 4, 20, 3 }, "GNU", "one kernel's id....." };
	const struct build_id ours = OURS;
	struct build_id id = id_in(&notes, sizeof(notes));

	ok(build_id_is_same(&id, &ours), "behind another note, both padded");
	is_u64(id_in(&notes, sizeof(notes) - 1).size, 0, "of notes that end early, none");
	is_u64(id_in("", 0).size, 0, "of none, none");
	is_u64(kernel_id("/nonexistent").size, 0, "without the file, none");
}

int main(void)
{
	plan_lazy();
	check_cases();
	check_none();
	check_id();
	return done();
}
