/* SPDX-License-Identifier: MIT */
#include "event/uprobe.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef HAVE_LIBELF
#include <gelf.h>

#include "base/elf-code.h"
#endif

#include "base/suggest.h"
#include "base/xalloc.h"

static void __attribute__((format(printf, 3, 4)))
fault_at(struct uprobe_fault *fault, int part, const char *format, ...)
{
	va_list args;

	*fault = (struct uprobe_fault){ .part = part };
	va_start(args, format);
	vsnprintf(fault->reason, sizeof(fault->reason), format, args);
	va_end(args);
}

/* --- the file ------------------------------------------------------------------------------- */

static char *find_in_path(const char *name)
{
	const char *at = getenv("PATH");
	struct stat info;

	while (at != NULL && *at != '\0') {
		size_t len = strcspn(at, ":");
		char *path = xasprintf("%.*s/%s", (int)len, at, name);

		if (len > 0 && stat(path, &info) == 0 && S_ISREG(info.st_mode))
			return path;
		free(path);
		at += len + (at[len] == ':');
	}
	return NULL;
}

char *uprobe_file(const char *path, struct uprobe_fault *fault)
{
	char *real = realpath(path, NULL);
	struct stat info;

	if (real == NULL && errno == ENOENT && strchr(path, '/') == NULL) {
		char *found = find_in_path(path);

		real = found != NULL ? realpath(found, NULL) : NULL;
		free(found);
		if (real == NULL)
			errno = ENOENT;
	}
	if (real == NULL || stat(real, &info) != 0) {
		if (errno == ENOENT)
			fault_at(fault, UPROBE_FAULT_FILE, "ENOENT: there is no such file");
		else
			fault_at(fault, UPROBE_FAULT_FILE, "%s", strerror(errno));
		free(real);
		return NULL;
	}
	if (!S_ISREG(info.st_mode)) {
		fault_at(fault, UPROBE_FAULT_FILE, "this is no file that can be run");
		free(real);
		return NULL;
	}
	return real;
}

#ifdef HAVE_LIBELF

/* --- its symbols ---------------------------------------------------------------------------- */

struct search {
	const char *symbol;
	uint64_t address;
	bool has_address;
	bool is_undefined; /* referenced here, but defined in another file */
	bool has_symtab;
	size_t functions; /* how many were found */
	struct suggest suggest;
};

static void try_symbol(struct search *search, const GElf_Sym *symbol, const char *name)
{
	int type = GELF_ST_TYPE(symbol->st_info);

	/* Assembler code marks its functions with no type. */
	if (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE)
		return;
	if (name[0] == '\0')
		return;

	bool is_same = strcmp(name, search->symbol) == 0;
	if (symbol->st_shndx == SHN_UNDEF) {
		search->is_undefined |= is_same;
		return;
	}
	search->functions++;
	if (!is_same) {
		suggest_offer(&search->suggest, name);
	} else if (!search->has_address || type != STT_NOTYPE) {
		search->address = symbol->st_value;
		search->has_address = true;
	}
}

static void search_section(struct search *search, Elf *elf, Elf_Scn *section)
{
	GElf_Shdr header;

	if (gelf_getshdr(section, &header) == NULL || header.sh_entsize == 0 ||
	    (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM))
		return;

	Elf_Data *data = elf_getdata(section, NULL);
	size_t count = (size_t)(header.sh_size / header.sh_entsize);
	search->has_symtab |= header.sh_type == SHT_SYMTAB;
	for (size_t i = 0; data != NULL && i < count; i++) {
		GElf_Sym symbol;

		if (gelf_getsym(data, (int)i, &symbol) == NULL)
			break;

		const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);
		if (name != NULL)
			try_symbol(search, &symbol, name);
	}
}

/* Convert a symbol's virtual address to the file offset that a probe needs. */
static bool to_offset(Elf *elf, uint64_t address, uint64_t *offset)
{
	GElf_Phdr segment;

	for (size_t at = 0; elf_code_next(elf, &at, &segment);) {
		if (address < segment.p_vaddr || address - segment.p_vaddr >= segment.p_filesz)
			continue;
		*offset = address - segment.p_vaddr + segment.p_offset;
		return true;
	}
	return false;
}

static void no_symbol(const struct search *search, struct uprobe_fault *fault)
{
	if (search->is_undefined)
		fault_at(fault, UPROBE_FAULT_SYMBOL,
			 "the file only calls it: probe the library that has it");
	else if (search->functions == 0)
		fault_at(fault, UPROBE_FAULT_SYMBOL,
			 "the file is stripped of all symbols: give an offset, 0x...");
	else if (!search->has_symtab)
		fault_at(fault, UPROBE_FAULT_SYMBOL,
			 "no such symbol; the file is stripped, its %zu exported ones are left: "
			 "give an offset, 0x...",
			 search->functions);
	else
		fault_at(fault, UPROBE_FAULT_SYMBOL, "the file has no such function");

	const char *near = suggest_best(&search->suggest);
	if (near != NULL)
		snprintf(fault->nearest, sizeof(fault->nearest), "%s", near);
}

static int find(Elf *elf, const char *symbol, uint64_t *offset, struct uprobe_fault *fault)
{
	struct search search = { .symbol = symbol };
	GElf_Ehdr header;

	if (elf_kind(elf) != ELF_K_ELF || gelf_getehdr(elf, &header) == NULL) {
		fault_at(fault, UPROBE_FAULT_FILE, "this is no ELF file: it has no symbols");
		return -1;
	}
	suggest_init(&search.suggest, symbol);
	for (Elf_Scn *section = NULL;
	     !search.has_address && (section = elf_nextscn(elf, section)) != NULL;)
		search_section(&search, elf, section);
	if (!search.has_address) {
		no_symbol(&search, fault);
		return -1;
	}
	/* The lowest bit of an ARM function's address is the Thumb flag. */
	if (header.e_machine == EM_ARM)
		search.address &= ~1ull;
	if (!to_offset(elf, search.address, offset)) {
		fault_at(fault, UPROBE_FAULT_SYMBOL, "it is in no executable segment of the file");
		return -1;
	}
	return 0;
}

int uprobe_offset(const char *path, const char *symbol, uint64_t *offset,
		  struct uprobe_fault *fault)
{
	elf_version(EV_CURRENT);

	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		fault_at(fault, UPROBE_FAULT_FILE, "%s", strerror(errno));
		return -1;
	}

	/* Read, not mapped: a file that shrinks under a mapping would kill us with SIGBUS. */
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	int result = -1;
	if (elf == NULL)
		fault_at(fault, UPROBE_FAULT_FILE, "%s", elf_errmsg(-1));
	else
		result = find(elf, symbol, offset, fault);
	elf_end(elf);
	close(fd);
	return result;
}

#else

int uprobe_offset(const char *path, const char *symbol, uint64_t *offset,
		  struct uprobe_fault *fault)
{
	(void)path;
	(void)symbol;
	(void)offset;
	fault_at(fault, UPROBE_FAULT_SYMBOL,
		 "this build has no libelf to look symbols up: give an offset, 0x...");
	return -1;
}

#endif
