/* SPDX-License-Identifier: MIT */
#include "event/uprobe.h"

#include "messages.h"
#include "tap.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The function that is looked up in this program. */
int uprobe_target_function(int value);

__attribute__((noinline)) int uprobe_target_function(int value)
{
	__asm__ volatile("" : "+r"(value));
	return value * 3;
}

static char self[4096];
static struct uprobe_fault fault;

/* The function's offset in its file, by the kernel's mappings instead of the ELF file. */
static uint64_t offset_by_maps(uintptr_t address)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	uint64_t start, end, offset, found = 0;
	char line[4200];

	while (maps != NULL && fgets(line, sizeof(line), maps) != NULL) {
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64, &start, &end, &offset) ==
			    3 &&
		    address >= start && address < end)
			found = address - start + offset;
	}
	if (maps != NULL)
		fclose(maps);
	return found;
}

static void check_files(void)
{
	char *path;

	path = uprobe_file(self, &fault);
	is_str(path, self, "a whole path stays as it is");
	free(path);
	path = uprobe_file("sh", &fault);
	ok(path != NULL && path[0] == '/', "a bare name is looked for in PATH");
	free(path);
	ok(uprobe_file("/nonexistent/file", &fault) == NULL, "a file that is not there");
	ok(strncmp(fault.reason, "ENOENT: ", 8) == 0, "by its code");
	is_message(fault.reason, "uprobe: no such file");
	is_int(fault.part, UPROBE_FAULT_FILE, "of the file");
	ok(uprobe_file("no-program-has-this-name", &fault) == NULL, "not in PATH either");
	ok(uprobe_file("/tmp", &fault) == NULL, "a folder");
	is_message(fault.reason, "uprobe: a folder");
	ok(uprobe_file("", &fault) == NULL, "nothing");
}

#ifdef HAVE_LIBELF
static void check_symbols(void)
{
	uint64_t offset = 0;

	ok(uprobe_offset(self, "uprobe_target_function", &offset, &fault) == 0, "a function");
	is_u64(offset, offset_by_maps((uintptr_t)uprobe_target_function),
	       "is where it is mapped from");
	ok(uprobe_offset(self, "uprobe_target_functoin", &offset, &fault) == -1, "a typo");
	is_message(fault.reason, "uprobe: no such function");
	is_str(fault.nearest, "uprobe_target_function", "nearest");
	is_int(fault.part, UPROBE_FAULT_SYMBOL, "of the symbol");
	ok(uprobe_offset(self, "fgets", &offset, &fault) == -1,
	   "a function of a library is in the library");
	is_message(fault.reason, "uprobe: a library's function");
	ok(uprobe_offset(self, "self", &offset, &fault) == -1, "data is no function");
	ok(uprobe_offset(__FILE__, "main", &offset, &fault) == -1, "a text");
	is_message(fault.reason, "uprobe: a text");
	is_int(fault.part, UPROBE_FAULT_FILE, "of the file");
	ok(uprobe_offset("/nonexistent", "main", &offset, &fault) == -1, "no file");
}

static void check_stripped(void)
{
	char path[] = "/tmp/perftop-uprobe.XXXXXX", command[8300];
	uint64_t offset;
	int fd = mkstemp(path);

	snprintf(command, sizeof(command), "strip -s -o '%s' '%s' 2>/dev/null", path, self);
	if (fd < 0 || system(command) != 0) {
		skip(2, "strip(1) is not there or fails");
	} else {
		ok(uprobe_offset(path, "uprobe_target_function", &offset, &fault) == -1,
		   "a stripped file");
		is_message(fault.reason, "uprobe: a stripped file");
	}
	if (fd >= 0)
		close(fd);
	unlink(path);
}
#endif

int main(void)
{
	plan_lazy();

	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	if (len <= 0)
		bail("/proc/self/exe: %s", strerror(errno));
	is_int(uprobe_target_function(2), 6, "the target is in use");
	check_files();
#ifdef HAVE_LIBELF
	check_symbols();
	check_stripped();
#else
	uint64_t offset;
	ok(offset_by_maps(0) == 0 && uprobe_offset(self, "main", &offset, &fault) == -1,
	   "no symbols without libelf");
	is_message(fault.reason, "uprobe: without libelf");
#endif
	return done();
}
