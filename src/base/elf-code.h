/* SPDX-License-Identifier: MIT */
/*
 * elf-code - the segments of an ELF file that are mapped as code.  With libelf (HAVE_LIBELF) only.
 */
#ifndef BASE_ELF_CODE_H
#define BASE_ELF_CODE_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>

/* The next one from number *at on, which is then behind it; false: there are no more. */
static inline bool elf_code_next(Elf *elf, size_t *at, GElf_Phdr *segment)
{
	size_t count;

	if (elf_getphdrnum(elf, &count) != 0)
		return false;
	while (*at < count) {
		int number = (int)(*at)++;

		if (gelf_getphdr(elf, number, segment) != NULL && segment->p_type == PT_LOAD &&
		    (segment->p_flags & PF_X))
			return true;
	}
	return false;
}

#endif
