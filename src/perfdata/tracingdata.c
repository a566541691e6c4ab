/* SPDX-License-Identifier: MIT */
#include "perfdata/tracingdata.h"

#include <string.h>

#include "decode/cursor.h"

static const char magic[] = "\x17\x08\x44tracing";

static void skip_named(struct cursor *cursor, const char *name)
{
	const char *here = cursor_string(cursor);

	if (here == NULL || strcmp(here, name) != 0)
		cursor->is_short = true;
	cursor_take(cursor, cursor_u64(cursor));
}

static void take_system(struct cursor *cursor, struct fieldformats *formats)
{
	const char *system = cursor_string(cursor);
	uint32_t count = cursor_u32(cursor);

	/* A bogus count is bounded by the remaining bytes: a format takes at least 8. */
	for (uint32_t i = 0; i < count && !cursor->is_short; i++) {
		uint64_t len = cursor_u64(cursor);
		const char *text = cursor_take(cursor, len);

		if (text != NULL && system != NULL)
			fieldformats_add(formats, system, text, len);
	}
}

bool tracingdata_parse(const unsigned char *bytes, size_t len, struct fieldformats *formats)
{
	struct cursor cursor = { bytes, len, false };
	const void *start = cursor_take(&cursor, sizeof(magic) - 1);

	if (start == NULL || memcmp(start, magic, sizeof(magic) - 1) != 0)
		return false;
	cursor_string(&cursor);	 /* version */
	cursor_take(&cursor, 6); /* byte order, sizeof(long), page size */
	skip_named(&cursor, "header_page");
	skip_named(&cursor, "header_event");

	uint32_t own = cursor_u32(&cursor);
	for (uint32_t i = 0; i < own && !cursor.is_short; i++)
		cursor_take(&cursor, cursor_u64(&cursor));

	uint32_t systems = cursor_u32(&cursor);
	for (uint32_t i = 0; i < systems && !cursor.is_short; i++)
		take_system(&cursor, formats);
	return !cursor.is_short;
}
