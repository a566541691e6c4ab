/* SPDX-License-Identifier: MIT */
#include "decode/functions.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef HAVE_LIBELF
#include <gelf.h>

#include "base/elf-code.h"
#endif

#include "base/xalloc.h"

#define NAME_BYTES_MAX	1024	    /* of longer names the beginning */
#define TABLE_BYTES_MAX (48u << 20) /* of a symbol table: 2 million symbols */
#define NOTES_BYTES_MAX (64u << 10) /* of a section that can have the build-id */
#define WORK_MAX	(64u << 20) /* comparisons: symbols of a hostile file can all overlap */

/* Offsets [start, end) with the same answer. */
struct range {
	uint64_t start, end;
	char *name; /* or NULL */
};

struct functions {
	struct range *all; /* [count] by start; they do not overlap */
	size_t count, room;
	size_t name_bytes;
};

struct functions *functions_new(void)
{
	return xcalloc(1, sizeof(struct functions));
}

void functions_free(struct functions *functions)
{
	if (functions == NULL)
		return;

	for (size_t i = 0; i < functions->count; i++)
		free(functions->all[i].name);
	free(functions->all);
	free(functions);
}

size_t functions_bytes(const struct functions *functions)
{
	return sizeof(*functions) + functions->room * sizeof(*functions->all) +
	       functions->name_bytes;
}

/* The first range that ends behind the offset. */
static size_t first_behind(const struct functions *functions, uint64_t offset)
{
	size_t low = 0, high = functions->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (functions->all[middle].end > offset)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static bool is_known(const struct functions *functions, size_t at, uint64_t offset)
{
	return at < functions->count && functions->all[at].start <= offset;
}

bool functions_find(const struct functions *functions, uint64_t offset, const char **name)
{
	size_t at = first_behind(functions, offset);

	if (!is_known(functions, at, offset))
		return false;
	*name = functions->all[at].name;
	return true;
}

/* Add what is at `offset`, if that is not known; takes `name`.  The range is cut to what is free. */
static void add(struct functions *functions, struct range range, uint64_t offset)
{
	size_t at = first_behind(functions, offset);

	if (is_known(functions, at, offset)) {
		free(range.name);
		return;
	}
	if (at > 0 && functions->all[at - 1].end > range.start)
		range.start = functions->all[at - 1].end;
	if (at < functions->count && functions->all[at].start < range.end)
		range.end = functions->all[at].start;
	if (functions->count == functions->room) {
		functions->room = functions->room == 0 ? 16 : functions->room * 2;
		functions->all =
			xreallocarray(functions->all, functions->room, sizeof(*functions->all));
	}
	memmove(&functions->all[at + 1], &functions->all[at],
		(functions->count - at) * sizeof(*functions->all));
	functions->all[at] = range;
	functions->count++;
	functions->name_bytes += range.name != NULL ? strlen(range.name) + 1 : 0;
}

void functions_copy(struct functions *functions, const struct functions *from,
		    const uint64_t *offsets, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t at = first_behind(from, offsets[i]);

		if (!is_known(from, at, offsets[i]))
			continue;

		struct range range = from->all[at];
		range.name = range.name != NULL ? xstrdup(range.name) : NULL;
		add(functions, range, offsets[i]);
	}
}

#ifdef HAVE_LIBELF

/* --- places that are sought ------------------------------------------------------------------- */

/* A symbol that is better has a higher rank: one with a size, a function, a global one. */
struct candidate {
	uint64_t start;
	uint64_t name; /* offset in the string table */
	int rank;      /* 0: none */
};

/* An address, and what the symbols read so far say of it. */
struct sought {
	uint64_t address, offset; /* in memory, in the file */
	uint64_t low, high;	  /* the boundaries of symbols around it */
	struct candidate inside;  /* of those with a size that it is in, the one that begins last */
	struct candidate before;  /* of those without a size, the last one before it */
};

struct search {
	struct sought *all; /* [count] by address */
	size_t count;
	uint64_t strings, strings_size; /* the string table in the file */
	int fd;				/* that has it */
	size_t work;
};

static int by_address(const void *a, const void *b)
{
	const struct sought *left = a, *right = b;

	return left->address < right->address ? -1 : left->address > right->address;
}

