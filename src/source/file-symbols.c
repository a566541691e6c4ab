/* SPDX-License-Identifier: MIT */
#include "source/file-symbols.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "capture/access.h"
#include "decode/ksymbols.h"
#include "perfdata/layout.h"

#define SYMBOL_MAX 64

struct file_symbols {
	struct access access; /* that opens the kernel's symbols */
	const struct perfdata *data;
	const struct running_kernel *kernel;
	struct ksymbols *ksymbols;
	char symbol[SYMBOL_MAX]; /* was at `address`; "": unknown */
	uint64_t address;
	struct build_id mapped; /* from the record of the mapping */
	bool is_decided, is_usable;
	uint64_t shift;	   /* from the addresses of the file to those of now, modulo 2^64 */
	uint64_t text_end; /* of now, of the kernel proper; with a shift */
	const char *note;
};

/* --- whether it is the recorded one --------------------------------------------------------- */

void file_symbols_map(struct file_symbols *symbols, const struct record *record)
{
	const size_t prefix = sizeof(PERFDATA_KERNEL) - 1;
	struct record_map map;

	if (symbols->symbol[0] != '\0' || !record_kernel_map(record, &map) ||
	    map.name_len <= prefix || map.name_len - prefix >= SYMBOL_MAX ||
	    memcmp(map.name, PERFDATA_KERNEL, prefix) != 0)
		return;
	snprintf(symbols->symbol, sizeof(symbols->symbol), "%.*s", (int)(map.name_len - prefix),
		 map.name + prefix);
	symbols->address = map.offset;
	symbols->mapped = map.build_id;
}

static const char other_kernel[] =
	"the file is of another kernel than the running one: kernel addresses are shown";

static bool is_same_release(const struct file_symbols *symbols)
{
	const char *release = perfdata_origin(symbols->data)->osrelease;

	return release != NULL && strcmp(release, symbols->kernel->release) == 0;
}

/* Set where it is now: NULL, or why its symbols are not those of the file. */
static const char *find_place(struct file_symbols *symbols, bool has_id)
{
	uint64_t address;

	if (symbols->symbol[0] == '\0')
		return "the file does not say where its kernel was: kernel addresses are shown";
	if (!ksymbols_address(symbols->ksymbols, symbols->symbol, &address)) {
		const char *complaint = ksymbols_complaint(symbols->ksymbols);

		return complaint != NULL ? complaint : other_kernel;
	}
	symbols->shift = address - symbols->address;
	if (symbols->shift == 0)
		return NULL;
	return has_id && ksymbols_address(symbols->ksymbols, "_etext", &symbols->text_end) ?
		       NULL :
		       other_kernel;
}

/* The same for the whole decision. */
static const char *find_kernel(struct file_symbols *symbols)
{
	struct build_id recorded = build_ids_kernel(perfdata_build_ids(symbols->data));

	if (recorded.size == 0)
		recorded = symbols->mapped;

	bool has_id = recorded.size != 0;
	bool is_same = has_id ? build_id_is_same(&recorded, &symbols->kernel->id) :
				is_same_release(symbols);
	return is_same ? find_place(symbols, has_id) : other_kernel;
}

/* --- symbols -------------------------------------------------------------------------------- */

static void decide(struct file_symbols *symbols)
{
	if (symbols->is_decided || symbols->kernel == NULL)
		return;
	symbols->is_decided = true;
	symbols->note = find_kernel(symbols);
	symbols->is_usable = symbols->note == NULL;
}

const char *file_symbols_find(struct file_symbols *symbols, uint64_t address, const char **module)
{
	decide(symbols);
	if (!symbols->is_usable)
		return NULL;

	uint64_t now = address + symbols->shift;
	if (symbols->shift != 0 && now >= symbols->text_end)
		return NULL;

	const char *name = ksymbols_find(symbols->ksymbols, now, module);
	return name != NULL && strcmp(*module, "[bpf]") != 0 ? name : NULL;
}

const char *file_symbols_note(struct file_symbols *symbols)
{
	decide(symbols);

	const char *note = symbols->note;
	symbols->note = NULL;
	return note;
}

/* --- life ----------------------------------------------------------------------------------- */

/* Once: the text is read from where the fd is. */
static int open_kallsyms(void *ctx)
{
	const struct file_symbols *symbols = ctx;

	return fcntl(symbols->kernel->kallsyms, F_DUPFD_CLOEXEC, 0);
}

struct file_symbols *file_symbols_new(const struct perfdata *data,
				      const struct running_kernel *kernel)
{
	struct file_symbols *symbols = xcalloc(1, sizeof(*symbols));

	symbols->data = data;
	symbols->kernel = kernel;
	symbols->access = (struct access){ .ctx = symbols, .open_kallsyms = open_kallsyms };
	symbols->ksymbols = ksymbols_new(&symbols->access);
	return symbols;
}

void file_symbols_free(struct file_symbols *symbols)
{
	if (symbols == NULL)
		return;

	ksymbols_free(symbols->ksymbols);
	free(symbols);
}
