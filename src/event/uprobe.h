/* SPDX-License-Identifier: MIT */
/*
 * uprobe - the file offset of a function, for the uprobe PMU.
 *
 * The PMU takes a file and an offset in it.  Symbols come from the ELF file's
 * .symtab and .dynsym, their offsets from its program headers.  Without libelf
 * (HAVE_LIBELF) only offsets can be given.
 */
#ifndef EVENT_UPROBE_H
#define EVENT_UPROBE_H

#include <stddef.h>
#include <stdint.h>

struct uprobe_fault {
	enum {
		UPROBE_FAULT_FILE,   /* the file is wrong */
		UPROBE_FAULT_SYMBOL, /* the symbol is wrong */
	} part;
	char reason[160];
	char nearest[128]; /* "" for none */
};

/*
 * The real path of a file, for the kernel to open; a bare name that is not a file here is looked up
 * in $PATH.  The caller frees it.  NULL and *fault.
 */
char *uprobe_file(const char *path, struct uprobe_fault *fault);

/* The offset in the file at which a function begins: 0, or -1 and *fault. */
int uprobe_offset(const char *path, const char *symbol, uint64_t *offset,
		  struct uprobe_fault *fault);

#endif
