/* SPDX-License-Identifier: MIT */
#include "perfdata/writer-inside.h"

#include <string.h>
#include <unistd.h>

void writer_put32(struct strbuf *out, uint32_t value)
{
	strbuf_add(out, (const char *)&value, sizeof(value));
}

void writer_put64(struct strbuf *out, uint64_t value)
{
	strbuf_add(out, (const char *)&value, sizeof(value));
}

void writer_put_string(struct strbuf *out, const char *text)
{
	uint32_t len = (uint32_t)(strlen(text) + 1), padded = (len + 7) & ~7u;

	writer_put32(out, padded);
	strbuf_add(out, text, len);
	strbuf_repeat(out, '\0', padded - len);
}

size_t writer_count_known(const struct perfdata_writer *writer)
{
	size_t count = 0;

	for (size_t i = 0; i < writer->nevents; i++)
		count += writer->events[i].is_known;
	return count;
}

static void put_event_desc(const struct perfdata_writer *writer, struct strbuf *out)
{
	writer_put32(out, (uint32_t)writer_count_known(writer));
	writer_put32(out, sizeof(struct perf_event_attr));
	for (size_t i = 0; i < writer->nevents; i++) {
		const struct written_event *event = &writer->events[i];

		if (!event->is_known)
			continue;
		strbuf_add(out, (const char *)&event->attr, sizeof(event->attr));
		writer_put32(out, (uint32_t)event->nids);
		writer_put_string(out, event->name);
		strbuf_add(out, (const char *)event->ids, event->nids * sizeof(uint64_t));
	}
}

static void put_named(struct strbuf *out, const char *name, const char *text)
{
	strbuf_add(out, name, strlen(name) + 1);
	writer_put64(out, strlen(text));
	strbuf_puts(out, text);
}

/* The formats of one system are grouped. */
static void put_system(const struct perfdata_writer *writer, struct strbuf *out, size_t first)
{
	const char *system = writer->formats[first].system;
	uint32_t count = 0;

	for (size_t i = first; i < writer->nformats; i++)
		count += strcmp(writer->formats[i].system, system) == 0;
	strbuf_add(out, system, strlen(system) + 1);
	writer_put32(out, count);
	for (size_t i = first; i < writer->nformats; i++) {
		const struct written_format *format = &writer->formats[i];

		if (strcmp(format->system, system) != 0)
			continue;
		writer_put64(out, format->len);
		strbuf_add(out, format->text, format->len);
	}
}

static bool is_first_of_system(const struct perfdata_writer *writer, size_t at)
{
	for (size_t i = 0; i < at; i++) {
		if (strcmp(writer->formats[i].system, writer->formats[at].system) == 0)
			return false;
	}
	return true;
}

/* Layout: tracingdata.h.  The two headers describe ftrace's pages, which perf.data lacks. */
static void put_tracing_data(const struct perfdata_writer *writer, struct strbuf *out)
{
	static const char page[] = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
				   "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
				   "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
				   "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";
	uint32_t systems = 0;

	strbuf_add(out, "\x17\x08\x44tracing0.6", 14);
	strbuf_putc(out, 0); /* little-endian */
	strbuf_putc(out, sizeof(long));
	writer_put32(out, (uint32_t)sysconf(_SC_PAGESIZE));
	put_named(out, "header_page", page);
	put_named(out, "header_event", "# compressed entry header\n");
	writer_put32(out, 0); /* ftrace's own events */
	for (size_t i = 0; i < writer->nformats; i++)
		systems += is_first_of_system(writer, i);
	writer_put32(out, systems);
	for (size_t i = 0; i < writer->nformats; i++) {
		if (is_first_of_system(writer, i))
			put_system(writer, out, i);
	}
	writer_put32(out, 0); /* kallsyms */
	writer_put32(out, 0); /* printk formats */
	writer_put64(out, 0); /* command lines */
}

static bool has_feature(const struct perfdata_writer *writer, unsigned int feature)
{
	if (feature == FEATURE_TRACING_DATA)
		return writer->nformats > 0;
	return feature == FEATURE_EVENT_DESC || writer->origin[feature].len > 0;
}

static void put_body(const struct perfdata_writer *writer, struct strbuf *out, unsigned int feature)
{
	if (feature == FEATURE_TRACING_DATA)
		put_tracing_data(writer, out);
	else if (feature == FEATURE_EVENT_DESC)
		put_event_desc(writer, out);
	else
		strbuf_add(out, writer->origin[feature].text, writer->origin[feature].len);
}

