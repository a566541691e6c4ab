/* SPDX-License-Identifier: MIT */
#include "source/kernel-id.h"

#include <elf.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/sys.h"
#include "capture/access.h"

#define NOTES_MAX 4096 /* bytes; 164 here */

/* ELF notes: name and contents are padded to 4 bytes (elf(5)). */
struct build_id kernel_id(const char *path)
{
	struct build_id id = { .size = 0 };
	char notes[NOTES_MAX];
	long got = sys_read_file(path, notes, sizeof(notes));
	size_t left = got > 0 ? (size_t)got : 0;
	const char *at = notes;

	while (left >= sizeof(Elf64_Nhdr)) {
		Elf64_Nhdr note;

		memcpy(&note, at, sizeof(note));
		uint64_t name = (note.n_namesz + 3ull) & ~3ull;
		uint64_t size = sizeof(note) + name + ((note.n_descsz + 3ull) & ~3ull);
		if (size > left)
			break;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof("GNU") &&
		    memcmp(at + sizeof(note), "GNU", sizeof("GNU")) == 0)
			id = build_id_of(at + sizeof(note) + name, note.n_descsz);
		at += size;
		left -= size;
	}
	return id;
}

/* From "ffffffff81000000 T _text". */
unsigned long long kernel_text_address(const struct access *access)
{
	int fd = access->open_kallsyms(access->ctx);
	FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
	unsigned long long address = 0, found = 0;
	char line[512], name[8];

	if (file == NULL && fd >= 0)
		close(fd);
	while (file != NULL && found == 0 && fgets(line, sizeof(line), file) != NULL) {
		if (sscanf(line, "%llx %*c %7s", &address, name) == 2 && strcmp(name, "_text") == 0)
			found = address;
	}
	if (file != NULL)
		fclose(file);
	return found;
}
