/* SPDX-License-Identifier: MIT */
#include "source/processor.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/sys.h"

#define CPUINFO_MAX \
	4096 /* bytes: what is looked for is at the beginning of the first CPU's lines */

/* The value in a line "key<tab>: value", without its end: its length; 0 without such a line. */
static int value_of(const char *lines, const char *key, const char **value)
{
	size_t len = strlen(key);

	for (const char *line = lines; line != NULL; line = strchr(line, '\n')) {
		line += line[0] == '\n';
		if (strncmp(line, key, len) != 0)
			continue;

		const char *colon = line + len + strspn(line + len, " \t");
		if (*colon != ':')
			continue;
		*value = colon + 1 + strspn(colon + 1, " \t");
		return (int)strcspn(*value, "\n");
	}
	*value = "";
	return 0;
}

static void read_name(struct processor *processor, const char *lines)
{
	/* Of x86 and arm64, of 32-bit Arm, of s390, of POWER. */
	static const char *const keys[] = { "model name", "Processor", "vendor_id", "cpu" };
	const char *value;
	int len = 0;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]) && len == 0; i++)
		len = value_of(lines, keys[i], &value);
	if (len > 0)
		snprintf(processor->name, sizeof(processor->name), "%.*s", len, value);
}

static void read_type(struct processor *processor, const char *lines, const char *midr_path)
{
	const char *vendor, *family, *model, *stepping;
	int vendor_len = value_of(lines, "vendor_id", &vendor);
	int family_len = value_of(lines, "cpu family", &family);
	int model_len = value_of(lines, "model", &model);
	int stepping_len = value_of(lines, "stepping", &stepping);
	char midr[sizeof(processor->type)];

	if (vendor_len > 0 && family_len > 0 && model_len > 0 && stepping_len > 0)
		snprintf(processor->type, sizeof(processor->type), "%.*s,%.*s,%.*s,%.*s",
			 vendor_len, vendor, family_len, family, model_len, model, stepping_len,
			 stepping);
	else if (sys_read_file(midr_path, midr, sizeof(midr)) > 1)
		snprintf(processor->type, sizeof(processor->type), "%.*s", (int)strcspn(midr, "\n"),
			 midr);
}

struct processor processor_read(const char *cpuinfo_path, const char *midr_path)
{
	struct processor processor = { "unknown", "unknown" };
	char lines[CPUINFO_MAX];

	if (sys_read_file(cpuinfo_path, lines, sizeof(lines)) < 0)
		lines[0] = '\0';
	read_name(&processor, lines);
	read_type(&processor, lines, midr_path);
	return processor;
}
