/* SPDX-License-Identifier: MIT */
#include "base/strbuf.h"

#include "base/xalloc.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM_FIRST 64 /* bytes: most buffers hold one line */

void strbuf_init(struct strbuf *buf)
{
	buf->text = xcalloc(1, ROOM_FIRST);
	buf->len = 0;
	buf->room = ROOM_FIRST;
}

void strbuf_fini(struct strbuf *buf)
{
	free(buf->text);
	*buf = (struct strbuf){ .text = NULL };
}

void strbuf_clear(struct strbuf *buf)
{
	buf->len = 0;
	buf->text[0] = '\0';
}

/* Room for `more` bytes and the terminator.  Doubling makes appending linear overall. */
static void reserve(struct strbuf *buf, size_t more)
{
	size_t need;

	if (more < buf->room - buf->len)
		return;
	if (__builtin_add_overflow(buf->len, more, &need) || __builtin_add_overflow(need, 1, &need))
		need = SIZE_MAX; /* too large: xreallocarray exits */

	size_t room = buf->room > SIZE_MAX / 2 ? need : buf->room * 2;
	if (room < need)
		room = need;
	buf->text = xreallocarray(buf->text, room, 1);
	buf->room = room;
}

char *strbuf_extend(struct strbuf *buf, size_t len)
{
	reserve(buf, len);
	buf->len += len;
	buf->text[buf->len] = '\0';
	return buf->text + buf->len - len;
}

void strbuf_add(struct strbuf *buf, const char *bytes, size_t len)
{
	char *first = strbuf_extend(buf, len);

	if (len)
		memcpy(first, bytes, len);
}

void strbuf_puts(struct strbuf *buf, const char *text)
{
	strbuf_add(buf, text, strlen(text));
}

void strbuf_putc(struct strbuf *buf, char c)
{
	strbuf_add(buf, &c, 1);
}

void strbuf_repeat(struct strbuf *buf, char c, size_t count)
{
	memset(strbuf_extend(buf, count), c, count);
}

void strbuf_printf(struct strbuf *buf, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	strbuf_vprintf(buf, format, args);
	va_end(args);
}

void strbuf_vprintf(struct strbuf *buf, const char *format, va_list args)
{
	va_list again;

	va_copy(again, args);
	int len = vsnprintf(buf->text + buf->len, buf->room - buf->len, format, args);
	if (len >= 0 && (size_t)len >= buf->room - buf->len) {
		reserve(buf, (size_t)len);
		len = vsnprintf(buf->text + buf->len, buf->room - buf->len, format, again);
	}
	va_end(again);

	/* A negative length is a bad wide character in the arguments: add nothing. */
	if (len > 0)
		buf->len += (size_t)len;
	buf->text[buf->len] = '\0';
}

char *strbuf_take(struct strbuf *buf)
{
	char *text = buf->text;
	strbuf_init(buf);
	return text;
}
