/* SPDX-License-Identifier: MIT */
/*
 * strbuf - a growing text buffer.  Embedded: init, use, fini.  One thread at a time.
 */
#ifndef BASE_STRBUF_H
#define BASE_STRBUF_H

#include <stdarg.h>
#include <stddef.h>

struct strbuf {
	char *text;  /* always terminated, never NULL after init */
	size_t len;  /* bytes before the terminator */
	size_t room; /* bytes allocated */
};

/* Make it empty; free its memory, after which it must be initialised again. */
void strbuf_init(struct strbuf *buf);
void strbuf_fini(struct strbuf *buf);

/* Empty it, and keep the memory. */
void strbuf_clear(struct strbuf *buf);

/* Append bytes, a text, a character, a character `count` times, or printf's output. */
void strbuf_add(struct strbuf *buf, const char *bytes, size_t len);
void strbuf_puts(struct strbuf *buf, const char *text);
void strbuf_putc(struct strbuf *buf, char c);
void strbuf_repeat(struct strbuf *buf, char c, size_t count);
void strbuf_printf(struct strbuf *buf, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void strbuf_vprintf(struct strbuf *buf, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

/*
 * Append `len` bytes, and return the first: the caller writes them.  Valid until the next call; the
 * terminator is behind them.
 */
char *strbuf_extend(struct strbuf *buf, size_t len);

/* Hand the text to the caller, who frees it; the buffer is empty and usable again. */
char *strbuf_take(struct strbuf *buf);

#endif
