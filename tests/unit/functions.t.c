/* SPDX-License-Identifier: MIT */
/* The functions of an ELF file: of this program, of damaged copies of it, of files that are none. */
#include "decode/functions.h"

#include "own-code.h"
#include "tap.h"

#include <elf.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#ifdef HAVE_LIBELF

int own_one(int value);
int own_two(int value);
extern int own_alias(int value);
OWN_FUNCTION(own_one)
static OWN_FUNCTION(own_local) OWN_FUNCTION(own_two) extern int own_alias(int value)
	__attribute__((weak, alias("own_two")));

static int by_offset(const void *a, const void *b)
{
	const uint64_t *left = a, *right = b;

	return *left < *right ? -1 : *left > *right;
}

static const char *name_at(struct functions *functions, uint64_t offset)
{
	const char *name = NULL;

	if (!functions_find(functions, offset, &name))
		return "(not read)";
	return name != NULL ? name : "(none)";
}

static void check_own(void)
{
	struct functions *functions = functions_new();
	uint64_t one = own_offset((void *)own_one), two = own_offset((void *)own_two);
	uint64_t local = own_offset((void *)own_local);
	uint64_t offsets[] = { 1, one, one + 9, two + 5, local + 5, 1ull << 60 };
	int fd = own_file();

	qsort(offsets, 6, sizeof(offsets[0]), by_offset);
	is_str(name_at(functions, one), "(not read)", "nothing is known before it is read");
	size_t before = functions_bytes(functions);
	functions_read(functions, fd, -1, offsets, 6);
	is_str(name_at(functions, one), "own_one", "the first byte of a function");
	is_str(name_at(functions, one + 9), "own_one", "one inside of it");
	is_str(name_at(functions, one + 1), "own_one", "all of it was read at once");
	is_str(name_at(functions, two + 5), "own_two", "of an alias the global name, not the weak");
	is_str(name_at(functions, local + 5), "own_local", "a static function");
	is_str(name_at(functions, 1), "(none)", "no function is in the file's head");
	is_str(name_at(functions, 1ull << 60), "(none)", "nor behind its end");
	is_str(name_at(functions, 2), "(not read)", "what was not asked for is not known");
	ok(functions_bytes(functions) > before, "its memory is known");

	functions_read(functions, fd, -1, offsets, 6);
	is_str(name_at(functions, one), "own_one", "read again it is the same");
	close(fd);
	functions_free(functions);
	functions_free(NULL);
}

/* Boundaries: each function alone, asked for at its first and at its last byte. */
static void check_ends(void)
{
	uint64_t one = own_offset((void *)own_one);
	struct functions *functions = functions_new();
	int fd = own_file();
	uint64_t end = one;

	for (size_t i = 0; i < 4096; i++) {
		uint64_t offset = one + i;

		functions_read(functions, fd, -1, &offset, 1);
		if (strcmp(name_at(functions, offset), "own_one") != 0)
			break;
		end = offset + 1;
	}
	ok(end > one + 9 && end < one + 4096, "a function ends where its symbol says: %llu bytes",
	   (unsigned long long)(end - one));

	struct functions *other = functions_new();
	uint64_t last = end - 1;
	functions_read(other, fd, -1, &last, 1);
	is_str(name_at(other, one), "own_one", "asked for at its last byte, its first is known");
	ok(strcmp(name_at(other, end), "own_one") != 0, "and the byte behind it is not of it");
	uint64_t before = one - 1;
	functions_read(other, fd, -1, &before, 1);
	ok(strcmp(name_at(other, before), "own_one") != 0, "nor the one before it");
	close(fd);
	functions_free(functions);
	functions_free(other);
}

static void read_nothing(int fd, const char *what)
{
	struct functions *functions = functions_new();
	uint64_t offset = own_offset((void *)own_one);

	functions_read(functions, fd, -1, &offset, 1);
	is_str(name_at(functions, offset), "(none)", "no function: %s", what);
	is_u64(functions_build_id(fd).size, 0, "and no build-id");
	functions_free(functions);
}

static int copy_file(void)
{
	int fd = memfd_create("copy", MFD_CLOEXEC);

	own_copy(fd);
	return fd;
}