/* The first one at or behind the address. */
static size_t first_from(const struct search *search, uint64_t address)
{
	size_t low = 0, high = search->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (search->all[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* A symbol begins or ends here: noted at its neighbours, and passed on by spread(). */
static void bound(struct search *search, uint64_t address, size_t at)
{
	if (at < search->count && search->all[at].low < address)
		search->all[at].low = address;
	if (at > 0 && search->all[at - 1].high > address)
		search->all[at - 1].high = address;
}

static bool is_better(const struct candidate *one, const struct candidate *other)
{
	if (one->rank == 0 || other->rank == 0)
		return other->rank == 0 && one->rank != 0;
	if (one->start != other->start)
		return one->start > other->start;
	return one->rank > other->rank;
}

static void offer(struct candidate *best, const struct candidate *one)
{
	if (is_better(one, best))
		*best = *one;
}

/*
 * 0: no function.  Assembler code marks its functions with no type.  Of several names of one place the
 * global one is first, as in perf; a weak one is an alias.
 */
static int rank_of(const GElf_Sym *symbol)
{
	int type = GELF_ST_TYPE(symbol->st_info), bind = GELF_ST_BIND(symbol->st_info);
	int rank = bind == STB_GLOBAL ? 3 : bind == STB_WEAK ? 1 : 2;

	if (symbol->st_shndx == SHN_UNDEF || symbol->st_shndx == SHN_ABS || symbol->st_name == 0)
		return 0;
	if (type == STT_FUNC || type == STT_GNU_IFUNC)
		return rank + 3;
	return type == STT_NOTYPE ? rank : 0;
}

static void try_symbol(struct search *search, const GElf_Sym *symbol)
{
	struct candidate candidate = { symbol->st_value, symbol->st_name, rank_of(symbol) };
	uint64_t end;

	if (candidate.rank == 0 || __builtin_add_overflow(symbol->st_value, symbol->st_size, &end))
		return;

	size_t at = first_from(search, symbol->st_value);
	bound(search, symbol->st_value, at);
	if (symbol->st_size == 0 && at < search->count)
		offer(&search->all[at].before, &candidate);
	if (symbol->st_size == 0)
		return;
	for (; at < search->count && search->all[at].address < end; at++, search->work++)
		offer(&search->all[at].inside, &candidate);
	bound(search, end, at);
}

/* What was noted at one neighbour holds for those beyond it, too. */
static void spread(struct search *search)
{
	for (size_t i = 1; i < search->count; i++) {
		struct sought *left = &search->all[i - 1], *right = &search->all[i];

		if (right->low < left->low)
			right->low = left->low;
		offer(&right->before, &left->before);
	}
	for (size_t i = search->count; i-- > 1;) {
		if (search->all[i - 1].high > search->all[i].high)
			search->all[i - 1].high = search->all[i].high;
	}
}

/* --- the file ------------------------------------------------------------------------------- */

/* The segment of code that has this offset of the file; false: none. */
static bool segment_at(Elf *elf, uint64_t offset, GElf_Phdr *segment)
{
	for (size_t at = 0; elf_code_next(elf, &at, segment);) {
		if (offset >= segment->p_offset && offset - segment->p_offset < segment->p_filesz)
			return true;
	}
	return false;
}

static Elf_Scn *table_of(Elf *elf, GElf_Word type, GElf_Shdr *header)
{
	for (Elf_Scn *section = elf_nextscn(elf, NULL); section != NULL;
	     section = elf_nextscn(elf, section)) {
		if (gelf_getshdr(section, header) != NULL && header->sh_type == type &&
		    header->sh_entsize != 0 && header->sh_size <= TABLE_BYTES_MAX)
			return section;
	}
	return NULL;
}

/* Where the names of a table are; false: nowhere. */
static bool find_strings(struct search *search, Elf *elf, const GElf_Shdr *table)
{
	GElf_Shdr strings;
	Elf_Scn *section = elf_getscn(elf, table->sh_link);

	if (section == NULL || gelf_getshdr(section, &strings) == NULL ||
	    strings.sh_type != SHT_STRTAB)
		return false;
	search->strings = strings.sh_offset;
	search->strings_size = strings.sh_size;
	return true;
}

static bool search_table(struct search *search, Elf *elf, GElf_Word type)
{
	GElf_Shdr header;
	Elf_Scn *section = table_of(elf, type, &header);
	Elf_Data *data = section != NULL ? elf_getdata(section, NULL) : NULL;

	if (data == NULL || !find_strings(search, elf, &header))
		return false;
	for (size_t i = 0; i < header.sh_size / header.sh_entsize && search->work < WORK_MAX; i++) {
		GElf_Sym symbol;

		if (gelf_getsym(data, (int)i, &symbol) == NULL)
			break;
		try_symbol(search, &symbol);
	}
	spread(search);
	return true;
}

static char *name_at(const struct search *search, uint64_t at)
{
	char text[NAME_BYTES_MAX + 1];
	size_t room = sizeof(text) - 1;

	if (at >= search->strings_size)
		return NULL;
	if (room > search->strings_size - at)
		room = (size_t)(search->strings_size - at);
	long len = pread(search->fd, text, room, (off_t)(search->strings + at));
	if (len <= 0)
		return NULL;
	text[len] = '\0';
	return text[0] != '\0' ? xstrndup(text, (size_t)len) : NULL;
}

/*
 * Whether it is an ELF file that libelf may read: of this machine's byte order, and without the
 * extensions for more sections or segments than its 16-bit counts can say, which would take memory in
 * proportion to the file.
 */
static bool is_readable(int fd)
{
	union {
		unsigned char ident[EI_NIDENT];
		Elf32_Ehdr narrow;
		Elf64_Ehdr wide;
	} head;
	const unsigned char order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB :
										ELFDATA2MSB;

	if (pread(fd, &head, sizeof(head), 0) != (long)sizeof(head) ||
	    memcmp(head.ident, ELFMAG, SELFMAG) != 0 || head.ident[EI_DATA] != order)
		return false;
	if (head.ident[EI_CLASS] == ELFCLASS32)
		return head.narrow.e_shnum != 0 && head.narrow.e_phnum != PN_XNUM;
	return head.wide.e_shnum != 0 && head.wide.e_phnum != PN_XNUM;
}

/* Read, not mapped: a file that shrinks under a mapping would kill us with SIGBUS. */
static Elf *open_elf(int fd)
{
	elf_version(EV_CURRENT);
	return fd >= 0 && is_readable(fd) ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
}

/* --- answers -------------------------------------------------------------------------------- */

static void begin_search(struct search *search, Elf *elf, const uint64_t *offsets, size_t count)
{
	GElf_Phdr segment;

	search->all = xcalloc(count + 1, sizeof(*search->all));
	for (size_t i = 0; i < count; i++) {
		if (!segment_at(elf, offsets[i], &segment))
			continue;
		search->all[search->count++] = (struct sought){
			.offset = offsets[i],
			.address = segment.p_vaddr + (offsets[i] - segment.p_offset),
			.low = segment.p_vaddr,
			.high = segment.p_vaddr + segment.p_filesz,
		};
	}
	qsort(search->all, search->count, sizeof(*search->all), by_address);
}

static void answer(struct functions *functions, const struct search *search,
		   const struct sought *sought)
{
	const struct candidate *best = &sought->inside;
	uint64_t back = sought->address - sought->low, on = sought->high - sought->address;
	struct range range = { .start = sought->offset - back, .end = sought->offset + on };

	/* One without a size goes on to the next symbol. */
	if (best->rank == 0 && sought->before.start == sought->low)
		best = &sought->before;
	if (best->rank != 0)
		range.name = name_at(search, best->name);
	add(functions, range, sought->offset);
}

static void search_file(struct functions *functions, int fd, int debug_fd, const uint64_t *offsets,
			size_t count)
{
	struct search search = { .fd = fd };
	Elf *elf = open_elf(fd), *debug = open_elf(debug_fd);
	bool is_found;

	begin_search(&search, elf, offsets, count);
	is_found = search_table(&search, elf, SHT_SYMTAB);
	if (!is_found && debug != NULL) {
		search.fd = debug_fd;
		is_found = search_table(&search, debug, SHT_SYMTAB);
	}
	if (!is_found) {
		search.fd = fd;
		is_found = search_table(&search, elf, SHT_DYNSYM);
	}
	for (size_t i = 0; i < search.count && is_found; i++)
		answer(functions, &search, &search.all[i]);
	free(search.all);
	elf_end(debug);
	elf_end(elf);
}

static struct build_id build_id_in(Elf_Data *notes)
{
	GElf_Nhdr note;
	size_t at = 0, name, text;

	while ((at = gelf_getnote(notes, at, &note, &name, &text)) > 0) {
		const char *bytes = notes->d_buf;

		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof("GNU") &&
		    memcmp(bytes + name, "GNU", sizeof("GNU")) == 0)
			return build_id_of(bytes + text, note.n_descsz);
	}
	return (struct build_id){ .size = 0 };
}

struct build_id functions_build_id(int fd)
{
	Elf *elf = open_elf(fd);
	struct build_id id = { .size = 0 };

	for (Elf_Scn *section = elf_nextscn(elf, NULL); section != NULL && id.size == 0;
	     section = elf_nextscn(elf, section)) {
		GElf_Shdr header;

		if (gelf_getshdr(section, &header) == NULL || header.sh_type != SHT_NOTE ||
		    header.sh_size > NOTES_BYTES_MAX)
			continue;

		Elf_Data *notes = elf_getdata(section, NULL);
		if (notes != NULL)
			id = build_id_in(notes);
	}
	elf_end(elf);
	return id;
}

#else

struct build_id functions_build_id(int fd)
{
	(void)fd;
	return (struct build_id){ .size = 0 };
}

#endif

void functions_read(struct functions *functions, int fd, int debug_fd, const uint64_t *offsets,
		    size_t count)
{
#ifdef HAVE_LIBELF
	if (count > 0)
		search_file(functions, fd, debug_fd, offsets, count);
#else
	(void)fd;
	(void)debug_fd;
#endif
	/* What is in no table is known to have no name. */
	for (size_t i = 0; i < count; i++)
		add(functions, (struct range){ offsets[i], offsets[i] + 1, NULL }, offsets[i]);
}
