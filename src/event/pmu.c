/* SPDX-License-Identifier: MIT */
#include "event/pmu.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base/sys.h"
#include "base/xalloc.h"

/* sysfs gives a page at most. */
#define SYSFS_MAX 4096

struct pmus {
	char *root;
	struct pmu *pmus;
	size_t count;
};

/* --- files ---------------------------------------------------------------------------------- */

/* The trimmed text of root/pmu/folder/file (folder "" for none): false and errno. */
static bool read_text(const struct pmus *pmus, const char *pmu, const char *folder,
		      const char *file, char out[SYSFS_MAX])
{
	char *path = xasprintf("%s/%s/%s/%s", pmus->root, pmu, folder, file);
	long len = sys_read_file(path, out, SYSFS_MAX);
	int error = errno;

	free(path);
	errno = error;
	if (len < 0)
		return false;
	while (len > 0 && isspace((unsigned char)out[len - 1]))
		len--;
	out[len] = '\0';
	return true;
}

/* Names come from a command line: reject path traversal. */
static bool is_plain(const char *name)
{
	return name[0] != '\0' && name[0] != '.' && strchr(name, '/') == NULL;
}

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* The sorted names in a folder: their number; 0 when there is none. */
static int list(const char *path, struct dirent ***names)
{
	int count = scandir(path, names, is_visible, alphasort);

	return count < 0 ? 0 : count;
}

static void list_free(struct dirent **names, int count)
{
	for (int i = 0; i < count; i++)
		free(names[i]);
	if (count > 0)
		free(names);
}

/* --- the set -------------------------------------------------------------------------------- */

static void read_cpus(const struct pmus *pmus, struct pmu *pmu)
{
	char text[SYSFS_MAX];

	/* Some drivers have an empty cpumask: then it opens on every CPU. */
	if (read_text(pmus, pmu->name, "", "cpumask", text)) {
		pmu->is_uncore = true;
		cpulist_parse(text, &pmu->cpus);
	} else if (read_text(pmus, pmu->name, "", "cpus", text)) {
		cpulist_parse(text, &pmu->cpus);
	}
}

static void add_pmu(struct pmus *pmus, const char *name)
{
	char text[SYSFS_MAX];

	if (!read_text(pmus, name, "", "type", text) || !isdigit((unsigned char)text[0]))
		return;

	struct pmu *pmu = &pmus->pmus[pmus->count++];
	pmu->name = xstrdup(name);
	pmu->type = (uint32_t)strtoul(text, NULL, 10);
	read_cpus(pmus, pmu);
}

struct pmus *pmus_open(const char *root)
{
	struct pmus *pmus = xcalloc(1, sizeof(*pmus));
	struct dirent **names = NULL;
	int count = list(root, &names);

	pmus->root = xstrdup(root);
	pmus->pmus = xcalloc(count > 0 ? (size_t)count : 1, sizeof(*pmus->pmus));
	for (int i = 0; i < count; i++)
		add_pmu(pmus, names[i]->d_name);
	list_free(names, count);
	return pmus;
}

void pmus_close(struct pmus *pmus)
{
	if (pmus == NULL)
		return;

	for (size_t i = 0; i < pmus->count; i++) {
		free(pmus->pmus[i].name);
		cpulist_fini(&pmus->pmus[i].cpus);
	}
	free(pmus->pmus);
	free(pmus->root);
	free(pmus);
}

size_t pmus_count(const struct pmus *pmus)
{
	return pmus->count;
}

const struct pmu *pmus_at(const struct pmus *pmus, size_t i)
{
	return &pmus->pmus[i];
}

const struct pmu *pmus_find(const struct pmus *pmus, const char *name)
{
	for (size_t i = 0; i < pmus->count; i++) {
		if (strcmp(pmus->pmus[i].name, name) == 0)
			return &pmus->pmus[i];
	}
	return NULL;
}

/* perf's rule for the instances of one uncore unit: the number at the end may be left out. */
static bool is_instance(const char *name, const char *typed)
{
	size_t len = strlen(typed);

	if (strncmp(name, typed, len) != 0)
		return false;
	name += len;
	if (*name == '_')
		name++;
	return *name != '\0' && name[strspn(name, "0123456789")] == '\0';
}

bool pmu_is_meant(const char *name, const char *typed)
{
	if (strcmp(name, typed) == 0)
		return true;
	if (strpbrk(typed, "*?[") != NULL)
		return fnmatch(typed, name, 0) == 0;
	if (is_instance(name, typed))
		return true;
	/* perf leaves "uncore_" out as well: imc, imc_0. */
	return strncmp(name, "uncore_", 7) == 0 &&
	       (strcmp(name + 7, typed) == 0 || is_instance(name + 7, typed));
}

bool pmu_is_hybrid_core(const struct pmu *pmu)
{
	return !pmu->is_uncore && pmu->cpus.count > 0 && strncmp(pmu->name, "cpu_", 4) == 0;
}

/* --- formats -------------------------------------------------------------------------------- */

