/* SPDX-License-Identifier: MIT */
/*
 * text - escapes untrusted text, and measures its width in cells.
 *
 * Any local user picks task names, file names and cgroup names.  This is the
 * one place where such bytes are made safe for a terminal or a file: control
 * characters (C0, DEL, C1), invalid UTF-8, bidirectional and zero-width
 * characters are replaced by visible escapes (\x1b) or U+FFFD.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Copy `len` bytes of `in` (or up to a NUL) to `out`, escaped, at most `room`
 * bytes with the terminator, never splitting a character.  Returns the bytes
 * written without the terminator.  Idempotent: safe text stays as it is.
 */
size_t text_safe(char *out, size_t room, const char *in, size_t len);

struct strbuf;

/* Append a whole text, escaped. */
void text_add_safe(struct strbuf *out, const char *text);

/* Whether a character may be shown as it is: no control, bidi or zero-width character. */
bool text_is_harmless(int32_t code);

/*
 * Decode one UTF-8 character at `in` (len > 0): its length in bytes and its
 * code point; -1 as code point, and length 1, for an invalid byte.
 */
size_t text_decode(const char *in, size_t len, int32_t *code);

/* Cells that a character takes: 0 (combining), 1 or 2.  Independent of the locale. */
int text_char_width(int32_t code);

/* Cells that a safe text takes. */
size_t text_width(const char *text);

/* The longest prefix of `text` that takes at most `cells` cells: its length in bytes. */
size_t text_fit(const char *text, size_t cells);

#endif
