/* SPDX-License-Identifier: MIT */
#include "output/json-write.h"

#include "base/fmt.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/*
 * Whether a comma is needed before a value follows from the previous byte: none
 * after an opening bracket or a colon.
 */
static void separate(struct strbuf *out)
{
	if (out->len == 0)
		return;
	char last = out->text[out->len - 1];
	if (last != '{' && last != '[' && last != ':' && last != '\n')
		strbuf_putc(out, ',');
}

/*
 * Escape a character that JSON strings exclude or that could harm a terminal; the
 * value is preserved.
 */
static void put_escaped(struct strbuf *out, uint32_t code)
{
	if (code >= 0x10000) {
		code -= 0x10000;
		strbuf_printf(out, "\\u%04x\\u%04x", 0xd800 | code >> 10, 0xdc00 | (code & 0x3ff));
	} else {
		strbuf_printf(out, "\\u%04x", code);
	}
}

static void put_string(struct strbuf *out, const char *text)
{
	size_t len = strlen(text);

	strbuf_putc(out, '"');
	for (size_t at = 0; at < len;) {
		int32_t code;
		size_t taken = text_decode(text + at, len - at, &code);
		if (code < 0)
			strbuf_puts(out, "\xef\xbf\xbd"); /* U+FFFD */
		else if (!text_is_harmless(code))
			put_escaped(out, (uint32_t)code);
		else {
			if (code == '"' || code == '\\')
				strbuf_putc(out, '\\');
			strbuf_add(out, text + at, taken);
		}
		at += taken;
	}
	strbuf_putc(out, '"');
}

void json_begin(struct strbuf *out, const char *key)
{
	separate(out);
	if (key) { /* a constant, so nothing to escape */
		strbuf_putc(out, '"');
		strbuf_puts(out, key);
		strbuf_puts(out, "\":");
	}
}

void json_open_object(struct strbuf *out, const char *key)
{
	json_begin(out, key);
	strbuf_putc(out, '{');
}

void json_open_array(struct strbuf *out, const char *key)
{
	json_begin(out, key);
	strbuf_putc(out, '[');
}

void json_put_null(struct strbuf *out, const char *key)
{
	json_begin(out, key);
	strbuf_puts(out, "null");
}

void json_put_text(struct strbuf *out, const char *key, const char *text)
{
	json_begin(out, key);
	if (text)
		put_string(out, text);
	else
		strbuf_puts(out, "null");
}

void json_put_bool(struct strbuf *out, const char *key, bool value)
{
	json_begin(out, key);
	strbuf_puts(out, value ? "true" : "false");
}

void json_put_u64(struct strbuf *out, const char *key, uint64_t value)
{
	json_begin(out, key);
	strbuf_printf(out, "%" PRIu64, value);
}

void json_put_u64_if(struct strbuf *out, const char *key, bool is_known, uint64_t value)
{
	if (is_known)
		json_put_u64(out, key, value);
	else
		json_put_null(out, key);
}

void json_put_int(struct strbuf *out, const char *key, long long value)
{
	json_begin(out, key);
	strbuf_printf(out, "%lld", value);
}

void json_put_number(struct strbuf *out, const char *key, double value)
{
	char text[FMT_MAX];

	json_begin(out, key);
	strbuf_puts(out, isfinite(value) && value >= 0 ? fmt_number(text, value) : "null");
}
