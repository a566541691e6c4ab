/* SPDX-License-Identifier: MIT */
/*
 * own-code - functions of a test's own program, and where they are in its file.
 *
 * Included by the one file of a test.
 */
#ifndef OWN_CODE_H
#define OWN_CODE_H

#include "tap.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

/* Of some size, so that there is an inside. */
#define OWN_FUNCTION(name)                                  \
	__attribute__((noinline, used)) int name(int value) \
	{                                                   \
		volatile int sum = value;                   \
                                                            \
		for (int i = 0; i < value; i++)             \
			sum = sum * 7 + i;                  \
		return sum;                                 \
	}

struct own_place {
	uint64_t address, offset;
	bool is_found;
};

static inline int own_look(struct dl_phdr_info *info, size_t size, void *ctx)
{
	struct own_place *place = ctx;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		uint64_t start = info->dlpi_addr + segment->p_vaddr;

		if (segment->p_type != PT_LOAD || place->address < start ||
		    place->address - start >= segment->p_filesz)
			continue;
		place->offset = segment->p_offset + (place->address - start);
		place->is_found = true;
	}
	return 1; /* the first one is the program itself */
}

/* Where the code at this address of the program is in its file. */
static inline uint64_t own_offset(const void *address)
{
	struct own_place place = { .address = (uint64_t)(uintptr_t)address };

	dl_iterate_phdr(own_look, &place);
	if (!place.is_found)
		bail("an address of no segment");
	return place.offset;
}

static inline int own_file(void)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		bail("/proc/self/exe");
	return fd;
}

/* Write the program's file to this one, which is empty. */
static inline void own_copy(int to)
{
	int from = own_file();
	char bytes[65536];
	long len;

	while ((len = read(from, bytes, sizeof(bytes))) > 0) {
		if (write(to, bytes, (size_t)len) != len)
			bail("copy");
	}
	close(from);
}

static inline ElfW(Ehdr) own_head(int fd)
{
	ElfW(Ehdr) head;

	if (pread(fd, &head, sizeof(head), 0) != sizeof(head))
		bail("read");
	return head;
}

/* Make the symbol tables of a copy unknown sections. */
static inline void own_strip(int fd)
{
	ElfW(Ehdr) head = own_head(fd);

	for (unsigned int i = 0; i < head.e_shnum; i++) {
		off_t at = (off_t)(head.e_shoff + i * sizeof(ElfW(Shdr)));
		ElfW(Shdr) section;

		if (pread(fd, &section, sizeof(section), at) != sizeof(section))
			bail("read");
		if (section.sh_type == SHT_SYMTAB || section.sh_type == SHT_DYNSYM)
			section.sh_type = SHT_PROGBITS;
		if (pwrite(fd, &section, sizeof(section), at) != sizeof(section))
			bail("write");
	}
}

#endif
