/* SPDX-License-Identifier: MIT */
#include "source/file-resolver.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "source/code-names.h"

struct file_resolver {
	const struct perfdata *data;
	struct file_symbols *symbols;
	struct code_names *code_names;
	size_t *event_of; /* [nevents]: number in the model -> the file's */
	size_t nevents;
};

/* The fields of a sample as text, decoded with the file's format. */
static bool fields(void *ctx, uint32_t number, const unsigned char *raw, size_t size, char *out,
		   size_t room)
{
	const struct file_resolver *resolver = ctx;
	const struct perf_event_attr *attr =
		&perfdata_event(resolver->data, resolver->event_of[number])->attr;
	struct strbuf text;

	if (attr->type != PERF_TYPE_TRACEPOINT)
		return false;
	strbuf_init(&text);
	bool has_text = fieldformats_print(perfdata_formats(resolver->data), attr->config, raw,
					   size, &text);
	snprintf(out, room, "%s", text.text);
	strbuf_fini(&text);
	return has_text;
}

static const char *symbol(void *ctx, uint64_t address, const char **module)
{
	const struct file_resolver *resolver = ctx;

	return file_symbols_find(resolver->symbols, address, module);
}

static void code(void *ctx, struct code_name *places, size_t count)
{
	const struct file_resolver *resolver = ctx;

	code_names_find(resolver->code_names, places, count);
}

struct file_resolver *file_resolver_new(const struct perfdata *data, struct file_symbols *symbols)
{
	struct file_resolver *resolver = xcalloc(1, sizeof(*resolver));

	resolver->data = data;
	resolver->symbols = symbols;
	resolver->code_names =
		code_names_new(&(struct code_files){ perfdata_build_ids(data), CODE_FILES_DEBUG });
	return resolver;
}

void file_resolver_free(struct file_resolver *resolver)
{
	if (resolver == NULL)
		return;

	code_names_free(resolver->code_names);
	free(resolver->event_of);
	free(resolver);
}

void file_resolver_event(struct file_resolver *resolver, uint32_t number, size_t of_file)
{
	if (number >= resolver->nevents) {
		resolver->event_of =
			xreallocarray(resolver->event_of, number + 1, sizeof(*resolver->event_of));
		for (size_t i = resolver->nevents; i < number; i++)
			resolver->event_of[i] = 0;
		resolver->nevents = number + 1;
	}
	resolver->event_of[number] = of_file;
}

struct model_resolver file_resolver_hooks(struct file_resolver *resolver)
{
	return (struct model_resolver){ .ctx = resolver,
					.symbol = symbol,
					.code = code,
					.fields = fields };
}