/* The count of sections is where the header has no room for more: in the first section. */
static void count_elsewhere(int fd)
{
	ElfW(Ehdr) head = own_head(fd);
	ElfW(Shdr) first = { .sh_size = head.e_shnum };

	head.e_shnum = 0;
	if (pwrite(fd, &head, sizeof(head), 0) != sizeof(head) ||
	    pwrite(fd, &first, sizeof(first), (off_t)head.e_shoff) != sizeof(first))
		bail("write");
}

static void check_others(void)
{
	int text = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
	int empty = memfd_create("empty", MFD_CLOEXEC), foreign = copy_file(), many = copy_file();
	unsigned char big = ELFDATA2MSB;

	read_nothing(-1, "no file");
	read_nothing(text, "a text");
	read_nothing(empty, "an empty file");
	if (pwrite(foreign, &big, 1, EI_DATA) != 1)
		bail("write");
	count_elsewhere(many);
	read_nothing(foreign, "of another byte order");
	read_nothing(many, "with more sections than its header can say");
	close(text);
	close(empty);
	close(foreign);
	close(many);
}

/* With its .symtab in another file. */
static void check_debug(void)
{
	int stripped = copy_file(), fd = own_file();
	struct functions *functions = functions_new();
	uint64_t local = own_offset((void *)own_local);

	own_strip(stripped);
	functions_read(functions, stripped, -1, &local, 1);
	is_str(name_at(functions, local), "(none)", "a stripped file has no static functions");
	functions_free(functions);
	functions = functions_new();
	functions_read(functions, stripped, fd, &local, 1);
	is_str(name_at(functions, local), "own_local", "its debug file has");
	functions_free(functions);
	close(fd);
	close(stripped);
}

/* Damage anywhere: whatever comes out, nothing beyond the file is read (SAN=address shows it). */
static void check_damage(void)
{
	uint64_t one = own_offset((void *)own_one);
	struct stat status;
	int fd = copy_file();
	size_t answered = 0;

	srandom(1);
	fstat(fd, &status);
	ElfW(Ehdr) head = own_head(fd);
	for (int i = 0; i < 2000; i++) {
		struct functions *functions = functions_new();
		unsigned char old, new = (unsigned char)random();
		uint64_t offsets[] = { one, one + 8 };
		/* The headers, of sections too, are where damage matters. */
		off_t at = i % 2 == 0 ? random() % 1024 :
					(off_t)head.e_shoff + random() % (head.e_shnum *
									  (long)sizeof(ElfW(Shdr)));

		if (pread(fd, &old, 1, at) != 1 || pwrite(fd, &new, 1, at) != 1)
			bail("write");
		functions_build_id(fd);
		functions_read(functions, fd, fd, offsets, 2);
		answered += strcmp(name_at(functions, one), "own_one") == 0;
		functions_free(functions);
		if (pwrite(fd, &old, 1, at) != 1)
			bail("write");
	}
	ok(answered > 500 && answered < 2000, "2000 damaged files: %zu still have the symbol",
	   answered);
	answered = 0;
	for (int i = 0; i < 64; i++) {
		struct functions *functions = functions_new();
		const char *name;

		if (ftruncate(fd, status.st_size * (63 - i) / 64) != 0)
			bail("truncate");
		functions_read(functions, fd, -1, &one, 1);
		answered += functions_find(functions, one, &name);
		functions_free(functions);
	}
	is_u64(answered, 64, "a file that ends early answers, too");
	close(fd);
}

#endif

int main(void)
{
	plan_lazy();
#ifdef HAVE_LIBELF
	check_own();
	check_ends();
	check_others();
	check_debug();
	check_damage();
#else
	struct functions *functions = functions_new();
	uint64_t offset = own_offset((void *)main);
	const char *name = "";
	int fd = own_file();

	functions_read(functions, fd, -1, &offset, 1);
	ok(functions_find(functions, offset, &name) && name == NULL, "no names without libelf");
	is_u64(functions_build_id(fd).size, 0, "no build-id without libelf");
	close(fd);
	functions_free(functions);
#endif
	return done();
}