static int parse_bit(const char **at, unsigned int *bit)
{
	char *end;
	unsigned long value = strtoul(*at, &end, 10);

	if (end == *at || !isdigit((unsigned char)**at) || value > 63)
		return -1;
	*at = end;
	*bit = (unsigned int)value;
	return 0;
}

static int parse_ranges(const char *at, uint64_t *bits)
{
	for (;;) {
		unsigned int low, high;

		if (parse_bit(&at, &low) != 0)
			return -1;
		high = low;
		if (*at == '-') {
			at++;
			if (parse_bit(&at, &high) != 0 || high < low)
				return -1;
		}
		/* Two shifts: one by 64 would be undefined. */
		*bits |= (~0ull >> (63 - high)) & (~0ull << low);
		if (*at == '\0')
			return 0;
		if (*at++ != ',')
			return -1;
	}
}

int pmu_format_parse(const char *text, struct pmu_format *format)
{
	static const char *const words[PMU_WORDS] = { "config:", "config1:", "config2:",
						      "config3:" };

	*format = (struct pmu_format){ 0 };
	for (unsigned int i = 0; i < PMU_WORDS; i++) {
		size_t len = strlen(words[i]);

		if (strncmp(text, words[i], len) != 0)
			continue;
		format->word = i;
		if (parse_ranges(text + len, &format->bits) == 0)
			return 0;
		break;
	}
	errno = EINVAL;
	return -1;
}

int pmu_format(const struct pmus *pmus, const struct pmu *pmu, const char *term,
	       struct pmu_format *format)
{
	char text[SYSFS_MAX];

	if (!is_plain(term)) {
		errno = ENOENT;
		return -1;
	}
	if (!read_text(pmus, pmu->name, "format", term, text))
		return -1;
	return pmu_format_parse(text, format);
}

uint64_t pmu_format_max(const struct pmu_format *format)
{
	int bits = __builtin_popcountll(format->bits);

	return bits == 0 ? 0 : ~0ull >> (64 - bits);
}

int pmu_format_apply(const struct pmu_format *format, uint64_t value, uint64_t words[PMU_WORDS])
{
	if (value > pmu_format_max(format)) {
		errno = ERANGE;
		return -1;
	}

	uint64_t *word = &words[format->word];
	*word &= ~format->bits;
	/* The lowest remaining bit of the format takes the lowest bit of the value. */
	for (uint64_t left = format->bits; left != 0; left &= left - 1, value >>= 1) {
		if (value & 1)
			*word |= left & -left;
	}
	return 0;
}

/* --- events --------------------------------------------------------------------------------- */

/* Decimal point whatever the locale: sysfs writes "2.3283064365386962890625e-10". */
static double parse_scale(const char *text)
{
	locale_t posix = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
	locale_t old = uselocale(posix);
	char *end;
	double scale = strtod(text, &end);

	uselocale(old);
	freelocale(posix);
	return end != text && scale > 0 ? scale : 1;
}

int pmu_alias(const struct pmus *pmus, const struct pmu *pmu, const char *name,
	      struct pmu_alias *alias)
{
	char text[SYSFS_MAX];

	*alias = (struct pmu_alias){ .scale = 1 };
	/* "power.scale" belongs to "power". */
	if (!is_plain(name) || strchr(name, '.') != NULL) {
		errno = ENOENT;
		return -1;
	}
	if (!read_text(pmus, pmu->name, "events", name, text))
		return -1;
	alias->terms = xstrdup(text);

	char *file = xasprintf("%s.unit", name);
	if (read_text(pmus, pmu->name, "events", file, text) && text[0] != '\0')
		alias->unit = xstrdup(text);
	free(file);
	file = xasprintf("%s.scale", name);
	if (read_text(pmus, pmu->name, "events", file, text))
		alias->scale = parse_scale(text);
	free(file);
	return 0;
}

void pmu_alias_fini(struct pmu_alias *alias)
{
	free(alias->terms);
	free(alias->unit);
	*alias = (struct pmu_alias){ 0 };
}

static void each_name(const struct pmus *pmus, const struct pmu *pmu, const char *folder,
		      void (*visit)(void *ctx, const char *name), void *ctx)
{
	char *path = xasprintf("%s/%s/%s", pmus->root, pmu->name, folder);
	struct dirent **names = NULL;
	int count = list(path, &names);

	free(path);
	for (int i = 0; i < count; i++) {
		if (strchr(names[i]->d_name, '.') == NULL)
			visit(ctx, names[i]->d_name);
	}
	list_free(names, count);
}

void pmu_each_event(const struct pmus *pmus, const struct pmu *pmu,
		    void (*visit)(void *ctx, const char *name), void *ctx)
{
	each_name(pmus, pmu, "events", visit, ctx);
}

void pmu_each_term(const struct pmus *pmus, const struct pmu *pmu,
		   void (*visit)(void *ctx, const char *name), void *ctx)
{
	each_name(pmus, pmu, "format", visit, ctx);
}
