/* SPDX-License-Identifier: MIT */
#include "decode/kallsyms.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

struct symbol {
	uint64_t address;
	uint32_t name;	 /* offset into names */
	uint32_t module; /* offset into names, 0 for the kernel proper */
};

struct kallsyms {
	struct symbol *symbols; /* sorted by address */
	size_t count, room;
	char *names; /* offset 0 holds "[kernel]" */
	size_t names_len, names_room;
	uint32_t last_module; /* modules come in runs: their names are stored once a run */
};

static uint32_t add_name(struct kallsyms *table, const char *name)
{
	size_t len = strlen(name) + 1;

	if (table->names_len + len > table->names_room) {
		table->names_room = (table->names_room + len) * 2;
		table->names = xreallocarray(table->names, table->names_room, 1);
	}
	memcpy(table->names + table->names_len, name, len);
	table->names_len += len;
	return (uint32_t)(table->names_len - len);
}

static uint32_t add_module(struct kallsyms *table, const char *module)
{
	if (module == NULL)
		return 0;
	if (strcmp(table->names + table->last_module, module) != 0)
		table->last_module = add_name(table, module);
	return table->last_module;
}

static void add_symbol(struct kallsyms *table, uint64_t address, const char *name,
		       const char *module)
{
	if (table->count == table->room) {
		table->room = table->room == 0 ? 1u << 16 : table->room * 2;
		table->symbols =
			xreallocarray(table->symbols, table->room, sizeof(*table->symbols));
	}
	table->symbols[table->count++] = (struct symbol){
		.address = address,
		.name = add_name(table, name),
		.module = add_module(table, module),
	};
}

/* "ffffffff81000000 T _text\t[module]": false for any other line. */
static bool parse_line(struct kallsyms *table, char *line, bool *has_address)
{
	char *rest, *save;
	uint64_t address = strtoull(line, &rest, 16);

	if (rest == line || *rest != ' ')
		return false;

	char *type = strtok_r(rest, " \t\n", &save);
	char *name = strtok_r(NULL, " \t\n", &save);
	char *module = strtok_r(NULL, " \t\n", &save);
	if (type == NULL || name == NULL)
		return false;
	/* Code only: text, and weak symbols, which may be text. */
	if (strchr("tTwW", type[0]) != NULL) {
		if (address != 0)
			*has_address = true;
		add_symbol(table, address, name, module);
	}
	return true;
}

static int by_address(const void *a, const void *b)
{
	const struct symbol *left = a, *right = b;

	if (left->address != right->address)
		return left->address < right->address ? -1 : 1;
	/* The first name in the file stays first among aliases. */
	return left->name < right->name ? -1 : left->name > right->name;
}

static void shrink(struct kallsyms *table)
{
	if (table->count > 0)
		table->symbols =
			xreallocarray(table->symbols, table->count, sizeof(*table->symbols));
	table->names = xreallocarray(table->names, table->names_len, 1);
}

struct kallsyms *kallsyms_load(FILE *file)
{
	struct kallsyms *table = xcalloc(1, sizeof(*table));
	char *line = NULL;
	size_t room = 0;
	bool has_address = false;

	add_name(table, "[kernel]");
	errno = 0;
	while (getline(&line, &room, file) > 0)
		parse_line(table, line, &has_address);
	int error = ferror(file) ? errno : !has_address ? EACCES : 0;
	free(line);
	if (error != 0) {
		kallsyms_free(table);
		errno = error;
		return NULL;
	}
	shrink(table);
	qsort(table->symbols, table->count, sizeof(*table->symbols), by_address);
	return table;
}

void kallsyms_free(struct kallsyms *table)
{
	if (table == NULL)
		return;

	free(table->symbols);
	free(table->names);
	free(table);
}

const char *kallsyms_find(const struct kallsyms *table, uint64_t address, const char **module,
			  uint64_t *offset)
{
	size_t low = 0, high = table->count;

	/* The first symbol above the address ... */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (table->symbols[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return NULL;

	/* ... so the one before holds it; of aliases, the first. */
	const struct symbol *found = &table->symbols[low - 1];
	while (found > table->symbols && found[-1].address == found->address)
		found--;
	*module = table->names + found->module;
	*offset = address - found->address;
	return table->names + found->name;
}

bool kallsyms_address(const struct kallsyms *table, const char *name, uint64_t *address)
{
	for (size_t i = 0; i < table->count; i++) {
		const struct symbol *symbol = &table->symbols[i];

		if (symbol->module != 0 || strcmp(table->names + symbol->name, name) != 0)
			continue;
		*address = symbol->address;
		return true;
	}
	return false;
}

size_t kallsyms_count(const struct kallsyms *table)
{
	return table->count;
}