void writer_put_front(struct perfdata_writer *writer, struct strbuf *out)
{
	for (unsigned int i = 0; i < WRITER_FEATURES; i++) {
		size_t start = out->len;

		if (has_feature(writer, i))
			put_body(writer, out, i);
		writer->front[i] =
			(struct written_section){ PERFDATA_HEAD_BYTES + start, out->len - start };
	}
}

uint64_t writer_put_features(const struct perfdata_writer *writer, struct strbuf *out)
{
	struct strbuf bodies;
	uint64_t flags = 0, count = 0;

	strbuf_init(&bodies);
	for (unsigned int i = 0; i < WRITER_FEATURES; i++)
		count += has_feature(writer, i);
	for (unsigned int i = 0; i < WRITER_FEATURES; i++) {
		struct written_section section = writer->front[i];

		if (!has_feature(writer, i))
			continue;
		flags |= 1ull << i;
		if (section.len == 0) {
			section.at = writer->end + count * 16 + bodies.len;
			put_body(writer, &bodies, i);
			section.len = writer->end + count * 16 + bodies.len - section.at;
		}
		writer_put64(out, section.at);
		writer_put64(out, section.len);
	}
	strbuf_add(out, bodies.text, bodies.len);
	strbuf_repeat(out, '\0', -out->len & 7);
	strbuf_fini(&bodies);
	return flags;
}

void writer_keep_origin(struct perfdata_writer *writer, const struct perfdata_writer_origin *origin)
{
	uint32_t words = 0;

	writer_put_string(&writer->origin[FEATURE_HOSTNAME], origin->hostname);
	writer_put_string(&writer->origin[FEATURE_OSRELEASE], origin->osrelease);
	writer_put_string(&writer->origin[FEATURE_VERSION], origin->version);
	writer_put_string(&writer->origin[FEATURE_ARCH], origin->arch);
	writer_put32(&writer->origin[FEATURE_NRCPUS], origin->cpus_available);
	writer_put32(&writer->origin[FEATURE_NRCPUS], origin->cpus_online);
	writer_put_string(&writer->origin[FEATURE_CPUDESC], origin->processor);
	writer_put_string(&writer->origin[FEATURE_CPUID], origin->processor_type);
	while (origin->command[words] != NULL)
		words++;
	writer_put32(&writer->origin[FEATURE_CMDLINE], words);
	for (uint32_t i = 0; i < words; i++)
		writer_put_string(&writer->origin[FEATURE_CMDLINE], origin->command[i]);
}

/* Encode a feature anew: one in front of the records no longer holds. */
static struct strbuf *change(struct perfdata_writer *writer, enum perfdata_feature feature)
{
	struct strbuf *body = &writer->origin[feature];

	writer->front[feature].len = 0;
	strbuf_clear(body);
	return body;
}

void perfdata_writer_clock(struct perfdata_writer *writer, uint32_t clockid, uint64_t wall_ns,
			   uint64_t clock_ns)
{
	struct strbuf *body = change(writer, FEATURE_CLOCK_DATA);

	writer_put32(body, 1); /* version */
	writer_put32(body, clockid);
	writer_put64(body, wall_ns);
	writer_put64(body, clock_ns);
}

void perfdata_writer_times(struct perfdata_writer *writer, uint64_t first_ns, uint64_t last_ns)
{
	struct strbuf *body = change(writer, FEATURE_SAMPLE_TIME);

	if (last_ns == 0)
		return;
	writer_put64(body, first_ns);
	writer_put64(body, last_ns);
}

/* A record as perf has them in a list: pid of the machine (-1: the host), id, its size, name. */
void perfdata_writer_kernel_id(struct perfdata_writer *writer, const struct build_id *id)
{
	static const char name[64] = PERFDATA_KERNEL;
	struct strbuf *body = change(writer, FEATURE_BUILD_ID);
	struct perf_event_header header = {
		.misc = PERF_RECORD_MISC_KERNEL | PERFDATA_MISC_ID_SIZE,
		.size = sizeof(header) + 4 + 24 + sizeof(name),
	};

	if (id->size == 0)
		return;
	strbuf_add(body, (const char *)&header, sizeof(header));
	writer_put32(body, UINT32_MAX);
	strbuf_add(body, (const char *)id->bytes, id->size);
	strbuf_repeat(body, '\0', BUILD_ID_MAX - id->size);
	writer_put32(body, (uint32_t)id->size);
	strbuf_add(body, name, sizeof(name));
}
