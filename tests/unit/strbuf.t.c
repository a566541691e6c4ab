/* SPDX-License-Identifier: MIT */
#include "base/strbuf.h"

#include "tap.h"

#include <stdlib.h>
#include <string.h>

int main(void)
{
	struct strbuf buf;

	plan_lazy();
	strbuf_init(&buf);
	is_str(buf.text, "", "a new one is empty text, not NULL");

	strbuf_puts(&buf, "one");
	strbuf_putc(&buf, ' ');
	strbuf_repeat(&buf, '-', 3);
	strbuf_repeat(&buf, '-', 0);
	strbuf_printf(&buf, " %d", 42);
	is_str(buf.text, "one --- 42", "pieces are added in order");
	is_u64(buf.len, strlen("one --- 42"), "and counted");

	strbuf_clear(&buf);
	strbuf_add(&buf, "a\0b", 3);
	strbuf_add(&buf, "", 0);
	is_mem(buf.text, "a\0b", 4, "NULs are bytes like others, and it is terminated");

	/* Sizes around every doubling, where an off-by-one would write past the end. */
	strbuf_clear(&buf);
	for (size_t i = 0; i < 5000; i++)
		strbuf_putc(&buf, (char)('a' + i % 26));
	is_u64(buf.len, 5000, "it grows");
	is_u64(strlen(buf.text), 5000, "and stays terminated");
	ok(buf.text[4999] == 'a' + 4999 % 26, "without losing what was there");

	for (size_t len = 50; len < 140; len++) {
		struct strbuf exact;
		strbuf_init(&exact);
		strbuf_printf(&exact, "%*s", (int)len, "x");
		if (exact.len != len || strlen(exact.text) != len)
			ok(false, "printf of %zu bytes", len);
		strbuf_fini(&exact);
	}
	ok(true, "printf around its first room");

	char *text = strbuf_take(&buf);
	is_u64(strlen(text), 5000, "the text is handed over");
	is_str(buf.text, "", "and the buffer is empty and usable");
	strbuf_puts(&buf, "again");
	is_str(buf.text, "again", "again");
	free(text);
	strbuf_fini(&buf);
	ok(buf.text == NULL, "nothing is left");
	return done();
}
