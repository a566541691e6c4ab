/* SPDX-License-Identifier: MIT */
#include "decode/kallsyms.h"

#include "tap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct kallsyms *load(const char *text)
{
	FILE *file = fmemopen((void *)text, strlen(text), "r");

	if (file == NULL)
		bail("no fmemopen");
	errno = 0;
	struct kallsyms *symbols = kallsyms_load(file);
	int error = errno;
	fclose(file);
	errno = error;
	return symbols;
}

/* `want`: "name+offset module", or NULL. */
static void finds(const struct kallsyms *symbols, uint64_t address, const char *want)
{
	const char *module = NULL;
	uint64_t offset = 0;
	char got[128];

	const char *name = kallsyms_find(symbols, address, &module, &offset);
	if (name != NULL)
		snprintf(got, sizeof(got), "%s+%llu %s", name, (unsigned long long)offset, module);
	is_str(name != NULL ? got : NULL, want, "0x%llx", (unsigned long long)address);
}

/* Unsorted, as modules make it; with data, aliases, per-CPU zeros, and invalid lines. */
static const char kernel[] = "0000000000000000 A fixed_percpu_data\n"
			     "ffffffff81000300 T third\n"
			     "ffffffff81000100 T _text\n"
			     "ffffffff81000100 T _stext\n"
			     "ffffffff81000100 t aaa_alias\n"
			     "ffffffff81000200 W weak_one\n"
			     "ffffffff81000280 D some_data\n"
			     "ffffffff81000290 B some_bss\n"
			     "ffffffff82000000 R rodata\n"
			     "\n"
			     "nonsense\n"
			     "ffffffff81000400\n"
			     "ffffffff81000400 T\n"
			     "ffffffffc0002000 t second_mod\t[two]\n"
			     "ffffffffc0001000 t mod_init\t[one]\n"
			     "ffffffffc0001100 t mod_exit\t[one]\n"
			     "ffffffffc0003000 t bpf_prog_1\t[bpf]\n"
			     "ffffffffc0001200 w mod_weak\t[one]";

static void check_kernel(void)
{
	struct kallsyms *symbols = load(kernel);

	if (!ok(symbols != NULL, "a kernel with two modules loads"))
		return;
	is_u64(kallsyms_count(symbols), 10, "code only");
	finds(symbols, 0, NULL);
	finds(symbols, 0xffffffff810000ff, NULL);
	finds(symbols, 0xffffffff81000100, "_text+0 [kernel]");
	finds(symbols, 0xffffffff810001ff, "_text+255 [kernel]");
	finds(symbols, 0xffffffff81000200, "weak_one+0 [kernel]");
	finds(symbols, 0xffffffff81000281, "weak_one+129 [kernel]");
	finds(symbols, 0xffffffff81000300, "third+0 [kernel]");
	finds(symbols, 0xffffffffc0000fff, "third+1056967935 [kernel]");
	finds(symbols, 0xffffffffc0001000, "mod_init+0 [one]");
	finds(symbols, 0xffffffffc0001104, "mod_exit+4 [one]");
	finds(symbols, 0xffffffffc0001200, "mod_weak+0 [one]");
	finds(symbols, 0xffffffffc0002000, "second_mod+0 [two]");
	finds(symbols, 0xffffffffc0003001, "bpf_prog_1+1 [bpf]");
	finds(symbols, UINT64_MAX, "bpf_prog_1+1073729535 [bpf]");

	uint64_t address = 0;
	ok(kallsyms_address(symbols, "_stext", &address) && address == 0xffffffff81000100,
	   "the address of a symbol");
	ok(!kallsyms_address(symbols, "mod_init", &address), "a module's is not looked for");
	ok(!kallsyms_address(symbols, "some_data", &address), "nor data");
	kallsyms_free(symbols);
}

static void check_hidden(const char *text, const char *what)
{
	struct kallsyms *symbols = load(text);

	ok(symbols == NULL && errno == EACCES, "%s: EACCES", what);
	kallsyms_free(symbols);
}

/* Very many, in descending order, so that tables grow and must be sorted. */
static void check_many(void)
{
	enum { MANY = 100000 };
	char *text = malloc(MANY * 40 + 1), *at = text;
	unsigned int bad = 0;

	for (unsigned int i = MANY; i > 0; i--)
		at += sprintf(at, "%016llx t name_%u\n", 0x1000ull + i * 16, i);
	struct kallsyms *symbols = load(text);
	is_u64(kallsyms_count(symbols), MANY, "%d symbols", MANY);
	for (unsigned int i = 1; i <= MANY; i++) {
		const char *module;
		uint64_t offset;
		char want[32];

		snprintf(want, sizeof(want), "name_%u", i);
		const char *name =
			kallsyms_find(symbols, 0x1000ull + i * 16 + 15, &module, &offset);
		bad += name == NULL || strcmp(name, want) != 0 || offset != 15 ||
		       strcmp(module, "[kernel]") != 0;
	}
	is_u64(bad, 0, "each is found");
	kallsyms_free(symbols);
	free(text);
}

/* A name longer than any likely buffer. */
static void check_long_name(void)
{
	char *text = malloc(70000);
	const char *module;
	uint64_t offset;

	strcpy(text, "0000000000001000 t ");
	memset(text + 19, 'x', 65536);
	strcpy(text + 19 + 65536, "\t[m]\n");
	struct kallsyms *symbols = load(text);
	const char *name = kallsyms_find(symbols, 0x1000, &module, &offset);
	ok(name != NULL && strlen(name) == 65536, "a name of 65536 letters");
	is_str(module, "[m]", "and its module");
	kallsyms_free(symbols);
	free(text);
}

/* /proc/kallsyms of this machine, whatever it shows. */
static void check_live(void)
{
	FILE *file = fopen("/proc/kallsyms", "re");

	if (file == NULL) {
		skip(1, "no /proc/kallsyms here");
		return;
	}
	struct kallsyms *symbols = kallsyms_load(file);
	fclose(file);
	if (symbols == NULL)
		is_int(errno, EACCES, "this machine hides its addresses");
	else
		ok(kallsyms_count(symbols) > 1000, "this machine has %zu symbols",
		   kallsyms_count(symbols));
	kallsyms_free(symbols);
}

int main(void)
{
	plan_lazy();
	check_kernel();
	check_hidden("0000000000000000 T _text\n0000000000000000 t start\n"
		     "0000000000000000 t init\t[one]\n",
		     "all addresses are zero");
	check_hidden("0000000000000000 T _text\nffffffff81000280 D some_data\n",
		     "no code with an address");
	check_hidden("\n", "nothing in it");
	check_many();
	check_long_name();
	check_live();
	kallsyms_free(NULL);
	return done();
}
